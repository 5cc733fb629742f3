// SIGKILL of a session of PostgreSQL, of the whole server, of the gateway, and of both, under 32 callers with default
// settings. CRASHES=100 npx vitest run test/simulation/kill-database.slow.test.ts
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { makeDataDirectory, removeDataDirectory } from '#test/data-directory.ts'
import { llmConfig } from '#test/llm-gateway.ts'
import { startModelUpstream } from '#test/model-upstream.ts'
import { until } from '#test/until.ts'
import { ask, load, type Sent, serveSite } from './crash-mix.ts'
import { send } from './gateway-process.ts'
import { startMortalGateway } from './mortal-gateway.ts'
import { listProcesses } from './processes.ts'

const kinds = ['session', 'server', 'gateway', 'both'] as const
const crashes = Number(process.env.CRASHES ?? kinds.length)
const callers = 32
const accountCount = 4
const balanceCents = 1_000_000
/** Nothing is held on idle accounts after this time. */
const recoveryMsMax = 60_000

async function startTarget() {
  const upstream = await startModelUpstream(onTestFinished)
  const site = await serveSite()
  const folder = await makeDataDirectory()
  onTestFinished(() => removeDataDirectory(folder))
  const configPath = path.join(folder, 'llm.json')
  await writeFile(configPath, JSON.stringify(llmConfig(upstream.url, { timeouts: {} })))
  const gateway = await startMortalGateway({ LLM_CONFIG: configPath, LAB_API_KEY: 'upstream-key' })
  const keys: string[] = []
  for (let account = 0; account < accountCount; account += 1)
    keys.push((await gateway.openAccount(balanceCents)).key)
  return {
    gateway,
    keys,
    /** Requests that reached the models and the site. */
    worked: () => upstream.asked.length + site.requests(),
    place: async () => ({ url: await gateway.url(), siteUrl: site.url, keys }),
  }
}

type Target = Awaited<ReturnType<typeof startTarget>>

async function crash({ gateway }: Target, kind: (typeof kinds)[number]) {
  const pidFile = path.join(gateway.dataDir, 'postgres/postmaster.pid')
  const server = Number((await readFile(pidFile, 'utf8')).split('\n')[0])
  if (kind === 'session') process.kill(await anySession(server), 'SIGKILL')
  if (kind === 'server' || kind === 'both') process.kill(server, 'SIGKILL')
  if (kind === 'gateway' || kind === 'both') await gateway.kill()
}

/** A session of the gateway in the server. */
async function anySession(server: number): Promise<number> {
  const sessions: number[] = []
  for (const { pid, parent } of (await listProcesses()).values()) {
    if (parent !== server) continue
    const title = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    if (title.includes('tollway tollway')) sessions.push(pid)
  }
  const chosen = sessions[Math.floor(Math.random() * sessions.length)]
  if (chosen === undefined) throw new Error('The server has no session.')
  return chosen
}

/** One crash under load. Resolves to what was sent, once the gateway answers again and the callers have stopped. */
async function crashUnderLoad(target: Target, kind: (typeof kinds)[number]) {
  const stop = new AbortController()
  const place = await target.place()
  const loading = load(place, callers, stop.signal)
  await delay(1_000 + Math.random() * 1_500)
  await crash(target, kind)
  const isGatewayDead = kind === 'gateway' || kind === 'both'
  // The callers of a living gateway go on through the crash.
  if (!isGatewayDead) {
    await until(async () => await isAnswering(target))
    await delay(500)
  }
  stop.abort()
  const sent = await loading
  if (isGatewayDead) await target.gateway.start()
  return sent
}

async function isAnswering({ place }: Target): Promise<boolean> {
  const { url, keys } = await place()
  return (await send(url, { path: '/api/v1/account', key: keys[0] ?? '' }))?.status === 200
}

/** The books are right, and nothing is held, once the recovery had its time. */
async function expectIdle({ gateway, keys, place }: Target) {
  await until(async () => {
    const { url } = await place()
    const seen = await Promise.all(keys.map((key) => send(url, { path: '/api/v1/account', key })))
    return seen.every((account) => account?.body.held_usd === '0.000000')
  })
  const { url } = await place()
  for (const key of keys)
    expect((await send(url, { path: '/api/v1/account', key }))?.body).toMatchObject({
      held_usd: '0.000000',
      calls_in_flight: 0,
    })
  await gateway.expectBooksRight()
}

/** Keyed answers are the same again and run nothing; keys without an answer are not locked. */
async function expectKeysKept(target: Target, sent: readonly Sent[]) {
  const keyed = sent.filter(({ idempotencyKey }) => idempotencyKey !== undefined)
  const place = await target.place()
  const before = target.worked()
  const repeated = await eachOf(
    keyed.filter(({ answer }) => answer),
    (request) => ask(place, request),
  )
  for (const [request, again] of repeated)
    expect([request.what, again?.status, again?.id]).toEqual([
      request.what,
      200,
      request.answer?.id,
    ])
  expect(target.worked()).toBe(before)
  // On a slow machine, a page may not be read in time. Its call fails then, and its key is free again.
  await eachOf(
    keyed.filter(({ answer }) => !answer),
    (request) => until(async () => (await ask(place, request))?.status === 200),
  )
}

/** Answered calls without a key that are not in the books, or not charged. */
async function lostOf(target: Target, sent: readonly Sent[]): Promise<Sent[]> {
  const { url } = await target.place()
  const plain = sent.filter(({ answer, idempotencyKey }) => answer && !idempotencyKey)
  const found = await eachOf(plain, ({ account, answer }) =>
    send(url, { path: `/api/v1/transactions/${answer?.id}`, key: account }),
  )
  return found.flatMap(([request, reply]) => (reply?.body.status === 'succeeded' ? [] : [request]))
}

/** Some at a time. */
async function eachOf<Result>(
  requests: readonly Sent[],
  work: (request: Sent) => Promise<Result>,
): Promise<(readonly [Sent, Result])[]> {
  const waiting = [...requests]
  const done: (readonly [Sent, Result])[] = []
  const worker = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
      done.push([next, await work(next)])
  }
  await Promise.all(Array.from({ length: 8 }, worker))
  return done
}

test(`${crashes} crashes leave the books right, nothing held, and every keyed answer as it was`, {
  timeout: 240_000 + crashes * 60_000,
}, async () => {
  const target = await startTarget()
  const totals = { sent: 0, answered: 0, keyed: 0 }
  for (let number = 0; number < crashes; number += 1) {
    const kind = kinds[number % kinds.length] ?? 'session'
    const sent = await crashUnderLoad(target, kind)
    await expectIdle(target)
    // A killed process loses nothing: the journal is lost only with the machine. The last calls before the callers
    // stopped may still wait behind those that are booked again.
    await expect.poll(() => lostOf(target, sent), { timeout: recoveryMsMax }).toEqual([])
    await expectKeysKept(target, sent)
    await expectIdle(target)
    totals.sent += sent.length
    totals.answered += sent.filter(({ answer }) => answer).length
    totals.keyed += sent.filter(({ answer, idempotencyKey }) => answer && idempotencyKey).length
    if (process.env.CRASHES !== undefined)
      process.stdout.write(`${number + 1} ${kind} ${JSON.stringify(totals)}\n`)
  }
  expect(totals.keyed).toBeGreaterThan(crashes)
})
