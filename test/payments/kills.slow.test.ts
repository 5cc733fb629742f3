// kill -9 at every point of a paid call: a payment that is presented again to the next gateway is paid once and gets
// one answer. No second payment is asked for.
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#platform/database/database.ts'
import { makeDataDirectory, removeDataDirectory } from '#test/data-directory.ts'
import { createTestDatabase } from '#test/database.ts'
import type { Reply } from '#test/harness.ts'
import { silentLog } from '#test/silent-log.ts'
import { until as untilHolds } from '#test/until.ts'
import { expectBooksLikeChains } from './books.ts'
import { type KillableGateway, startKillableGateway } from './killable-gateway.ts'
import {
  type ChainRail,
  chainOf,
  openTill,
  payments,
  rails,
  shareChains,
  type Till,
} from './paid-gateway.ts'
import { type Headers, present, sign } from './payers.ts'

const price = 20_000n
/** Longer than a slow machine needs to bring both calls to a point. */
const forLongMs = 120_000
const pollIntervalMs = 10
const presentationsMax = 40
/** A Tempo transaction lives for 30 seconds by its protocol. An x402 payment lives as long as this drill may take. */
const validForMs: Readonly<Record<ChainRail, number>> = { x402: 900_000, mpp: 30_000 }

interface Scene {
  readonly till: Till
  readonly gateway: KillableGateway
  /** A database session whose lock delays the gateway. */
  readonly session: Client
  /** Resolves once the calls of both rails wait for this session's lock. */
  heldUp(): Promise<void>
  /** Resolves when both nodes have received this request that many times. */
  asked(methods: Methods, times?: number): Promise<void>
  /** Resolves when both chains have the money. */
  mined(): Promise<void>
}

type Methods = Readonly<Record<ChainRail, string>>

interface Point {
  readonly name: string
  /** Before the payments are presented. */
  readonly prepare?: (scene: Scene) => Promise<unknown>
  /** From the time when both actions run until the kill. The actions end when the first part of this is done. */
  readonly reached: (scene: Scene) => Promise<unknown>
}

const receipts: Methods = { x402: 'eth_getTransactionReceipt', mpp: 'eth_getTransactionReceipt' }
const broadcasts: Methods = { x402: 'eth_sendRawTransaction', mpp: 'eth_sendRawTransaction' }
const firstOfSigning: Methods = { x402: 'eth_estimateGas', mpp: 'eth_getBlockByNumber' }

/** Stops the calls before the next statement that touches this table. */
const lock = (table: string) => async (scene: Scene) => {
  await scene.session.query('begin')
  await scene.session.query(`lock table ${table} in access exclusive mode`)
}
const running = ({ gateway }: Scene) => until(async () => gateway.waiting() === rails.length)
const dawdle = ({ till }: Scene, methods: Methods, afterTimes = 0) => {
  for (const rail of rails) {
    if (afterTimes > 0) till.node[rail].delay(methods[rail], 0, afterTimes)
    till.node[rail].delay(methods[rail], forLongMs, 100)
  }
}

const points: readonly Point[] = [
  {
    // Whether a wallet has to pay first is looked up once its payment is claimed.
    name: 'before the run',
    prepare: lock('wallet_strike'),
    reached: (scene) => scene.heldUp(),
  },
  { name: 'during the run', reached: running },
  {
    name: 'after the run, before anything is stored',
    async reached(scene) {
      await running(scene)
      await scene.session.query('begin')
      await scene.session.query('select 1 from balance for update')
      scene.gateway.release()
      await scene.heldUp()
    },
  },
  {
    name: 'after the answer is stored, before anything is signed',
    async reached(scene) {
      await running(scene)
      dawdle(scene, firstOfSigning)
      const asked = scene.asked(firstOfSigning)
      scene.gateway.release()
      await asked
    },
  },
  {
    name: 'after it is signed, before it is sent',
    async reached(scene) {
      await running(scene)
      dawdle(scene, receipts)
      const asked = scene.asked(receipts)
      scene.gateway.release()
      await asked
    },
  },
  {
    name: 'after it is sent, before the reply',
    async reached(scene) {
      await running(scene)
      for (const rail of rails) scene.till.node[rail].dropReply(broadcasts[rail], 100)
      // The chain is asked for the outcome at once. The first request came before the transaction was sent.
      dawdle(scene, receipts, 1)
      const asked = scene.asked(broadcasts)
      scene.gateway.release()
      await asked
    },
  },
  {
    name: 'after it is mined, before it is booked',
    async reached(scene) {
      await running(scene)
      // The first request comes before the transaction is sent, the second after.
      dawdle(scene, receipts, 1)
      const asked = scene.asked(receipts, 2)
      scene.gateway.release()
      await asked
      await scene.mined()
    },
  },
  {
    // The answer lists refunds, so they are read last.
    name: 'after it is booked, before the answer',
    prepare: lock('refund'),
    async reached(scene) {
      await running(scene)
      scene.gateway.release()
      await scene.heldUp()
    },
  },
]

describe.skipIf(!payments.ok)(`kill -9 ${payments.reason}`, () => {
  const chains = shareChains()

  test.each(points)('$name', async (point) => {
    const databaseUrl = await createTestDatabase()
    const till = await openTill(chains())
    const dataDir = await makeDataDirectory()
    onTestFinished(() => removeDataDirectory(dataDir))
    const env = {
      ...till.env,
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      STATUS_URL_KEY: 'a key of the tests, which is long enough',
      X402_MAX_TIMEOUT_SECONDS: String(validForMs.x402 / 1_000),
    }
    const first = await startKillableGateway(env)
    onTestFinished(() => first.kill())
    const session = new Client(databaseUrl)
    await session.connect()
    onTestFinished(() => session.end())
    const database = openDatabase({ connectionString: databaseUrl, log: silentLog })
    onTestFinished(() => database.close())
    const paid = (rail: ChainRail) => chainOf(chains(), rail).balanceOf(till.payTo)
    const scene: Scene = {
      till,
      gateway: first,
      session,
      heldUp: () =>
        until(async () => {
          const waiting = await database.query(
            `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()
               and query ~ 'wallet_strike|payment_owed|from refund where call_id'`,
          )
          return waiting.length >= rails.length
        }),
      async asked(methods, times = 1) {
        const before = rails.map((rail) => till.node[rail].seen.length)
        await until(async () =>
          rails.every((rail, place) => {
            const seen = till.node[rail].seen.slice(before[place])
            return seen.filter((method) => method === methods[rail]).length >= times
          }),
        )
      },
      mined: () =>
        until(async () => (await Promise.all(rails.map(paid))).every((sum) => sum === price)),
    }

    const signedAtMs = Date.now()
    const signed = await Promise.all(
      rails.map((rail) => sign({ url: first.url, chains: chains() }, rail, 'test/slow')),
    )
    await point.prepare?.(scene)
    const lost = signed.map((payment) =>
      present({ url: first.url }, 'test/slow', {}, payment).catch(() => undefined),
    )
    await point.reached(scene)
    await first.kill()
    expect(await Promise.all(lost)).toEqual([undefined, undefined])
    await session.query('rollback')
    for (const rail of rails) till.node[rail].up()

    const second = await startKillableGateway(env)
    onTestFinished(() => second.kill())
    second.release()
    const answers = await Promise.all(
      rails.map((rail, place) =>
        expectOneAnswer(second, signed[place] as Headers, signedAtMs + validForMs[rail]),
      ),
    )
    expect(await Promise.all(rails.map(paid))).toEqual(answers.map((one) => (one ? price : 0n)))
    const answered = await database.query(`select 1 from call where state = 'settled'`)
    expect(answered.length).toBe(answers.filter(Boolean).length)
    await expectBooksLikeChains(database, chains(), till)
  })
})

/**
 * A payment that is presented again is pending or gets its answer, and then the same answer for ever. Resolves to
 * whether it was answered: on a slow machine the payment may have expired before the next gateway was up.
 */
async function expectOneAnswer(
  { url }: { url: string },
  payment: Headers,
  expiresAtMs: number,
): Promise<boolean> {
  const replies: Reply[] = []
  const isOver = () => [200, 402].includes(replies.at(-1)?.status ?? 0)
  for (let turn = 0; turn < presentationsMax && !isOver(); turn += 1) {
    if (turn > 0) await delay(250)
    replies.push(await present({ url }, 'test/slow', {}, payment))
  }
  const last = replies.at(-1)
  const told = replies.map(({ status, body }) => `${status} ${body.error ?? ''}`.trim())
  if (expiredAnswers.includes(told.at(-1) ?? '') && Date.now() >= expiresAtMs) return false
  expect(told.filter((one) => !/^(200|503 payment_pending|503 unavailable)$/.test(one))).toEqual([])
  expect(last?.body).toMatchObject({ data: { echo: 'hello' }, charged_cents: 2 })
  const again = await present({ url }, 'test/slow', {}, payment)
  expect([again.status, again.body]).toEqual([200, last?.body])
  return true
}

/** What is told of an expired payment: one that was released is not accepted again, and one that was owed is dead. */
const expiredAnswers = ['402 payment_invalid', '402 settlement_failed']

const until = (condition: () => Promise<boolean>) =>
  untilHolds(condition, { everyMs: pollIntervalMs })
