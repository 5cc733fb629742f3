// A real PostgreSQL on a real full volume: acknowledged calls are in the books, and others are told to wait.
import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { startEmbeddedPostgres } from '#platform/postgres/embedded.ts'
import { type Reply, startGateway, type TestAccount, verify } from '#test/harness.ts'
import { silentLog } from '#test/silent-log.ts'
import { mountSmallVolume, type SmallVolume } from '#test/small-volume.ts'
import { until } from '#test/until.ts'

const volumeMegabytes = 300
const callers = 16
const answerBytes = 6_000
const repeatPauseMs = 50

interface Sent {
  readonly replies: Reply[]
  calls: number
}

/** Sends calls one after the other, each of them until it is answered. */
async function callUntil(stopped: AbortSignal, account: TestAccount, sent: Sent) {
  while (!stopped.aborted) {
    const body = { text: randomBytes(answerBytes).toString('base64') }
    const headers = { 'idempotency-key': randomUUID() }
    sent.calls += 1
    for (;;) {
      const reply = await account.call('test/echo', body, headers)
      sent.replies.push(reply)
      if (reply.status === 200) break
      await delay(repeatPauseMs)
    }
  }
}

const count = (sent: Sent, status: number) =>
  sent.replies.filter((reply) => reply.status === status).length

/** PostgreSQL exits when its log does not fit on the disk. Calls under way may have made it exit before. */
async function exhaustLog(connectionString: string) {
  const client = new pg.Client(connectionString)
  client.on('error', () => {})
  try {
    await client.connect()
    for (;;) await client.query('select pg_switch_wal()')
  } catch {
    await client.end().catch(() => {})
  }
}

const asSuperuser = (connectionString: string) =>
  connectionString.replace('//tollway@/tollway?', '//postgres@/postgres?')

async function startOn(volume: SmallVolume) {
  const crashes: Error[] = []
  const server = await startEmbeddedPostgres({
    dataDir: volume.directory,
    log: silentLog,
    onCrash: (error) => crashes.push(error),
  })
  onTestFinished(server.stop)
  const gateway = await startGateway({ databaseUrl: server.connectionString })
  return { gateway, crashes, exhaustLog: () => exhaustLog(asSuperuser(server.connectionString)) }
}

test.for([
  ['for data', false] as const,
  ['for data and for the log of the database', true] as const,
])(
  'a disk without room %s makes calls wait or turns them away, and loses none that was answered',
  async ([, endsServer], { skip }) => {
    const volume = await mountSmallVolume(volumeMegabytes)
    if (volume === undefined) return skip('only root can mount a volume to fill')
    const { gateway, crashes, exhaustLog } = await startOn(volume)
    const account = await gateway.account(1_000_000)
    const sent: Sent = { replies: [], calls: 0 }
    const stop = new AbortController()
    const load = Promise.all(
      Array.from({ length: callers }, () => callUntil(stop.signal, account, sent)),
    )
    await until(async () => count(sent, 200) >= callers)
    await volume.fill()
    if (endsServer) await exhaustLog()
    await until(async () => count(sent, 503) >= 2 * callers)
    const answeredBefore = count(sent, 200)
    await volume.free()
    await until(async () => count(sent, 200) >= answeredBefore + callers)
    stop.abort()
    await load

    expect(crashes).toEqual([])
    const refused = sent.replies.filter((reply) => reply.status !== 200)
    expect(new Set(refused.map((reply) => reply.status))).toEqual(new Set([503]))
    expect(refused.filter((reply) => reply.headers.get('retry-after') === null)).toEqual([])
    const state = await account.state()
    expect(state).toMatchObject({ availableCents: 1_000_000 - 2 * sent.calls, heldCents: 0 })
    expect(await verify(gateway)).toMatchObject({ ok: true, problems: [] })
  },
)
