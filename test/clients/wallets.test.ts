// The client pays from a wallet by the unmodified clients of the protocols, and a repeated call is paid once.
import { describe, expect, test } from 'vitest'
import {
  type ChainRail,
  payments,
  rails,
  shareChains,
  sharePaidGateway,
} from '../payments/paid-gateway.ts'
import { payingFetch, received } from '../payments/payers.ts'
import { openBreakingProxy } from './breaking-proxy.ts'
import { openClient } from './open-client.ts'

describe.skipIf(!payments.ok)(`paying by a wallet ${payments.reason}`, () => {
  const chains = shareChains()
  const gateway = sharePaidGateway(chains)

  async function open(rail: ChainRail) {
    const proxy = await openBreakingProxy(gateway().url)
    const fetch = payingFetch(rail, chains(), chains().wallets.payer)
    return { proxy, tollway: openClient(proxy, { key: undefined }, { fetch }) }
  }

  test.each(rails)('%s: a call is paid without an account', async (rail) => {
    const { tollway } = await open(rail)
    const before = await received(gateway(), rail)
    const answer = await tollway.run('test/echo', { text: 'paid' })
    expect(answer).toMatchObject({ data: { echo: 'paid' }, chargedCents: 2, replayed: false })
    expect((await received(gateway(), rail)) - before).toBe(20_000n)
  })

  test.each(rails)('%s: a call whose paid answer is lost is not paid twice', async (rail) => {
    const { proxy, tollway } = await open(rail)
    const before = await received(gateway(), rail)
    const asked = gateway().provider.asked.length
    // The first request is answered with the challenge.
    proxy.next('pass', 'cut answer')
    const answer = await tollway.run('test/echo', { text: 'once' })
    expect(answer).toMatchObject({ data: { echo: 'once' }, replayed: true })
    expect(gateway().provider.asked).toHaveLength(asked + 1)
    expect((await received(gateway(), rail)) - before).toBe(20_000n)
  })
})
