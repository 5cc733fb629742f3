// kill -9 at every point of a paid call: a payment that is presented again to the next gateway is paid once and gets
// one answer. No second payment is asked for.
import { Client } from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#platform/database/database.ts'
import type { Reply } from '#test/harness.ts'
import { silentLog } from '#test/silent-log.ts'
import { until as untilHolds } from '#test/until.ts'
import { expectBooksLikeChains } from './books.ts'
import { type KillableGateway, shareKillableGateways } from './killable-gateway.ts'
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

/** What is bought over each rail. The gateway takes `price` in the end. */
interface Purchase {
  readonly rail: ChainRail
  readonly action: string
  readonly body?: object
  readonly price: bigint
}

const atFixedPrices: readonly Purchase[] = rails.map((rail) => ({
  rail,
  action: 'test/slow',
  price: 20_000n,
}))
/** The wallet permits the highest price by x402 upto. */
const atActualCost: readonly Purchase[] = [
  { rail: 'x402', action: 'test/capped', body: { costs: 3, waits: true }, price: 30_000n },
]

/** Longer than a slow machine needs to bring both calls to a point. */
const forLongMs = 120_000
const pollIntervalMs = 10
const microsPerCent = 10_000
const presentationIntervalMs = 250
/** A Tempo transaction lives for 30 seconds by its protocol. An x402 payment lives as long as this drill may take. */
const validForMs: Readonly<Record<ChainRail, number>> = { x402: 900_000, mpp: 30_000 }

interface Scene {
  readonly rails: readonly ChainRail[]
  readonly till: Till
  readonly gateway: KillableGateway
  /** A database session whose lock delays the gateway. */
  readonly session: Client
  /** Resolves once the calls of all rails wait for this session's lock. */
  heldUp(): Promise<void>
  /** Resolves when all nodes have received this request. */
  asked(methods: Methods): Promise<void>
  /** Resolves when all chains have the money. */
  mined(): Promise<void>
}

type Methods = Readonly<Record<ChainRail, string>>

interface Point {
  readonly name: string
  /** The gateway is about to move money, or has. */
  readonly movesMoney?: true
  /** Before the payments are presented. */
  readonly prepare?: (scene: Scene) => Promise<unknown>
  /** From the time when all actions run until the kill. The actions end when the first part of this is done. */
  readonly reached: (scene: Scene) => Promise<unknown>
}

const broadcasts: Methods = { x402: 'eth_sendRawTransaction', mpp: 'eth_sendRawTransaction' }
const firstOfSigning: Methods = { x402: 'eth_estimateGas', mpp: 'eth_getBlockByNumber' }

/** Stops the calls before the next statement that touches this table. */
const lock = (table: string) => async (scene: Scene) => {
  await scene.session.query('begin')
  await scene.session.query(`lock table ${table} in access exclusive mode`)
}
const running = ({ gateway, rails }: Scene) => until(async () => gateway.waiting() === rails.length)
const dawdle = ({ rails, till }: Scene, methods: Methods) => {
  for (const rail of rails) till.node[rail].delay(methods[rail], forLongMs, 100)
}
/** What becomes of the payments is not told. The gateway may still ask for those of earlier points. */
const hideOutcome = ({ rails, till }: Scene) => {
  for (const rail of rails) till.node[rail].delayReceipts(forLongMs)
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
    movesMoney: true,
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
      for (const rail of scene.rails) scene.till.node[rail].swallow(broadcasts[rail], 100)
      const asked = scene.asked(broadcasts)
      scene.gateway.release()
      await asked
    },
  },
  {
    name: 'after it is sent, before the reply',
    movesMoney: true,
    async reached(scene) {
      await running(scene)
      for (const rail of scene.rails) scene.till.node[rail].dropReply(broadcasts[rail], 100)
      // The chain is asked for the outcome at once.
      hideOutcome(scene)
      const asked = scene.asked(broadcasts)
      scene.gateway.release()
      await asked
    },
  },
  {
    name: 'after it is mined, before it is booked',
    movesMoney: true,
    async reached(scene) {
      await running(scene)
      hideOutcome(scene)
      scene.gateway.release()
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
  let till: Till
  const gateways = shareKillableGateways(async () => {
    await chains().x402.plantPermits()
    await chains().x402.approvePermits(chains().wallets.payer.address)
    till = await openTill(chains())
    return {
      ...till.env,
      STATUS_URL_KEY: 'a key of the tests, which is long enough',
      X402_MAX_TIMEOUT_SECONDS: String(validForMs.x402 / 1_000),
    }
  })

  test.each(points)('$name', (point) => killAt(point, atFixedPrices))

  describe('a price that is known after the call', () => {
    test.each(points.filter(({ movesMoney }) => movesMoney))('$name', (point) =>
      killAt(point, atActualCost),
    )
  })

  /** A payment names whole seconds, and a chain that mines several blocks in one second is ahead of the clock. */
  async function isPast(rail: ChainRail, atMs: number): Promise<boolean> {
    const block = await chainOf(chains(), rail).rpc('eth_getBlockByNumber', ['latest', false])
    const chainMs = Number(block.timestamp) * 1_000
    return Math.max(Date.now(), chainMs) >= Math.floor(atMs / 1_000) * 1_000
  }

  async function killAt(point: Point, purchases: readonly Purchase[]) {
    const first = await gateways.living()
    await first.hold()
    const databaseUrl = gateways.databaseUrl()
    const session = new Client(databaseUrl)
    await session.connect()
    onTestFinished(() => session.end())
    const database = openDatabase({ connectionString: databaseUrl, log: silentLog })
    onTestFinished(() => database.close())
    const rails = purchases.map(({ rail }) => rail)
    const balances = () =>
      Promise.all(purchases.map(({ rail }) => chainOf(chains(), rail).balanceOf(till.payTo)))
    const before = await balances()
    const paid = async () => (await balances()).map((sum, at) => sum - (before[at] ?? 0n))
    const settled = async () =>
      (await database.query(`select 1 from call where state = 'settled'`)).length
    const settledBefore = await settled()
    const scene: Scene = {
      rails,
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
      async asked(methods) {
        const before = rails.map((rail) => till.node[rail].seen.length)
        await until(async () =>
          rails.every((rail, place) =>
            till.node[rail].seen.slice(before[place]).includes(methods[rail]),
          ),
        )
      },
      mined: () =>
        until(async () => (await paid()).every((sum, at) => sum === purchases[at]?.price)),
    }

    const signedAtMs = Date.now()
    const signed = await Promise.all(
      purchases.map(({ rail, action, body }) =>
        sign({ url: first.url, chains: chains() }, rail, action, body),
      ),
    )
    await point.prepare?.(scene)
    const lost = purchases.map(({ action, body = {} }, at) =>
      present({ url: first.url }, action, body, signed[at] as Headers).catch(() => undefined),
    )
    await point.reached(scene)
    await gateways.kill()
    expect(await Promise.all(lost)).toEqual(rails.map(() => undefined))
    await session.query('rollback')
    for (const rail of rails) till.node[rail].up()

    const second = await gateways.living()
    second.release()
    const answers = await Promise.all(
      purchases.map((purchase, at) =>
        expectOneAnswer(second, purchase, {
          payment: signed[at] as Headers,
          isExpired: () => isPast(purchase.rail, signedAtMs + validForMs[purchase.rail]),
        }),
      ),
    )
    expect(await paid()).toEqual(purchases.map(({ price }, at) => (answers[at] ? price : 0n)))
    expect((await settled()) - settledBefore).toBe(answers.filter(Boolean).length)
    await expectBooksLikeChains(database, chains(), till)
  }
})

/**
 * A payment that is presented again is pending or gets its answer, and then the same answer for ever. Resolves to
 * whether it was answered: on a slow machine the payment may have expired before the next gateway was up.
 */
async function expectOneAnswer(
  { url }: { url: string },
  { action, body = {}, price }: Purchase,
  { payment, isExpired }: { payment: Headers; isExpired: () => Promise<boolean> },
): Promise<boolean> {
  const replies: Reply[] = []
  const isOver = async () => {
    const reply = await present({ url }, action, body, payment)
    replies.push(reply)
    return reply.status === 200 || reply.status === 402
  }
  await untilHolds(isOver, { everyMs: presentationIntervalMs })
  const last = replies.at(-1)
  const told = replies.map(({ status, body }) => `${status} ${body.error ?? ''}`.trim())
  if (expiredAnswers.includes(told.at(-1) ?? '') && (await isExpired())) return false
  expect(told.filter((one) => !/^(200|503 payment_pending|503 unavailable)$/.test(one))).toEqual([])
  expect(last?.body).toMatchObject({ ok: true, charged_cents: Number(price) / microsPerCent })
  const again = await present({ url }, action, body, payment)
  expect([again.status, again.body]).toEqual([200, last?.body])
  return true
}

/** What is told of an expired payment: one that was released is not accepted again, and one that was owed is dead. */
const expiredAnswers = ['402 payment_invalid', '402 settlement_failed']

const until = (condition: () => Promise<boolean>) =>
  untilHolds(condition, { everyMs: pollIntervalMs })
