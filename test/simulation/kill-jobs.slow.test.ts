// kill -9 in the middle of ten deep jobs: every job ends and is charged exactly the price of its pages.
import { rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { makeDataDirectory } from '#test/data-directory.ts'
import { adminToken, type GatewayProcess, send, startGatewayProcess } from './gateway-process.ts'

const jobCount = 10
const jobsPerAccount = 3
const pagesPerJob = 6
const balanceCents = 1_000
const paragraph = '<p>A paragraph of real words, long enough to be taken for a real one.</p>'

/** Slow pages, every sixth of them a wall. */
async function serveSite() {
  const server = createServer(async (request, reply) => {
    await delay(300)
    const wall = request.url?.endsWith('/5') === true
    const body = wall
      ? '<title>Just a moment...</title><script>window._cf_chl_opt={}</script>'
      : `<h1>Page</h1>${paragraph.repeat(6)}`
    reply.writeHead(200, { 'content-type': 'text/html' }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function submitJobs(url: string, site: string) {
  const jobs: { key: string; jobId: string }[] = []
  let key = ''
  for (let job = 0; job < jobCount; job += 1) {
    if (job % jobsPerAccount === 0) {
      const opened = await send(url, {
        path: '/api/v1/admin/accounts',
        key: adminToken,
        body: { balance_cents: balanceCents },
      })
      key = opened?.body.api_key
    }
    const urls = Array.from({ length: pagesPerJob }, (_, page) => `${site}/${job}/${page}`)
    const handle = await send(url, { path: '/api/run/tollway/onescrape-deep', key, body: { urls } })
    expect(handle?.body).toMatchObject({ ok: true, data: { status: 'queued' } })
    jobs.push({ key, jobId: handle?.body.data.job_id })
  }
  return jobs
}

test('every job ends, Σ charges = Σ prices of the pages read, and no hold remains', async () => {
  const dataDir = await makeDataDirectory()
  const site = await serveSite()
  let gateway: GatewayProcess = startGatewayProcess(dataDir, { CHROMIUM_PATH: '/nowhere/chromium' })
  onTestFinished(async () => {
    await gateway.stop()
    await rm(dataDir, { recursive: true, force: true })
  })
  const jobs = await submitJobs(await gateway.listening, site)
  for (let kill = 0; kill < 3; kill += 1) {
    await delay(300 + Math.random() * 1_500)
    await gateway.kill()
    gateway = startGatewayProcess(dataDir, { CHROMIUM_PATH: '/nowhere/chromium' })
    await gateway.listening
  }

  const url = await gateway.listening
  const spent = new Map<string, number>()
  for (const { key, jobId } of jobs) {
    const poll = { path: '/api/run/tollway/result', key, body: { job_id: jobId, wait_seconds: 50 } }
    let polled = await send(url, poll)
    for (let again = 0; again < 3 && polled?.body.data.status === 'running'; again += 1)
      polled = await send(url, poll)
    const { status, charged_cents: charged, result } = polled?.body.data ?? {}
    expect(status).toBe('succeeded')
    const prices = result.rows.map((row: { charged_cents: number }) => row.charged_cents)
    expect(prices.reduce((sum: number, cents: number) => sum + cents, 0)).toBe(charged)
    expect(result).toMatchObject({
      read_count: pagesPerJob - 1,
      blocked_count: 1,
      spent_cents: charged,
    })
    spent.set(key, (spent.get(key) ?? 0) + charged)
  }
  for (const [key, cents] of spent) {
    const account = await send(url, { path: '/api/v1/account', key })
    expect(account?.body).toMatchObject({ available_cents: balanceCents - cents, held_cents: 0 })
  }
  const verified = await send(url, { path: '/api/v1/admin/ledger/verify', key: adminToken })
  expect(verified?.body).toMatchObject({ ok: true, problems: [] })
})
