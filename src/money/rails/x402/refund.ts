// A refund is an authorization of the refund wallet. Its nonce is derived from the refund's id, so it counts once even
// if it is signed and sent several times.
import { type Hex, hexOf } from '../../chains/chain.ts'
import { refundName } from '../../chains/dollar.ts'
import type { EvmChain } from '../../chains/evm.ts'
import type { Rail } from '../rail.ts'
import { broadcastAuthorization } from './authorization.ts'

export function createX402Refunds(
  chain: EvmChain,
): Pick<Rail, 'signRefund' | 'sendRefund' | 'inspectRefund'> {
  function refundAddress(): Hex {
    if (chain.refundAddress === undefined)
      throw new Error('X402_REFUND_KEY is not set, so refunds wait.')
    return chain.refundAddress
  }

  return {
    async signRefund({ id, payee, micros }) {
      const order = { refundId: id, to: hexOf(payee), amount: BigInt(micros) }
      const { raw, hash, gasNonce, signedAtBlock, validBeforeS } = await chain.signRefund(order)
      const validUntilMs = validBeforeS * 1_000
      return { raw, hash, gasNonce, signedAtBlock: Number(signedAtBlock), validUntilMs }
    },
    sendRefund: ({ id, raw }) =>
      broadcastAuthorization(chain, {
        raw: hexOf(raw),
        from: refundAddress(),
        nonce: refundName(id),
      }),
    async inspectRefund({ id, signedAtBlock }, sent) {
      const from = refundAddress()
      const nonce = refundName(id)
      if (await chain.authorizationState(from, nonce)) {
        const fromBlock = signedAtBlock === null ? {} : { fromBlock: BigInt(signedAtBlock) }
        const hash = await chain.findAuthorizationUsed(from, nonce, fromBlock)
        const receipt = hash === undefined ? undefined : await chain.receipt(hash)
        return hash === undefined || receipt === undefined
          ? { state: 'pending' }
          : { state: 'settled', hash, block: Number(receipt.blockNumber) }
      }
      const { timestampS, number } = await chain.head()
      return sent !== undefined && timestampS * 1_000 <= sent.validUntilMs
        ? { state: 'pending' }
        : { state: 'dead', reason: 'The refund is not on the chain.', block: Number(number) }
    },
  }
}
