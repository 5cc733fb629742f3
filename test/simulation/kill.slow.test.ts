// kill -9 at any moment: acknowledged calls are kept, failed calls cost nothing, and no hold remains.
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { portOf } from '#platform/http/port.ts'
import { makeDataDirectory, removeDataDirectory } from '#test/data-directory.ts'
import { depth } from '#test/depth.ts'
import { until } from '#test/until.ts'
import { adminToken, type GatewayProcess, send, startGatewayProcess } from './gateway-process.ts'

const kills = depth(4, 10)
const callers = 8
const callCents = 2
const article = `<html><head><title>A page</title></head><body><main><h1>A page</h1>
${'<p>This is a paragraph of real words, long enough to be read as a real one.</p>\n'.repeat(8)}
</main></body></html>`

interface Sent {
  readonly idempotencyKey: string
  readonly url: string
  /** Absent when the gateway died before it answered. */
  readonly status?: number
  readonly transactionId?: string
}

interface Books {
  readonly available: number
  readonly held: number
}

/** Serves /good, a page, and /gone, which is not there, so that its call fails and is free. */
async function serveSite() {
  const server = createServer((request, reply) => {
    const good = request.url?.startsWith('/good')
    reply
      .writeHead(good ? 200 : 404, { 'content-type': 'text/html' })
      .end(good ? article : '<html><body>Not found</body></html>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${portOf(server)}`
}

async function openAccount(url: string): Promise<string> {
  const opened = await send(url, {
    path: '/api/v1/admin/accounts',
    key: adminToken,
    body: { balance_cents: 1_000_000, confirm_cents: 1_000_000 },
  })
  return opened?.body.api_key
}

/** Resolves when this many calls have been answered. */
async function answers(sent: readonly Sent[], count: number) {
  await until(async () => sent.length >= count, { everyMs: 20 })
}

/** Resolves when this many more calls have succeeded. */
async function successes(sent: readonly Sent[], count: number) {
  const succeeded = () => sent.filter(({ status }) => status === 200).length
  const before = succeeded()
  await until(async () => succeeded() >= before + count, { everyMs: 20 })
}

/** Calls in a loop until the gateway no longer answers, or until told to stop. */
async function loadUntil(stop: AbortSignal, url: string, key: string, site: string, sent: Sent[]) {
  await Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      for (let turn = caller; !stop.aborted; turn += 1) {
        const call = {
          idempotencyKey: randomUUID(),
          url: `${site}/${turn % 4 === 0 ? 'gone' : 'good'}/${turn}`,
        }
        const reply = await read(url, key, call)
        const transactionId: string | undefined = reply?.body.transaction_id
        sent.push({
          ...call,
          ...(reply && { status: reply.status }),
          ...(transactionId && { transactionId }),
        })
        if (reply === undefined) return
      }
    }),
  )
}

const read = (url: string, key: string, call: Pick<Sent, 'idempotencyKey' | 'url'>) =>
  send(url, {
    path: '/api/run/tollway/onescrape',
    key,
    body: { urls: [call.url] },
    idempotencyKey: call.idempotencyKey,
  })

async function readBooks(url: string, key: string): Promise<Books> {
  const verified = await send(url, { path: '/api/v1/admin/ledger/verify', key: adminToken })
  expect(verified?.body).toMatchObject({ ok: true, problems: [] })
  const account = await send(url, { path: '/api/v1/account', key })
  return { available: account?.body.available_cents, held: account?.body.held_cents }
}

/** Sends every call again. Those that had ended must be replayed, so that each is paid for once. */
async function settleAccounts(url: string, key: string, sent: readonly Sent[]) {
  const before = await readBooks(url, key)
  expect(before.held).toBe(0)
  const good = sent.filter((call) => call.url.includes('/good')).length
  const waiting = [...sent]
  const repeat = async () => {
    for (let call = waiting.pop(); call !== undefined; call = waiting.pop()) {
      const reply = await read(url, key, call)
      expect([call.url, reply?.status]).toEqual([call.url, call.url.includes('/good') ? 200 : 502])
      // A call that failed freed its key, so repeating it is another call.
      if (call.status === 200) expect(reply?.body.transaction_id).toBe(call.transactionId)
    }
  }
  await Promise.all(Array.from({ length: callers }, repeat))
  const after = await readBooks(url, key)
  expect(after).toEqual({ available: 1_000_000 - good * callCents, held: 0 })
  expect(before.available).toBeGreaterThanOrEqual(after.available)
  const acknowledged = sent.filter((call) => call.status === 200)
  expect(acknowledged.every((call) => call.transactionId !== undefined)).toBe(true)
  expect(before.available).toBeLessThanOrEqual(1_000_000 - acknowledged.length * callCents)
}

test(`${kills} kills of the gateway, the first during the very first start`, async () => {
  const dataDir = await makeDataDirectory()
  const site = await serveSite()
  let gateway: GatewayProcess | undefined
  onTestFinished(async () => {
    await gateway?.stop()
    await removeDataDirectory(dataDir)
  })

  gateway = startGatewayProcess(dataDir)
  await delay(200 + Math.random() * 2_000)
  await gateway.kill()

  const sent: Sent[] = []
  let key: string | undefined
  for (let kill = 1; kill < kills; kill += 1) {
    gateway = startGatewayProcess(dataDir)
    const url = await gateway.listening
    key ??= await openAccount(url)
    const stop = new AbortController()
    const load = loadUntil(stop.signal, url, key, site, sent)
    // Every other kill waits for the first answers, so that a slow machine also has calls to lose.
    if (kill % 2 === 0) await answers(sent, sent.length + callers)
    await delay(Math.random() * 900)
    await gateway.kill()
    stop.abort()
    await load
  }

  gateway = startGatewayProcess(dataDir)
  const url = await gateway.listening
  expect(sent.filter((call) => call.status === 200).length).toBeGreaterThan(kills)
  expect(sent.filter((call) => call.status === undefined).length).toBeGreaterThan(0)
  await settleAccounts(url, key ?? '', sent)
  expect(await gateway.stop()).toBe(0)
})

test('a gateway survives a kill of its database server under load', async () => {
  const dataDir = await makeDataDirectory()
  const site = await serveSite()
  const gateway = startGatewayProcess(dataDir)
  onTestFinished(async () => {
    await gateway.stop()
    await removeDataDirectory(dataDir)
  })
  const url = await gateway.listening
  const key = await openAccount(url)
  const sent: Sent[] = []
  const stop = new AbortController()
  const load = loadUntil(stop.signal, url, key, site, sent)
  await successes(sent, callers)
  const postmaster = Number(
    (await readFile(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0],
  )
  process.kill(postmaster, 'SIGKILL')
  // More than those that the database had answered before it died.
  await successes(sent, 3 * callers)
  stop.abort()
  await load
  const statuses = new Set(sent.map((call) => call.status))
  expect(gateway.child.exitCode).toBeNull()
  // Calls wait for the database or are told to repeat; none is lost.
  expect([...statuses].every((status) => [200, 502, 503, 500].includes(status ?? 0))).toBe(true)
  await settleAccounts(url, key, sent)
})
