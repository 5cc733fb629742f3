// Asks a token about EIP-3009 authorizations: whether it would carry one out, and what became of one.
import { decodeFunctionResult, encodeFunctionData } from 'viem'
import type { Hex, SimulationResult } from './chain.ts'
import { lowerCase } from './chain.ts'
import {
  authorizationCancelledTopic,
  authorizationUsedTopic,
  dollarAbi,
  encodeTransfer,
  type SignedAuthorization,
  topicOf,
} from './dollar.ts'
import type { Reader } from './reader.ts'
import { readSimulation } from './refusal.ts'
import type { Rpc } from './rpc.ts'

export interface Authorizations {
  /** Whether the token would carry it out now. It checks balance, nonce, time window, signature and blocklist. */
  simulateTransferWithAuthorization(payment: SignedAuthorization): Promise<SimulationResult>
  /**
   * True when the authorization is used or cancelled. Throws ChainUnavailable when the node does not have `atBlock`
   * yet.
   */
  authorizationState(from: Hex, nonce: Hex, options?: { atBlock?: bigint }): Promise<boolean>
  /**
   * The transaction that used it, or undefined when it is cancelled or not used. Compare its receipt by `carriesOut`: a
   * payer can sign two authorizations with one nonce.
   */
  findAuthorizationUsed(
    from: Hex,
    nonce: Hex,
    options?: { fromBlock?: bigint },
  ): Promise<Hex | undefined>
  /** The transaction in which its payer cancelled it. */
  findAuthorizationCancelled(
    from: Hex,
    nonce: Hex,
    options?: { fromBlock?: bigint },
  ): Promise<Hex | undefined>
}

export function createAuthorizations(dependencies: {
  rpc: Rpc
  reader: Pick<Reader, 'findLog'>
  asset: Hex
  gasAddress: Hex | undefined
}): Authorizations {
  const { rpc, reader, asset, gasAddress } = dependencies

  async function find(topic: Hex, from: Hex, nonce: Hex, fromBlock?: bigint) {
    const log = await reader.findLog([topic, topicOf(from), lowerCase(nonce)], fromBlock)
    return log === undefined ? undefined : lowerCase(log.transactionHash)
  }

  return {
    async simulateTransferWithAuthorization(payment) {
      const call = { from: gasAddress, to: asset, data: encodeTransfer(payment) }
      const [reply] = await rpc.ask([{ method: 'eth_call', params: [call, 'latest'] }])
      const simulated = readSimulation(reply, 'eth_call')
      return 'reason' in simulated ? { ok: false, reason: simulated.reason } : { ok: true }
    },
    async authorizationState(from, nonce, { atBlock } = {}) {
      const functionName = 'authorizationState'
      const call = encodeFunctionData({ abi: dollarAbi, functionName, args: [from, nonce] })
      const data = await rpc.call('eth_call', [
        { to: asset, data: call },
        atBlock === undefined ? 'latest' : `0x${atBlock.toString(16)}`,
      ])
      return decodeFunctionResult({ abi: dollarAbi, functionName, data })
    },
    findAuthorizationUsed: (from, nonce, { fromBlock } = {}) =>
      find(authorizationUsedTopic, from, nonce, fromBlock),
    findAuthorizationCancelled: (from, nonce, { fromBlock } = {}) =>
      find(authorizationCancelledTopic, from, nonce, fromBlock),
  }
}
