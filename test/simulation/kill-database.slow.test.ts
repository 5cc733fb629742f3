// SIGKILL of a session of PostgreSQL, of the whole server, of the gateway, and of both, under 32 callers with default
// settings. CRASHES=100 npx vitest run test/simulation/kill-database.slow.test.ts
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { limitForTriesMs } from '#test/depth.ts'
import { until } from '#test/until.ts'
import { load } from './crash-mix.ts'
import { send } from './gateway-process.ts'
import { openAccounts, serveCallees } from './gateways/callees.ts'
import { expectIdle, expectKeysKept, lostOf } from './gateways/crash-checks.ts'
import { startMortalGateway } from './mortal-gateway.ts'
import { listProcesses } from './processes.ts'

const kinds = ['session', 'server', 'gateway', 'both'] as const
const crashes = Number(process.env.CRASHES ?? kinds.length)
const callers = 32
/** Nothing is held on idle accounts after this time. */
const recoveryMsMax = 60_000

async function startTarget() {
  const { siteUrl, worked, env } = await serveCallees(onTestFinished)
  const gateway = await startMortalGateway(env, onTestFinished, { hasEmbeddedDatabase: true })
  const keys = await openAccounts(gateway)
  return {
    gateway,
    keys,
    expectBooksRight: gateway.expectBooksRight,
    worked,
    place: async () => ({ url: await gateway.url(), siteUrl, keys }),
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

test(`${crashes} crashes leave the books right, nothing held, and every keyed answer as it was`, {
  timeout: limitForTriesMs(crashes, 60_000),
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
