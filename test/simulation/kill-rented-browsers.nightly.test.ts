// kill -9 of a gateway at named points of a browser's life at the vendor: what runs there afterwards is what was
// charged and is still open, and nothing was charged twice.
import { expect, test } from 'vitest'
import { startBrowserVendor, vendorKey } from '#test/browsers/browser-vendor.ts'
import { compareEffects } from '#test/effects/effect-calls.ts'
import { until } from '#test/until.ts'
import { holdUp, waiting } from './held-statements.ts'
import { type MortalAccount, openOuterDatabase, startMortalGateway } from './mortal-gateway.ts'

const minutes = 30
/** 0.2¢ for each. */
const priceMicros = minutes * 2_000

/** A statement that waits is carried out once its gateway is dead. A transaction with a statement to come is not. */
const deferred = 'deferrable initially deferred'
const creating = {
  'before its row': 'trigger held before insert on browser_session',
  'with its row': `constraint trigger held after insert on browser_session ${deferred}`,
  'before its id': 'trigger held before update of id on browser_session',
  'with its id': `constraint trigger held after update of id on browser_session ${deferred}`,
  'before the settlement': 'trigger held before update of state on call',
  'with the settlement': `constraint trigger held after update of state on call ${deferred}`,
}
const ending = {
  'before its end': 'trigger held before update of ended_at on browser_session',
  'with its end': `constraint trigger held after insert on vendor_ending ${deferred}`,
  'before the vendor’s answer is noted': 'trigger held before delete on vendor_ending',
}

async function open() {
  const vendor = await startBrowserVendor()
  const { database, env } = await openOuterDatabase()
  const gateway = await startMortalGateway({
    ...env,
    NS_BROWSER_API_KEY: vendorKey,
    NS_BROWSER_BASE_URL: vendor.url,
  })

  /** Kills the gateway when the work waits at the point, and starts it again. */
  async function cutOff(trigger: string, work: () => Promise<unknown>) {
    const letGo = await holdUp(database, trigger)
    const worked = work().catch(() => {})
    await waiting(database)
    await gateway.kill()
    await letGo()
    await database.query('drop function hold_up cascade')
    await worked
    await gateway.start()
  }

  /** The ids of browsers that callers have open. */
  async function openHere() {
    const rows = await database.query<{ id: string }>(
      'select id from browser_session where ended_at is null order by id',
    )
    return rows.map(({ id }) => id)
  }

  /** What the account was charged, once nothing is under way. */
  async function chargedOf({ accountId }: MortalAccount, point: string) {
    await until(async () => {
      const rows = await database.query(
        `select id from call where state = 'held'
         union all select null from vendor_ending where id is not null`,
      )
      return rows.length === 0
    })
    await until(async () => (await openHere()).join() === vendor.running().sort().join())
    const { exists, charged } = await compareEffects(database, accountId)
    expect(exists, point).toEqual(charged)
    await gateway.expectBooksRight()
    expect(await openHere(), point).toEqual(vendor.running().sort())
    return charged[0]?.micros ?? 0
  }
  const create = ({ post }: MortalAccount) =>
    post('/api/run/ns_browser/create_session', { estimatedMinutes: minutes })
  return { vendor, openAccount: () => gateway.openAccount(100), create, cutOff, chargedOf }
}

test('a browser is there exactly if it was charged, and ends once its owner closes it', async () => {
  const { vendor, openAccount, create, cutOff, chargedOf } = await open()
  for (const [point, trigger] of Object.entries(creating)) {
    const account = await openAccount()
    const before = vendor.running().length
    await cutOff(trigger, () => create(account))
    const charged = await chargedOf(account, point)
    expect(charged, point).toBe((vendor.running().length - before) * priceMicros)
    if (point === 'with the settlement') expect(charged).toBe(priceMicros)
    if (point.endsWith('row') || point.endsWith('id')) expect(charged, point).toBe(0)
  }
  for (const [point, trigger] of Object.entries(ending)) {
    const account = await openAccount()
    const { sessionId } = (await create(account)).data
    await cutOff(trigger, () => account.remove(`/api/v1/sessions/${sessionId}`))
    expect(await chargedOf(account, point)).toBe(priceMicros)
    expect(vendor.running(), point).not.toContain(sessionId)
  }
})
