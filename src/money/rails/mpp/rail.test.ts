import { expect, test } from 'vitest'
import { createVirtualClock } from '#platform/virtual-clock.fixture.ts'
import type { TempoChain } from '../../chains/tempo.ts'
import { createMppRail } from './rail.ts'

const order = { id: 'r', payee: '0x01', micros: 1, signedAtBlock: 1 }

/** An empty chain, as seen by a node at this time. */
function inspectRefundAt(timestampS: number) {
  const chain: Partial<TempoChain> = {
    chainId: 4217,
    currency: `0x${'2'.repeat(40)}`,
    refundAddress: `0x${'3'.repeat(40)}`,
    receipt: async () => undefined,
    findTransferWithMemo: async () => undefined,
    head: async () => ({ number: 10n, timestampS }),
  }
  const rail = createMppRail({
    chain: chain as TempoChain,
    clock: createVirtualClock().clock,
    secretKeys: ['a secret of the tests, which is long enough'],
    realm: () => 'gateway.example',
    recipient: `0x${'4'.repeat(40)}`,
    challengeLifetimeMs: 300_000,
  })
  return rail.inspectRefund(order, { hash: '0x05', validUntilMs: 1_000_000 })
}

test('a refund is signed again only when every node must have seen the first one fail', async () => {
  expect(await inspectRefundAt(1_000)).toEqual({ state: 'pending' })
  expect(await inspectRefundAt(1_003)).toEqual({ state: 'pending' })
  expect(await inspectRefundAt(1_010)).toMatchObject({ state: 'dead' })
})
