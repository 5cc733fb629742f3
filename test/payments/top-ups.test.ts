import { describe, expect, test } from 'vitest'
import { defineAction, z } from '#core/action.ts'
import { defineProvider } from '#core/provider.ts'
import { expectBooksRight } from './books.ts'
import { payments, rails, shareChains, sharePaidGateway } from './paid-gateway.ts'
import { buy, present, received, sign } from './payers.ts'

const at = '/api/v1/topups'
const reserved = defineProvider({
  id: 'reserved',
  title: 'For accounts that have paid',
  actions: [
    defineAction('echo', {
      summary: 'Answer to accounts that have paid a top-up.',
      input: z.strictObject({}),
      output: z.looseObject({ answered: z.boolean() }),
      paidTopUpRequired: true,
      price: { cents: 5 },
      example: { input: {}, cents: 5 },
      run: () => ({ answered: true }),
    }),
  ],
})

describe.skipIf(!payments.ok)(`top-ups ${payments.reason}`, () => {
  const chains = shareChains()
  const gateway = sharePaidGateway(chains, { providers: [reserved] })

  test.each(rails)(
    '%s: one Idempotency-Key tops up once, even with several payments at the same time',
    async (rail) => {
      const account = await gateway().account(0)
      const body = { account_id: account.id, amount_cents: 50 }
      const key = { 'idempotency-key': `top-up-of-the-test-${rail}` }
      const before = await received(gateway(), rail)
      const signed = []
      for (let turn = 0; turn < 4; turn += 1) signed.push(await sign(gateway(), rail, at, body))
      const replies = await Promise.all(
        signed.map((payment) => present(gateway(), at, body, { ...payment, ...key })),
      )
      const done = replies.filter(({ status }) => status === 200)
      const waiting = replies.filter(({ status }) => status !== 200)
      expect(done.length).toBeGreaterThan(0)
      expect(waiting.map(({ body }) => body.error)).toEqual(
        waiting.map(() => expect.stringMatching(/_in_progress$/)),
      )
      const again = await present(gateway(), at, body, {
        ...(await sign(gateway(), rail, at, body)),
        ...key,
      })
      expect([again.status, again.body]).toEqual([200, done[0]?.body])
      expect(await account.state()).toMatchObject({ availableCents: 50 })

      const other = { ...body, amount_cents: 60 }
      const reused = await present(gateway(), at, other, {
        ...(await sign(gateway(), rail, at, other)),
        ...key,
      })
      expect([reused.status, reused.body.error]).toEqual([422, 'idempotency_key_reused'])
      expect(await account.state()).toMatchObject({ availableCents: 50 })
      expect((await received(gateway(), rail)) - before).toBe(500_000n)
      await expectBooksRight(gateway())
    },
  )

  test.each(rails)('%s: a top-up is on the statement of its account', async (rail) => {
    const account = await gateway().account(3)
    const body = { account_id: account.id, amount_cents: 20 }
    const paid = await present(gateway(), at, body, await sign(gateway(), rail, at, body))
    expect(paid.status).toBe(200)
    await account.call('test/echo', {})
    const { transactions } = (await account.get('/api/v1/transactions')).body
    expect(transactions).toMatchObject([
      { type: 'call', amount_cents: -2 },
      { type: 'topup', amount_cents: 20, paid_by_transaction_id: paid.body.transaction_id },
      { type: 'credit', amount_cents: 3 },
    ])
    expect((await account.get('/api/v1/account')).body.balance_cents).toBe(21)
  })

  test.each(rails)(
    '%s: credit of the operator does not open what a paid top-up opens; wallets need none',
    async (rail) => {
      const account = await gateway().account(1_000)
      const call = () => account.call('reserved/echo', {})
      const refused = await call()
      expect([refused.status, refused.body.error]).toEqual([402, 'paid_topup_required'])
      expect(await account.state()).toEqual({
        availableCents: 1_000,
        heldCents: 0,
        transactions: 0,
      })

      const stranger = await gateway().account(0)
      const topUp = (id: string) => ({ account_id: id, amount_cents: 10 })
      for (const { id } of [stranger, account]) {
        expect((await call()).status).toBe(402)
        const signed = await sign(gateway(), rail, at, topUp(id))
        expect((await present(gateway(), at, topUp(id), signed)).status).toBe(200)
      }
      expect((await call()).body).toMatchObject({ ok: true, charged_cents: 5 })

      const paid = await buy(gateway(), rail, 'reserved/echo', {})
      expect(paid.body).toMatchObject({ ok: true, data: { answered: true } })
    },
  )
})
