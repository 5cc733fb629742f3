// Minutes of browsers are there for as long as the call that sold them may be charged.
import { describe, expect, test } from 'vitest'
import type { Caller } from '#core/caller.ts'
import type { Effect, Transaction } from '#core/effects/effect.ts'
import { uuidv7 } from '#core/id.ts'
import { systemClock } from '#platform/clock.ts'
import { openAccount, openLedger } from '#test/ledger.ts'
import { createBrowserSessionRows } from './session-rows.ts'

const minuteMs = 60_000

async function open({ perAccountMax = 9 } = {}) {
  const { database, ledger } = await openLedger()
  const account = await openAccount(database, ledger, 1_000)
  const times = { now: systemClock.now() }
  const clock = { ...systemClock, now: () => times.now }
  const rows = createBrowserSessionRows({ database, clock, gatewayNumber: 1, perAccountMax })
  const { accountId } = account
  const begin = async ({ isPlan = false } = {}) => {
    const callId = uuidv7(systemClock.now())
    await account.hold(100, { callId })
    await database.query('update call set job = $2 where id = $1', [callId, isPlan])
    return {
      effect: async (transaction: Transaction, { kind, subject, details }: Effect) =>
        void (await transaction.query(`select call_makes($1, '', $2, $3, $4, $5)`, [
          ...[callId, kind, subject, details ?? null, isPlan],
        ])),
      settled: () => account.settle(callId, 100),
      voided: () => ledger.settle({ callId, accountId, state: 'voided', charged: 0 }),
    }
  }
  const order = { caller: { kind: 'wallet', accountId }, minutes: 10, charged: 100 } as const
  const here = { ...order, place: 'here' } as const
  const there = { ...order, place: 'vendor' } as const
  const names = async () => {
    const found = await database.query<{ name: string }>('select name from browser_session')
    return found.map(({ name }) => name)
  }
  /** Which browsers the vendor is to end, by its ids. */
  const due = async () => {
    const found = await database.query<{ id: string }>('select id from vendor_ending order by id')
    return found.map(({ id }) => id)
  }
  /** Browsers of the vendor, of calls that were charged. */
  const add = async (ids: readonly string[], caller: Caller = there.caller) => {
    for (const id of ids) {
      const creation = await begin()
      await rows.start(await rows.begin({ ...there, caller }, creation.effect), id)
      await creation.settled()
    }
  }
  return { database, ledger, rows, begin, here, there, account, names, add, due, times }
}

test('a session goes with the call that was not charged, and its minutes with theirs', async () => {
  const { ledger, rows, begin, here } = await open()
  const [creation, extension, another] = [await begin(), await begin(), await begin()]
  const id = await rows.begin(here, creation.effect)
  const expiresAtMs = (await rows.find(id))?.expiresAtMs ?? 0
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
  const { rows, begin, here } = await open()
  const creation = await begin()
  const id = await rows.begin(here, creation.effect)
  await creation.voided()
  expect(await rows.find(id)).toBeUndefined()
})

describe('a browser that the vendor is asked for', () => {
  const page = { limit: 10, live: true }

  test('has its place from before, and its minutes and its reader from when it is there', async () => {
    const { rows, begin, there, account, names } = await open({ perAccountMax: 1 })
    const owner = { accountId: account.accountId }
    const [creation, another] = [await begin(), await begin()]
    const name = await rows.begin(there, creation.effect)
    expect(await names()).toEqual([name])
    expect(await rows.listOwned(owner, page)).toEqual([])
    expect(await rows.listActive(10)).toEqual([])
    await rows.endDue()
    await expect(rows.begin(there, another.effect)).rejects.toMatchObject({
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
      const { database, ledger, rows, begin, there, names } = await open()
      const creation = await begin()
      const name = await rows.begin(there, creation.effect)
      if (when === 'after') await rows.start(name, 'bs_1')
      await creation.voided()
      expect(await rows.start(name, 'bs_1')).toBeUndefined()
      expect(await names()).toEqual([])
      const due = await database.query('select name, id, service from vendor_ending')
      const id = when === 'after' ? 'bs_1' : null
      expect(due).toEqual([{ name, id, service: 'ns_browser' }])
      expect(await ledger.verify()).toMatchObject({ ok: true, problems: [] })
    },
  )

  test('is ended there when its minutes are over, or its key is revoked', async () => {
    const { database, rows, add, account, due, times } = await open()
    await add(['over', 'longer'])
    await add(['of the key'], { kind: 'account', ...account, isLimited: false })
    await rows.extend('longer', { minutes: 1, charged: 0 }, async () => {})
    await rows.endDue()
    expect(await due()).toEqual([])
    await database.query('update api_key set revoked_at = now() where id = $1', [account.keyId])
    await rows.endDue()
    expect(await due()).toEqual(['of the key'])
    times.now += 10 * minuteMs
    await rows.endDue()
    expect(await due()).toEqual(['of the key', 'over'])
    expect(await Promise.all(['of the key', 'over', 'longer'].map(rows.find))).toMatchObject([
      { status: 'released', closeReason: 'key_ended' },
      { status: 'expired', closeReason: 'lifetime' },
      { status: 'active', closeReason: null },
    ])
  })

  test('is ended there with the plan that has opened it, and one of this machine here', async () => {
    const { rows, begin, here, there, due } = await open()
    const creation = await begin({ isPlan: true })
    const ids = [await rows.begin(here, creation.effect), 'bs_1']
    await rows.start(await rows.begin(there, creation.effect), 'bs_1')
    await creation.settled()
    expect(await due()).toEqual(['bs_1'])
    for (const id of ids)
      expect(await rows.find(id)).toMatchObject({ status: 'released', closeReason: 'plan' })
  })

  test('is ended once, for its first reason', async () => {
    const { database, rows, add, due, times } = await open()
    await add(['one', 'released'])
    await rows.end('released', 'closed')
    await rows.endAtVendor('released', 'operator')
    await rows.endAtVendor('one', 'operator')
    expect(await due()).toEqual(['one'])
    await database.query('delete from vendor_ending')
    times.now += 10 * minuteMs
    await rows.endAtVendor('one', 'closed')
    await rows.endDue()
    expect(await due()).toEqual([])
    expect(await Promise.all(['one', 'released'].map(rows.find))).toMatchObject([
      { status: 'released', closeReason: 'operator' },
      { status: 'released', closeReason: 'closed' },
    ])
  })
})
