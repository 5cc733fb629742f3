// Minutes of browsers are there for as long as the call that sold them may be charged.
import { expect, test } from 'vitest'
import type { Effect, Transaction } from '#core/effects/effect.ts'
import { uuidv7 } from '#core/id.ts'
import { systemClock as clock } from '#platform/clock.ts'
import { openAccount, openLedger } from '#test/ledger.ts'
import { createBrowserSessionRows } from './session-rows.ts'

const minuteMs = 60_000

async function open() {
  const { database, ledger } = await openLedger()
  const account = await openAccount(database, ledger, 1_000)
  const rows = createBrowserSessionRows({ database, clock, gatewayNumber: 1, perAccountMax: 9 })
  const { accountId } = account
  const begin = async () => {
    const callId = uuidv7(clock.now())
    await account.hold(100, { callId })
    return {
      effect: async (transaction: Transaction, { kind, subject, details }: Effect) =>
        void (await transaction.query(`select call_makes($1, '', $2, $3, $4)`, [
          ...[callId, kind, subject, details ?? null],
        ])),
      settled: () => account.settle(callId, 100),
      voided: () => ledger.settle({ callId, accountId, state: 'voided', charged: 0 }),
    }
  }
  const order = { caller: { kind: 'wallet', accountId }, minutes: 10, charged: 100 } as const
  return { ledger, rows, begin, order: { id: 'session', place: 'here', ...order } as const }
}

test('a session goes with the call that was not charged, and its minutes with theirs', async () => {
  const { ledger, rows, begin, order } = await open()
  const [creation, extension, another] = [await begin(), await begin(), await begin()]
  const { expiresAtMs } = await rows.begin(order, creation.effect)
  await creation.settled()
  const more = { minutes: 30, charged: 100 }
  await rows.extend(order.id, more, extension.effect)
  await extension.settled()
  await rows.extend(order.id, { minutes: 300, charged: 100 }, another.effect)
  await another.voided()
  expect(await rows.find(order.id)).toMatchObject({
    paidMinutes: 40,
    charged: 200,
    expiresAtMs: expiresAtMs + 30 * minuteMs,
  })
  expect(await ledger.verify()).toMatchObject({ ok: true, problems: [] })
})

test('a browser of a call that is voided has no row', async () => {
  const { rows, begin, order } = await open()
  const creation = await begin()
  await rows.begin(order, creation.effect)
  await creation.voided()
  expect(await rows.find(order.id)).toBeUndefined()
})
