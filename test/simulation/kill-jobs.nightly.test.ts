// kill -9 in the middle of ten deep jobs: every job ends and is charged exactly the price of its pages.
import { createServer } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { portOf } from '#platform/http/port.ts'
import { depth } from '#test/depth.ts'
import { type MortalAccount, type MortalGateway, startMortalGateway } from './mortal-gateway.ts'

const jobCount = 10
const jobsPerAccount = 3
const pagesPerJob = 6
const balanceCents = 1_000
const kills = depth(2, 3)
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
  return `http://127.0.0.1:${portOf(server)}`
}

async function submitJobs({ openAccount }: MortalGateway, site: string) {
  const jobs: { account: MortalAccount; jobId: string }[] = []
  for (let first = 0; first < jobCount; first += jobsPerAccount) {
    const account = await openAccount(balanceCents)
    for (let job = first; job < Math.min(first + jobsPerAccount, jobCount); job += 1) {
      const urls = Array.from({ length: pagesPerJob }, (_, page) => `${site}/${job}/${page}`)
      const handle = await account.attempt('tollway/onescrape-deep', { urls })
      expect(handle?.body).toMatchObject({ ok: true, data: { status: 'queued' } })
      jobs.push({ account, jobId: handle?.body.data.job_id })
    }
  }
  return jobs
}

test('every job ends, Σ charges = Σ prices of the pages read, and no hold remains', async () => {
  const site = await serveSite()
  const gateway = await startMortalGateway({ CHROMIUM_PATH: '/nowhere/chromium' })
  const jobs = await submitJobs(gateway, site)
  for (let kill = 0; kill < kills; kill += 1) {
    await delay(300 + Math.random() * 1_500)
    await gateway.killAndStart()
  }

  const spent = new Map<MortalAccount, number>()
  for (const { account, jobId } of jobs) {
    const poll = () => account.call('tollway/result', { job_id: jobId, wait_seconds: 50 })
    let polled = await poll()
    for (let again = 0; again < 3 && polled?.status === 'running'; again += 1) polled = await poll()
    const { status, charged_cents: charged, result } = polled ?? {}
    expect(status).toBe('succeeded')
    const prices = result.rows.map((row: { charged_cents: number }) => row.charged_cents)
    expect(prices.reduce((sum: number, cents: number) => sum + cents, 0)).toBe(charged)
    expect(result).toMatchObject({
      read_count: pagesPerJob - 1,
      blocked_count: 1,
      spent_cents: charged,
    })
    spent.set(account, (spent.get(account) ?? 0) + charged)
  }
  for (const [account, cents] of spent)
    expect(await account.get('/api/v1/account')).toMatchObject({
      available_cents: balanceCents - cents,
      held_cents: 0,
    })
  await gateway.expectBooksRight()
})
