// Minutes of browsers are there for as long as the call that sold them may be charged.
import { describe, expect, test } from 'vitest'
import type { Effect, Transaction } from '#core/effects/effect.ts'
import { uuidv7 } from '#core/id.ts'
import { systemClock as clock } from '#platform/clock.ts'
import { openAccount, openLedger } from '#test/ledger.ts'
import { createBrowserSessionRows } from './session-rows.ts'

const minuteMs = 60_000

async function open({ perAccountMax = 9 } = {}) {
  const { database, ledger } = await openLedger()
  const account = await openAccount(database, ledger, 1_000)
  const rows = createBrowserSessionRows({ database, clock, gatewayNumber: 1, perAccountMax })
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
  const names = async () => {
    const found = await database.query<{ name: string }>('select name from browser_session')
    return found.map(({ name }) => name)
  }
  const owner = { accountId }
  return { database, ledger, rows, begin, order, owner, names }
}

test('a session goes with the call that was not charged, and its minutes with theirs', async () => {
  const { ledger, rows, begin, order } = await open()
  const [creation, extension, another] = [await begin(), await begin(), await begin()]
  const { id, expiresAtMs } = await rows.begin(order, creation.effect)
  await creation.settled()
  const more = { minutes: 30, charged: 100 }
  await rows.extend(id, more, extension.effect)
  await extension.settled()
  await rows.extend(id, { minutes: 300, charged: 100 }, another.effect)
  await another.voided()
  expect(await rows.find(id)).toMatchObject({
    paidMinutes: 40,
    charged: 200,
    expiresAtMs: expiresAtMs + 30 * minuteMs,
  })
  expect(await ledger.verify()).toMatchObject({ ok: true, problems: [] })
})

test('a browser of a call that is voided has no row', async () => {
  const { rows, begin, order } = await open()
  const creation = await begin()
  const { id } = await rows.begin(order, creation.effect)
  await creation.voided()
  expect(await rows.find(id)).toBeUndefined()
})

describe('a browser that the vendor is asked for', () => {
  const page = { limit: 10, live: true }

  test('has its place from before, and its minutes and its reader from when it is there', async () => {
    const { rows, begin, order, owner, names } = await open({ perAccountMax: 1 })
    const [creation, another] = [await begin(), await begin()]
    const name = await rows.announce(order, creation.effect)
    expect(await names()).toEqual([name])
    expect(await rows.listOwned(owner, page)).toEqual([])
    expect(await rows.listActive(10)).toEqual([])
    expect(await rows.vendorDue()).toEqual([])
    await expect(rows.announce(order, another.effect)).rejects.toMatchObject({
      code: 'too_many_inflight',
    })
    await rows.start(name, 'bs_1')
    await creation.settled()
    expect(await rows.listOwned(owner, page)).toMatchObject([
      { name, id: 'bs_1', gatewayId: null, paidMinutes: 10, status: 'active' },
    ])
    expect(await rows.findOwned(owner, 'bs_1')).toMatchObject({ remainingMs: expect.any(Number) })
  })

  test.for(['before', 'after'])(
    'has no row when its call is voided %s the vendor has answered, and is ended there',
    async (when) => {
      const { database, ledger, rows, begin, order, names } = await open()
      const creation = await begin()
      const name = await rows.announce(order, creation.effect)
      if (when === 'after') await rows.start(name, 'bs_1')
      await creation.voided()
      expect(await rows.start(name, 'bs_1')).toBeUndefined()
      expect(await names()).toEqual([])
      const due = await database.query('select name, service from vendor_ending')
      expect(due).toEqual([{ name, service: 'ns_browser' }])
      expect(await ledger.verify()).toMatchObject({ ok: true, problems: [] })
    },
  )
})
