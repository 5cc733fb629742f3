import { expect, test } from 'vitest'
import type { Receipt } from '../../chains/chain.ts'
import type { TempoChain } from '../../chains/tempo.ts'
import { createMppRefunds } from './refund.ts'

const order = { id: 'a-refund', payee: '0x1', micros: 20_000, signedAtBlock: 100 }
const validUntilMs = 1_000_000
const sent = { hash: '0xsent', validUntilMs }
const expiredS = validUntilMs / 1_000 + 60

/** A chain whose newest block is long past the expiry, and which has mined the refund or has not. */
function refundsOn(chain: { finalS: number; receipt?: Pick<Receipt, 'status'>; memo?: string }) {
  const answers: Partial<TempoChain> = {
    refundAddress: '0xfeed',
    head: async () => ({ number: 150n, timestampS: expiredS }),
    finalHead: async () => ({ number: 140n, timestampS: chain.finalS }),
    receipt: async (hash) =>
      hash === chain.memo || (hash === sent.hash && chain.receipt)
        ? { hash, status: 'success', blockNumber: 99n, transfers: [], ...chain.receipt }
        : undefined,
    findTransferWithMemo: async () => chain.memo as `0x${string}` | undefined,
  }
  return createMppRefunds(answers as TempoChain)
}

test('a refund that has expired is not signed again while a reorganisation could still mine it', async () => {
  // Five seconds more, because nodes behind one address may know different newest blocks.
  const early = validUntilMs / 1_000 + 3
  for (const receipt of [undefined, { status: 'reverted' } as const])
    expect(
      await refundsOn({ finalS: early, ...(receipt && { receipt }) }).inspectRefund(order, sent),
    ).toEqual({ state: 'pending' })
  expect(await refundsOn({ finalS: expiredS }).inspectRefund(order, sent)).toMatchObject({
    state: 'dead',
  })
})

test('a refund is found by its memo when its hash is not on the chain', async () => {
  const refunds = refundsOn({ finalS: expiredS, memo: '0xother' })
  expect(await refunds.inspectRefund(order, sent)).toEqual({
    state: 'settled',
    hash: '0xother',
    block: 99,
  })
})
