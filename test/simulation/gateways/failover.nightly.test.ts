// The primary of two PostgreSQL servers is killed under the callers of two gateways, and its standby is promoted. Each
// commit has waited for the standby, or the standby lags. FAILOVERS=20 says how often.
import { expect, test } from 'vitest'
import type { AtEnd } from '#test/database.ts'
import { limitForTriesMs } from '#test/depth.ts'
import { startPostgresPair } from '#test/gateways/postgres-pair.ts'
import { until } from '#test/until.ts'
import { load, type Sent } from '../crash-mix.ts'
import { adminToken, send } from '../gateway-process.ts'
import { expectIdle, expectKeysFree, expectKeysKept, lostOf } from './crash-checks.ts'
import { startTwoGateways } from './two-gateways.ts'

const failovers = Number(process.env.FAILOVERS ?? 1)
const callersPerGateway = 16
/** A plain chat is on the disk of the books within this time after its answer. */
const bookedWithinMs = 1_000

test.for([
  {
    standby: 'for which commits wait',
    isSynchronous: true,
    guarantee: 'lose no keyed answer, charge no call twice, and leave nothing held',
  },
  {
    standby: 'that lags',
    isSynchronous: false,
    guarantee:
      'forget only answers within the lag, and leave the books right, nothing held and no key locked',
  },
])(
  `${failovers} failovers to a standby $standby $guarantee`,
  {
    timeout: limitForTriesMs(failovers, 240_000),
  },
  async ({ isSynchronous }) => {
    for (let number = 1; number <= failovers; number += 1) {
      const endings: (() => Promise<void>)[] = []
      try {
        await failOver((work) => void endings.unshift(work), { number, isSynchronous })
      } finally {
        for (const end of endings) await end()
      }
    }
  },
)

/** Resolves once so many more calls have reached models and pages. */
async function workedMore({ worked }: { worked: () => number }, calls: number) {
  const wanted = worked() + calls
  await until(async () => worked() >= wanted)
}

async function failOver(
  atEnd: AtEnd,
  { number, isSynchronous }: { number: number; isSynchronous: boolean },
) {
  const pair = await startPostgresPair(atEnd, { isSynchronous })
  const target = await startTwoGateways({ DATABASE_URL: pair.connectionString }, atEnd)
  const places = await target.places()
  const stop = new AbortController()
  const loading = Promise.all(places.map((place) => load(place, callersPerGateway, stop.signal)))
  // Each failover meets the callers elsewhere in their work.
  await workedMore(target, callersPerGateway * (4 + Math.random() * 8))
  const hasAllUntilMs = isSynchronous ? Number.POSITIVE_INFINITY : await pair.cutReplication()
  if (!isSynchronous) await workedMore(target, 4 * callersPerGateway)
  await pair.killPrimary()
  const killedAt = Date.now()
  await pair.promoteStandby()
  const promotedMs = Date.now() - killedAt
  await until(async () => {
    const answers = await Promise.all(
      places.map(({ url, keys: [key = ''] }) => send(url, { path: '/api/v1/account', key })),
    )
    return answers.every((answer) => answer?.status === 200)
  })
  const answeringMs = Date.now() - killedAt
  await workedMore(target, 4 * callersPerGateway)
  stop.abort()
  const sent = (await loading).flat()
  const settledAt = Date.now()
  await expectIdle(target)
  const idleMs = Date.now() - settledAt
  expect(idleMs).toBeLessThan(60_000)
  const answered = sent.filter(({ answer }) => answer)
  expect(answered.length).toBeGreaterThan(32)
  // What the old primary alone has acknowledged may reach a busy caller later.
  const isForgettable = ({ what, idempotencyKey, atMs, answer }: Sent) => {
    const isBookedLater = what === 'chat' && idempotencyKey === undefined
    const fromMs = isBookedLater ? hasAllUntilMs - bookedWithinMs : hasAllUntilMs
    return answer !== undefined && answer.atMs >= fromMs && atMs <= killedAt
  }
  const [forgettable, kept] = [
    sent.filter(isForgettable),
    sent.filter((one) => !isForgettable(one)),
  ]
  expect(forgettable.length > 0).toBe(!isSynchronous)
  // The gateways live, so their journals write what the old primary alone had, call by call.
  await expect.poll(() => lostOf(target, kept)).toEqual([])
  await expectKeysKept(target, kept)
  await expectKeysFree(target, forgettable)
  await expectIdle(target)
  if (process.env.FAILOVERS !== undefined) {
    const { body } = (await send(places[0]?.url ?? '', {
      path: '/api/v1/admin/ledger/verify',
      key: adminToken,
    })) ?? { body: {} }
    const told = { promotedMs, answeringMs, idleMs, sent: sent.length, answered: answered.length }
    process.stdout.write(`${number} ${JSON.stringify({ ...told, ok: body.ok })}\n`)
  }
}
