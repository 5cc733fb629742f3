// Only the wallet that has paid can read an answer again without paying. A stranger cannot, even with its
// Idempotency-Key, its body and all data of the chain.

import { ExactEvmScheme } from '@x402/evm/exact/client'
import { createSIWxClientHook } from '@x402/extensions/sign-in-with-x'
import { wrapFetchWithPayment, x402Client, x402HTTPClient } from '@x402/fetch'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import type { Wallet } from '#test/chains/local-chain.ts'
import { expectBooksRight } from './books.ts'
import { forgeX402, readMpp, readX402 } from './forgeries.ts'
import { payments, rails, shareChains, sharePaidGateway } from './paid-gateway.ts'
import { buy, challenge, post, present, readReply, received, sign } from './payers.ts'

const price = 20_000n

describe.skipIf(!payments.ok)(`repeated answers ${payments.reason}`, () => {
  const chains = shareChains()
  const gateway = sharePaidGateway(chains)

  describe.each(rails)('%s', (rail) => {
    test('a second wallet with the same key and body pays for an answer of its own', async () => {
      const headers = { 'idempotency-key': `shared-by-two-wallets-${rail}` }
      const body = { text: `shared ${rail}` }
      const before = await received(gateway(), rail)
      const { payer, otherPayer } = chains().wallets
      const first = await buy(gateway(), rail, 'test/echo', body, { wallet: payer, headers })
      const second = await buy(gateway(), rail, 'test/echo', body, { wallet: otherPayer, headers })
      expect([first.status, second.status]).toEqual([200, 200])
      expect(second.headers.get('idempotency-replayed')).toBeNull()
      expect(second.body.transaction_id).not.toBe(first.body.transaction_id)
      expect((await received(gateway(), rail)) - before).toBe(2n * price)
    })

    test('the wallet that paid repeats its call with its own client and is not charged again', async () => {
      const headers = { 'idempotency-key': `r-${rail}` }
      const body = { text: `repeated ${rail}` }
      const before = await received(gateway(), rail)
      const first = await buy(gateway(), rail, 'test/echo', body, { headers })
      const again = await buy(gateway(), rail, 'test/echo', body, { headers })
      expect([again.status, again.body]).toEqual([200, first.body])
      expect(again.headers.get('idempotency-replayed')).toBe('true')
      expect((await received(gateway(), rail)) - before).toBe(price)
    })

    test('a request without a payment learns nothing about an answer, with any Idempotency-Key', async () => {
      const headers = { 'idempotency-key': `a-key-of-sufficient-length-${rail}` }
      await buy(gateway(), rail, 'test/echo', { text: 'withheld' }, { headers })
      const asked = await present(gateway(), 'test/echo', { text: 'withheld' }, headers)
      expect([asked.status, asked.body.error]).toEqual([402, 'payment_required'])
      expect(asked.headers.get('idempotency-replayed')).toBeNull()
    })

    test('the same payment is answered again', async () => {
      const body = { text: `the very payment ${rail}` }
      const payment = await sign(gateway(), rail, 'test/echo', body)
      const first = await present(gateway(), 'test/echo', body, payment)
      const again = await present(gateway(), 'test/echo', body, payment)
      expect([again.status, again.body]).toEqual([200, first.body])
    })
  })

  /** The payment as the chain shows it, with the terms of a public challenge. */
  async function readFromChain(paid: Readonly<Record<string, string>>, body: unknown) {
    const asked = await challenge(gateway(), 'test/echo', body)
    const required = JSON.parse(
      Buffer.from(asked.headers.get('payment-required') ?? '', 'base64').toString(),
    )
    const { payload } = readX402(paid)
    const write = (accepted: object) => ({
      'payment-signature': Buffer.from(
        JSON.stringify({ x402Version: 2, accepted, payload }),
      ).toString('base64'),
    })
    const [offered] = required.accepts
    const { name, version } = offered.extra
    return [write(offered), write({ ...offered, extra: { name, version } })]
  }

  test('x402: a payment copied from the chain with the right body returns no answer', async () => {
    const body = { text: 'known to a stranger' }
    const paid = await sign(gateway(), 'x402', 'test/echo', body)
    expect((await present(gateway(), 'test/echo', body, paid)).status).toBe(200)
    for (const copied of await readFromChain(paid, body)) {
      const reply = await present(gateway(), 'test/echo', body, copied)
      expect([reply.status, reply.body.error]).toEqual([402, 'payment_already_used'])
      expect(reply.body.data).toBeUndefined()
    }
  })

  test('x402: neither does it with the Idempotency-Key, if the payer echoed its challenge', async () => {
    const body = { text: 'known with its key' }
    const key = { 'idempotency-key': 'order-1' }
    const paid = await sign(gateway(), 'x402', 'test/echo', body)
    const first = await present(gateway(), 'test/echo', body, { ...paid, ...key })
    expect(first.status).toBe(200)
    for (const copied of await readFromChain(paid, body)) {
      const reply = await present(gateway(), 'test/echo', body, { ...copied, ...key })
      expect([reply.status, reply.body.error]).toEqual([402, 'payment_already_used'])
      expect(reply.body.data).toBeUndefined()
    }
    const again = await present(gateway(), 'test/echo', body, { ...paid, ...key })
    expect([again.status, again.body]).toEqual([200, first.body])
  })

  test('x402: a payment without a challenge is answered again only with its Idempotency-Key', async () => {
    const body = { text: 'by an own client' }
    const key = { 'idempotency-key': 'known-to-the-payer' }
    const paid = await forgeX402(gateway(), 'test/echo', body, {
      written: (payment) => {
        const { name, version } = payment.accepted.extra as Record<string, string>
        return { ...payment, accepted: { ...payment.accepted, extra: { name, version } } }
      },
    })
    const first = await present(gateway(), 'test/echo', body, { ...paid, ...key })
    expect(first.status).toBe(200)
    const again = await present(gateway(), 'test/echo', body, { ...paid, ...key })
    expect([again.status, again.body]).toEqual([200, first.body])
    for (const other of [{}, { 'idempotency-key': 'guessed' }]) {
      const refused = await present(gateway(), 'test/echo', body, { ...paid, ...other })
      expect([refused.status, refused.body.error]).toEqual([402, 'payment_already_used'])
    }
  })

  test('MPP: a payment copied from the chain has another challenge and returns no answer', async () => {
    const body = { text: 'known to a stranger of MPP' }
    const key = { 'idempotency-key': 'order-2' }
    const paid = await sign(gateway(), 'mpp', 'test/echo', body)
    expect((await present(gateway(), 'test/echo', body, { ...paid, ...key })).status).toBe(200)
    const stranger = readMpp(await sign(gateway(), 'mpp', 'test/echo', body))
    const copied = Buffer.from(
      JSON.stringify({ ...stranger, payload: readMpp(paid).payload }),
    ).toString('base64url')
    for (const headers of [{}, key]) {
      const reply = await present(gateway(), 'test/echo', body, {
        authorization: `Payment ${copied}`,
        ...headers,
      })
      expect([reply.status, reply.body.error]).toEqual([402, 'payment_already_used'])
    }
  })

  describe('signing in instead of paying', () => {
    function clientOf({ privateKey }: Wallet) {
      const account = privateKeyToAccount(privateKey)
      const client = new x402Client().register('eip155:*', new ExactEvmScheme(account))
      const http = new x402HTTPClient(client).onPaymentRequired(createSIWxClientHook(account))
      return wrapFetchWithPayment(fetch, http)
    }
    const url = () => `${gateway().url}/api/run/test/echo`

    test('a wallet that signs in reads its own answer again without a second payment', async () => {
      const headers = { 'idempotency-key': 'read-back-by-signing-in' }
      const body = { text: 'read back' }
      const before = await received(gateway(), 'x402')
      const first = await readReply(
        await clientOf(chains().wallets.payer)(url(), post(body, headers)),
      )
      const again = await readReply(
        await clientOf(chains().wallets.payer)(url(), post(body, headers)),
      )
      expect([first.status, again.status, again.body]).toEqual([200, 200, first.body])
      expect((await received(gateway(), 'x402')) - before).toBe(price)
      const other = await readReply(
        await clientOf(chains().wallets.otherPayer)(url(), post(body, headers)),
      )
      expect(other.status).toBe(200)
      expect(other.body.transaction_id).not.toBe(first.body.transaction_id)
      expect((await received(gateway(), 'x402')) - before).toBe(2n * price)
    })
  })

  test('afterwards the books equal the chains', () => expectBooksRight(gateway()))
})
