// Signs calls of the gateway's own wallets on a Tempo chain. Their nonces expire, so they need no numbers.
import { keccak256, maxUint256 } from 'viem'
import { Account, Transaction } from 'viem/tempo'
import { ChainRefusal, type Hex, lowerCase, type SignedTransaction } from './chain.ts'
import type { Reader } from './reader.ts'
import { readSimulation } from './refusal.ts'
import { type Rpc, type RpcCall, type RpcReply, resultOf } from './rpc.ts'
import { readVerdict, singleCall, toRpc } from './tempo-transaction.ts'

/** A transaction with an expiring nonce may live for 30 seconds at most, and clocks differ. */
const validS = 25

export interface SignedCall extends SignedTransaction {
  readonly validBeforeS: number
}

export interface TempoSigner {
  readonly address: Hex
  /** Throws ChainRefusal when the call would fail. */
  sign(call: { readonly to: Hex; readonly data: Hex }): Promise<SignedCall>
}

export function createTempoSigner({
  rpc,
  reader,
  chainId,
  feeToken,
  key,
}: {
  rpc: Rpc
  reader: Pick<Reader, 'head'>
  chainId: number
  feeToken: Hex
  key: Hex
}): TempoSigner {
  const account = Account.fromSecp256k1(key)
  return {
    address: lowerCase(account.address),
    async sign(call) {
      const { number: signedAtBlock, timestampS } = await reader.head()
      const validBeforeS = timestampS + validS
      const unpriced = {
        type: 'tempo',
        chainId,
        calls: [call],
        nonceKey: maxUint256,
        nonce: 0,
        validBefore: validBeforeS,
        feeToken,
      }
      const fees = readFees(await rpc.ask(feeCalls(account.address, unpriced)))
      const signed = await account.signTransaction({ ...unpriced, ...fees } as never, {
        serializer: Transaction.serialize as never,
      })
      const raw = lowerCase(signed)
      return { raw, hash: keccak256(raw), signedAtBlock, validBeforeS }
    },
  }
}

const feeCalls = (
  from: Hex,
  unpriced: { readonly calls: readonly { readonly to: Hex; readonly data: Hex }[] },
): RpcCall[] => [
  { method: 'eth_estimateGas', params: [toRpc({ ...unpriced, account: from }, 'estimateGas')] },
  { method: 'eth_getBlockByNumber', params: ['latest', false] },
  singleCall(from, unpriced.calls[0]),
]

/** Throws ChainRefusal when the call would fail. */
function readFees([gas, head, ...simulations]: readonly RpcReply[]) {
  const verdict = readVerdict(simulations)
  if (!verdict.ok) throw new ChainRefusal(verdict.reason)
  const estimate = readSimulation(gas, 'eth_estimateGas')
  if ('reason' in estimate) throw new ChainRefusal(estimate.reason)
  const block = resultOf(head, 'eth_getBlockByNumber')
  return {
    gas: (BigInt(estimate.result) * 5n) / 4n,
    maxFeePerGas: BigInt(block.baseFeePerGas ?? '0x0') * 2n,
    maxPriorityFeePerGas: 0n,
  }
}
