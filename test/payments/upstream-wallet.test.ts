// The operator's wallet buys from a seller, here another gateway, on real chains.
import { Mppx, tempo } from 'mppx/server'
import { createClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { tempo as tempoChain } from 'viem/chains'
import { describe, expect, onTestFinished, test } from 'vitest'
import { defineProvider } from '#core/provider.ts'
import { createMppPayingWallet } from '#money/rails/mpp/paying-wallet.ts'
import { createX402PayingWallet } from '#money/rails/x402/paying-wallet.ts'
import { systemClock } from '#platform/clock.ts'
import { createService } from '#platform/http/service.ts'
import { createUpstreamWallet } from '#platform/http/upstream-wallet.ts'
import { silentLog } from '#test/silent-log.ts'
import { spendUpTo } from '#test/test-wallet.ts'
import { type ChainRail, payments, rails, shareChains, sharePaidGateway } from './paid-gateway.ts'
import { received } from './payers.ts'

const seller = defineProvider({
  id: 'seller',
  title: 'Another gateway',
  upstream: { baseUrl: 'http://127.0.0.1', wallet: true },
  actions: [],
})

describe.skipIf(!payments.ok)(`buying from a seller ${payments.reason}`, () => {
  const chains = shareChains()
  const gateway = sharePaidGateway(chains)

  function openWallet(rail: ChainRail, key: `0x${string}`) {
    const { x402, mpp } = chains()
    const clock = systemClock
    const payingWallet =
      rail === 'x402'
        ? createX402PayingWallet({
            key,
            network: `eip155:${x402.chainId}`,
            asset: x402.asset,
            assetName: 'USDC',
            assetVersion: '2',
            clock,
          })
        : createMppPayingWallet({
            key,
            rpcUrl: mpp.rpcUrl,
            chainId: mpp.chainId,
            currency: mpp.asset,
            clock,
            log: silentLog,
          })
    const wallet = createUpstreamWallet([payingWallet])
    onTestFinished(wallet.close)
    return { wallet, clock }
  }

  async function openBuyer(rail: ChainRail, { dollars = 1_000 } = {}) {
    const { privateKey } = await chains().createPayer(BigInt(dollars) * 1_000_000n)
    const { wallet, clock } = openWallet(rail, privateKey)
    const service = createService(seller, {
      variables: new Map([['SELLER_BASE_URL', gateway().url]]),
      userAgent: 'Tollway/test',
      clock,
      log: silentLog,
      wallet,
    })
    onTestFinished(service.close)
    const { signal } = new AbortController()
    return { http: service.http.withSignal(signal, spendUpTo(100)), mode: service.mode }
  }
  const order = (payUpToCents: number | undefined, text = 'bought') => ({
    method: 'POST' as const,
    path: '/api/run/test/echo',
    body: { text },
    payUpToCents,
  })

  describe.each(rails)('by %s', (rail) => {
    test('the call is answered, exactly the price has moved once, and the receipt is stored', async () => {
      const { http, mode } = await openBuyer(rail)
      expect(mode).toBe('live')
      const before = await received(gateway(), rail)
      const reply = await http.send(order(2))
      expect(reply.body).toMatchObject({ ok: true, data: { echo: 'bought' }, charged_cents: 2 })
      expect(reply.paid).toMatchObject({ usd: 0.02, receipt: expect.stringMatching(/.{20}/) })
      expect((await received(gateway(), rail)) - before).toBe(20_000n)
    })

    test('a price above the ceiling moves nothing, and no ceiling means no payment', async () => {
      const { http } = await openBuyer(rail)
      const before = await received(gateway(), rail)
      await expect(http.send(order(1, 'too dear'))).rejects.toMatchObject({
        code: 'max_cost_exceeded',
        data: { price_cents: 2 },
      })
      await expect(http.send(order(undefined, 'not paid'))).rejects.toMatchObject({
        data: { reason: 'provider_unfunded' },
      })
      expect(await received(gateway(), rail)).toBe(before)
    })
  })

  test('a seller that pays the network fee receives exactly the price from a wallet that holds no more', async () => {
    const { mpp, createPayer } = chains()
    const payer = await createPayer(20_000n)
    const sponsor = await createPayer()
    const recipient = await createPayer(0n)
    const client = createClient({
      chain: { ...tempoChain, feeToken: mpp.asset },
      transport: http(mpp.rpcUrl),
      pollingInterval: 25,
    })
    const charge = tempo.charge({
      currency: mpp.asset,
      recipient: recipient.address,
      decimals: 6,
      feePayer: privateKeyToAccount(sponsor.privateKey),
      getClient: () => client,
    })
    const shop = Mppx.create({
      secretKey: 'a secret of the tests, which is long enough',
      methods: [charge],
    })
    const sell = (headers: Record<string, string> = {}) =>
      shop.charge({ amount: '0.02' })(new Request('https://seller.example.org/', { headers }))
    const asked = await sell()
    if (asked.status !== 402) throw new Error('The seller sent no challenge.')
    const demand = {
      status: 402,
      headers: Object.fromEntries(asked.challenge.headers),
      body: {},
    }
    const { wallet } = openWallet('mpp', payer.privateKey)
    const { headers, micros } = await wallet.pay(demand, 20_000)
    expect(micros).toBe(20_000)
    expect((await sell(headers)).status).toBe(200)
    expect(await mpp.balanceOf(recipient.address)).toBe(20_000n)
    expect(await mpp.balanceOf(payer.address)).toBe(0n)
  })

  test('an empty wallet signs nothing', async () => {
    const { http } = await openBuyer('mpp', { dollars: 0 })
    await expect(http.send(order(2))).rejects.toMatchObject({
      code: 'upstream_error',
      data: { reason: 'provider_unfunded' },
    })
  })
})
