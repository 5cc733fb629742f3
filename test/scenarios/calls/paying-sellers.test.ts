import { expect, test } from 'vitest'
import { defineAction, z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { centsToMicros } from '#core/money.ts'
import { defineProvider } from '#core/provider.ts'
import type { UpstreamWallet } from '#platform/http/upstream-wallet.ts'
import { startGateway, verify } from '#test/harness.ts'
import { shareVendorStub } from '#test/vendor-stub.ts'

const stub = shareVendorStub()
const heldCents = 5
const askedMicros = centsToMicros(3)

/** A wallet that pays every seller the same amount, and refuses prices above its ceiling. */
function createCountingWallet() {
  const ceilings: number[] = []
  const wallet: UpstreamWallet = {
    protocols: ['x402'],
    unset: new Map(),
    async pay(_demand, ceiling) {
      ceilings.push(ceiling)
      if (askedMicros > ceiling) throw fail('max_cost_exceeded')
      return {
        protocol: 'x402',
        payee: 'seller',
        micros: askedMicros,
        chainReference: `payment-${ceilings.length}`,
        headers: { 'payment-signature': 'signed' },
        receiptHeader: 'payment-response',
      }
    },
    close: async () => {},
  }
  return { wallet, ceilings }
}

const createShop = (baseUrl: string) =>
  defineProvider({
    id: 'shop',
    title: 'A seller of posts',
    upstream: { baseUrl, wallet: true },
    actions: [
      defineAction('two-posts', {
        summary: 'Buy two posts.',
        input: z.strictObject({}),
        output: z.looseObject({ posts: z.int() }),
        price: { cents: heldCents },
        example: { input: {}, cents: heldCents },
        async run({ http }) {
          for (const path of ['/first', '/second'])
            await http.send({ method: 'GET', path, payUpToCents: 4 })
          return { posts: 2 }
        },
      }),
    ],
  })

test('the payments of one call together never exceed its hold', async () => {
  stub().say(
    { status: 402, body: {} },
    { status: 200, body: { text: 'first' } },
    { status: 402, body: {} },
    { status: 200, body: { text: 'second' } },
  )
  const { wallet, ceilings } = createCountingWallet()
  const gateway = await startGateway({
    upstreamWallet: wallet,
    providers: [createShop(stub().url)],
  })
  const account = await gateway.account(100)
  const reply = await account.call('shop/two-posts', {})
  expect(reply.body).toMatchObject({ ok: false })
  expect(ceilings).toEqual([centsToMicros(4), centsToMicros(heldCents) - askedMicros])
  expect(stub().asked).toEqual(['GET /first', 'GET /first', 'GET /second'])
  expect(await verify(gateway)).toMatchObject({ ok: true })
})
