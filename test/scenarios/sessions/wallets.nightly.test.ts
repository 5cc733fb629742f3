// Sessions of wallets: paid before they open, used by proof of the wallet, and refunded on the chain when they close.
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createSessionProvider, createTestMachine } from '#test/sessions/session-gateway.ts'
import { until } from '#test/until.ts'
import { expectBooksRight } from '../../payments/books.ts'
import {
  type PaidGateway,
  payments,
  rails,
  shareChains,
  sharePaidGateway,
} from '../../payments/paid-gateway.ts'
import { buy, payingFetch, received } from '../../payments/payers.ts'
import { holdUp, waiting } from '../../simulation/held-statements.ts'

interface Refund {
  readonly id: string
  readonly state: string
  readonly micros: number
}

/** Waits until the chain has the only refund since now. `expectBooksRight` compares it with the chain. */
async function watchRefunds({ database }: PaidGateway) {
  const read = () => database.query<Refund>('select id, state, micros from refund')
  const known = new Set((await read()).map(({ id }) => id))
  const refunds = async () =>
    (await read()).flatMap(({ id, ...refund }) => (known.has(id) ? [] : [refund]))
  return async (micros: number) => {
    await until(async () => (await refunds())[0]?.state === 'confirmed')
    expect(await refunds()).toEqual([{ state: 'confirmed', micros }])
  }
}

describe.skipIf(!payments.ok)(`sessions of wallets ${payments.reason}`, () => {
  const chains = shareChains()
  const machine = createTestMachine()
  const shared = sharePaidGateway(chains, { providers: [createSessionProvider(machine)] })
  beforeEach(() => {
    machine.refusesToOpen = false
  })

  test.each(rails)('%s: what a session did not use is refunded', async (rail) => {
    const gateway = shared()
    const expectRefund = await watchRefunds(gateway)
    const before = await received(gateway, rail)
    const [wallet, other] = await Promise.all([chains().createPayer(), chains().createPayer()])
    const made = await buy(
      gateway,
      rail,
      'boxes/create_session',
      { max_cost_cents: 20 },
      { wallet },
    )
    expect(made).toMatchObject({ status: 200, body: { charged_cents: 0 } })
    const { session_id } = made.body.data
    expect((await received(gateway, rail)) - before).toBe(200_000n)

    const send = async (by: typeof wallet, method: string, path: string, body?: object) => {
      const init = { method, ...(body && { body: JSON.stringify(body) }) }
      const reply = await payingFetch(rail, chains(), by)(`${gateway.url}${path}`, init)
      return { status: reply.status, body: await reply.json() }
    }
    const at = `/api/v1/sessions/${session_id}`
    const ran = await send(wallet, 'POST', `${at}/run`, { command: 'true' })
    expect(ran).toMatchObject({ status: 200, body: { stdout: session_id } })
    expect((await send(other, 'POST', `${at}/run`, { command: 'true' })).status).toBe(404)
    expect((await send(other, 'DELETE', at)).status).toBe(404)
    const unproved = await fetch(`${gateway.url}${at}`, { method: 'DELETE' })
    expect(unproved.status).toBe(402)
    const closed = await send(wallet, 'DELETE', at)
    expect(closed.body).toMatchObject({ status: 'closed', close_reason: 'closed', held_cents: 0 })
    expect(machine.boxes.size).toBe(0)

    const charged = Math.round(Number(closed.body.charged_usd) * 1_000_000)
    expect(charged).toBeLessThan(1_000)
    await expectRefund(200_000 - charged)
    await expectBooksRight(gateway)
  })

  test.each(rails)('%s: a session that cannot be opened is refunded whole', async (rail) => {
    const gateway = shared()
    const expectRefund = await watchRefunds(gateway)
    machine.refusesToOpen = true
    const failed = await buy(gateway, rail, 'boxes/create_session', { max_cost_cents: 20 })
    expect(failed).toMatchObject({ body: { ok: false, error: 'upstream_error' } })
    await expectRefund(200_000)
    expect(machine.boxes.size).toBe(0)
    await expectBooksRight(gateway)
  })

  test('a session that cannot be opened is not told to be open while its call ends', async () => {
    const gateway = shared()
    const { database } = gateway
    const expectRefund = await watchRefunds(gateway)
    machine.refusesToOpen = true
    onTestFinished(async () => void (await database.query('drop function hold_up cascade')))
    const letGo = await holdUp(database, 'trigger held_up before update of state on call')
    let isAnswered = false
    const reply = buy(gateway, 'x402', 'boxes/create_session', { max_cost_cents: 20 }).finally(
      () => {
        isAnswered = true
      },
    )
    await waiting(database)
    // The request looks at its session every 100 ms.
    const looks = new Set<string>()
    await until(async () => {
      const [look] = await database.query<{ at: string }>(
        `select max(state_change)::text as at from pg_stat_activity
         where datname = current_database() and query like '%from session where id = $1%'`,
      )
      looks.add(look?.at ?? '')
      return isAnswered || looks.size > 3
    })
    expect(isAnswered).toBe(false)
    await letGo()
    expect(await reply).toMatchObject({ body: { ok: false, error: 'upstream_error' } })
    await expectRefund(200_000)
  })

  test('the same payment opens one session', async () => {
    const gateway = shared()
    const headers = { 'idempotency-key': 'one-session' }
    const first = await buy(gateway, 'mpp', 'boxes/create_session', {}, { headers })
    const again = await buy(gateway, 'mpp', 'boxes/create_session', {}, { headers })
    expect(again.body.data).toEqual(first.body.data)
    expect(machine.boxes.size).toBe(1)
  })
})
