// The primary of two PostgreSQL servers is killed under the callers of two gateways, and its standby, for which each
// commit has waited, is promoted. FAILOVERS=20 npx vitest run test/simulation/gateways/failover.nightly.test.ts
import { expect, test } from 'vitest'
import type { AtEnd } from '#test/database.ts'
import { limitForTriesMs } from '#test/depth.ts'
import { startPostgresPair } from '#test/gateways/postgres-pair.ts'
import { until } from '#test/until.ts'
import { load } from '../crash-mix.ts'
import { adminToken, send } from '../gateway-process.ts'
import { expectIdle, expectKeysKept, lostOf } from './crash-checks.ts'
import { startTwoGateways } from './two-gateways.ts'

const failovers = Number(process.env.FAILOVERS ?? 1)
const callersPerGateway = 16

test(`${failovers} failovers lose no keyed answer, charge no call twice, and leave nothing held`, {
  timeout: limitForTriesMs(failovers, 240_000),
}, async () => {
  for (let number = 1; number <= failovers; number += 1) {
    const endings: (() => Promise<void>)[] = []
    try {
      await failOver((work) => void endings.unshift(work), number)
    } finally {
      for (const end of endings) await end()
    }
  }
})

/** Resolves once so many more calls have reached models and pages. */
async function workedMore({ worked }: { worked: () => number }, calls: number) {
  const wanted = worked() + calls
  await until(async () => worked() >= wanted)
}

async function failOver(atEnd: AtEnd, number: number) {
  const pair = await startPostgresPair(atEnd)
  const target = await startTwoGateways({ DATABASE_URL: pair.connectionString }, atEnd)
  const places = await target.places()
  const stop = new AbortController()
  const loading = Promise.all(places.map((place) => load(place, callersPerGateway, stop.signal)))
  // Each failover meets the callers elsewhere in their work.
  await workedMore(target, callersPerGateway * (4 + Math.random() * 8))
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
  // The gateways live, so their journals write what the old primary alone had.
  expect(await lostOf(target, sent)).toEqual([])
  await expectKeysKept(target, sent)
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
