// Contract wallets pay and sign in by signatures that only the chain can verify. Forged signatures cause almost no
// requests to the operator's node.
import {
  createSIWxMessage,
  encodeSIWxHeader,
  SIGN_IN_WITH_X,
} from '@x402/extensions/sign-in-with-x'
import { hashMessage } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { failuresPerSource } from '#money/rails/x402/contract-signatures.ts'
import { expectBooksRight } from './books.ts'
import { forgeX402 } from './forgeries.ts'
import { payments, shareChains, sharePaidGateway, startPaidGateway } from './paid-gateway.ts'
import { buy, challenge, present, sign } from './payers.ts'

type Hex = `0x${string}`
const wallet: Hex = '0x00000000000000000000000000000000c0ffee02'

describe.skipIf(!payments.ok)(`wallets that are contracts ${payments.reason}`, () => {
  const chains = shareChains()
  const gateway = sharePaidGateway(chains)
  const owner = () => privateKeyToAccount(chains().wallets.payer.privateKey)

  const questions = (of = gateway()) =>
    of.till.node.x402.seen.filter((method) => /^eth_(call|getCode)$/.test(method)).length

  interface SignIn {
    readonly nonce?: string
    readonly address?: Hex
    readonly signs?: (hash: Hex) => Promise<Hex>
  }

  /** Answers the challenge of a free action like a wallet. */
  async function signIn(change: SignIn = {}, action = 'test/free', body: object = {}) {
    const asked = await challenge(gateway(), action, body)
    const required = JSON.parse(
      Buffer.from(asked.headers.get('payment-required') ?? '', 'base64').toString(),
    )
    const { info, supportedChains } = required.extensions[SIGN_IN_WITH_X]
    const address = change.address ?? owner().address
    const nonce = change.nonce ?? info.nonce
    const complete = { ...info, ...supportedChains[0], nonce }
    const hash = hashMessage(createSIWxMessage(complete, address))
    const signature = await (change.signs?.(hash) ?? owner().sign({ hash }))
    return { [SIGN_IN_WITH_X]: encodeSIWxHeader({ ...complete, address, signature }) }
  }
  const asContract = async (hash: Hex): Promise<Hex> => `${await owner().sign({ hash })}00`

  test('a smart wallet signs in, and differs from the wallet of its owner’s key', async () => {
    await chains().x402.plantWallet(wallet, owner().address)
    const header = await signIn({ address: wallet, signs: asContract })
    const reply = await present(gateway(), 'test/free', {}, header)
    expect([reply.status, reply.body.ok]).toEqual([200, true])
    const again = await present(gateway(), 'test/free', {}, header)
    expect([again.status, again.body.error]).toEqual([402, 'payment_already_used'])

    const bought = await buy(gateway(), 'x402', 'test/echo', { text: 'of the key' })
    const { transaction_id } = bought.body
    const read = async (by: SignIn) => {
      const proof = await signIn(by, 'tollway/result', { transaction_id })
      return await present(gateway(), 'tollway/result', { transaction_id }, proof)
    }
    const theirs = await read({ address: wallet, signs: asContract })
    expect([theirs.status, theirs.body.error]).toEqual([404, 'not_found'])
    expect((await read({})).status).toBe(200)
  })

  test('a sign-in for a smart wallet by a key that does not own it is refused', async () => {
    const stranger = privateKeyToAccount(generatePrivateKey())
    const signs = async (hash: Hex): Promise<Hex> => `${await stranger.sign({ hash })}00`
    const reply = await present(
      gateway(),
      'test/free',
      {},
      await signIn({ address: wallet, signs }),
    )
    expect([reply.status, reply.body.error]).toEqual([402, 'payment_invalid'])
  })

  test.each(['a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6', '0'.repeat(60), `ffffffffffff${'0'.repeat(48)}`])(
    'a sign-in with a nonce that was never issued is refused: %s',
    async (nonce) => {
      const reply = await present(gateway(), 'test/free', {}, await signIn({ nonce }))
      expect([reply.status, reply.body.error]).toEqual([402, 'payment_invalid'])
      expect(reply.body.message).toMatch(/not issued here/)
    },
  )

  test('a nonce counts once, on all gateways of one database', async () => {
    const { till, databaseUrl, url } = gateway()
    const env = { PUBLIC_BASE_URL: url }
    const replica = await startPaidGateway(chains(), { till, databaseUrl, env })
    const header = await signIn()
    expect((await present(replica, 'test/free', {}, header)).status).toBe(200)
    const again = await present(gateway(), 'test/free', {}, header)
    expect([again.status, again.body.error]).toEqual([402, 'payment_already_used'])
  })

  test('replicas without a secret of their own agree on one', async () => {
    const { till, databaseUrl } = gateway()
    const { MPP_SECRET_KEY: _, ...env } = till.env
    const bare = { ...till, env }
    const startReplica = () => startPaidGateway(chains(), { till: bare, databaseUrl })
    const [one, two] = await Promise.all([startReplica(), startReplica()])
    const payment = await sign(one, 'mpp', 'test/echo')
    expect((await present(two, 'test/echo', {}, payment)).status).toBe(200)
  })

  test('a smart wallet pays, and its valid signatures do not count against the limit', async () => {
    const open = gateway()
    await chains().x402.plantWallet(wallet, owner().address)
    await chains().x402.mint(wallet, 10_000_000n)
    for (let call = 0; call < failuresPerSource + 2; call += 1) {
      const body = { text: `call ${call}` }
      const reply = await present(open, 'test/echo', body, await asWallet(open, body))
      expect([call, reply.status]).toEqual([call, 200])
    }
    await expectBooksRight(open)
  })

  const asWallet = (of: ReturnType<typeof gateway>, body: object) =>
    forgeX402(of, 'test/echo', body, {
      authorization: { from: wallet },
      written: (payment) => ({
        ...payment,
        payload: { ...payment.payload, signature: `${payment.payload.signature}00` },
      }),
    })

  test('a hundred forged signatures cause no more requests to the node than one source may cause', async () => {
    const open = await startPaidGateway(chains())
    const forged = (from: Hex) => forgeX402(open, 'test/echo', {}, { authorization: { from } })
    const before = questions(open)
    const told = []
    for (let call = 0; call < 100; call += 1) {
      const from = privateKeyToAccount(generatePrivateKey()).address
      told.push((await present(open, 'test/echo', {}, await forged(from))).status)
    }
    expect(questions(open) - before).toBeLessThanOrEqual(failuresPerSource)
    expect(told.slice(0, failuresPerSource)).toEqual(Array(failuresPerSource).fill(402))
    expect(told.slice(failuresPerSource)).toEqual(Array(100 - failuresPerSource).fill(429))
    // A payment by a key needs no request to the chain.
    expect((await buy(open, 'x402', 'test/echo', { text: 'honest' })).status).toBe(200)
  })

  test('the node is asked once about a forgery and once about an address without a contract', async () => {
    const open = await startPaidGateway(chains())
    const { address: from } = privateKeyToAccount(generatePrivateKey())
    const before = questions(open)
    for (let call = 0; call < 5; call += 1) {
      const payment = await forgeX402(open, 'test/echo', {}, { authorization: { from } })
      for (let times = 0; times < 2; times += 1)
        expect((await present(open, 'test/echo', {}, payment)).status).toBe(402)
    }
    expect(questions(open) - before).toBe(1)
    await chains().x402.plantWallet(wallet, owner().address)
    const key = generatePrivateKey()
    const payment = await forgeX402(open, 'test/echo', {}, { key, authorization: { from: wallet } })
    for (let times = 0; times < 5; times += 1)
      expect((await present(open, 'test/echo', {}, payment)).status).toBe(402)
    // One request for the contract's code, one for its verdict.
    expect(questions(open) - before).toBe(3)
  })
})
