// A wallet for tests without a chain: it pays the amount in the 402 of a fixture and confirms this in a header.
import { randomUUID } from 'node:crypto'
import { centsToMicros, usdToMicros } from '#core/money.ts'
import type { Spending } from '#core/ports.ts'
import { createUpstreamWallet } from '#platform/http/upstream-wallet.ts'

/** A call that may spend this much and records nothing. */
export const spendUpTo = (cents: number): Spending => ({
  left: () => centsToMicros(cents),
  pay: async (sign, send) => await send(await sign(centsToMicros(cents))),
})

export const testWallet = createUpstreamWallet([
  {
    protocol: 'mpp',
    read({ body }) {
      const asked = typeof body === 'string' ? JSON.parse(body) : body
      const { price_usd: usd } = asked as { price_usd: number }
      const micros = usdToMicros(usd)
      return [
        {
          micros,
          sign: async () => ({
            protocol: 'mpp',
            payee: 'the seller of a fixture',
            micros,
            chainReference: randomUUID(),
            headers: { 'x-test-payment': String(usd) },
            receiptHeader: 'payment-receipt',
          }),
        },
      ]
    },
    close: async () => {},
  },
])
