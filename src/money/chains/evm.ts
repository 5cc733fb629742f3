// The chain of x402: an EVM chain and the dollar on it. Nothing here decides about payments; it asks, signs and sends.
import {
  decodeFunctionResult,
  encodeDeployData,
  encodeFunctionData,
  erc6492SignatureValidatorAbi,
  erc6492SignatureValidatorByteCode,
  parseTransaction,
} from 'viem'
import type { Clock } from '#core/ports.ts'
import type { Broadcast, Head, Hex, NonceLane, Receipt, SelfCheck, Verdict } from './chain.ts'
import { lowerCase } from './chain.ts'
import {
  authorizationCancelledTopic,
  authorizationUsedTopic,
  dollarAbi,
  domainSeparator,
  encodeTransfer,
  refundName,
  type SignedAuthorization,
  topicOf,
} from './dollar.ts'
import { createGasWallet, type GasTransaction } from './gas-wallet.ts'
import { createReader, type Reader } from './reader.ts'
import { createRefundWallet } from './refund-wallet.ts'
import { readBroadcast, readSimulation } from './refusal.ts'
import { createRpc } from './rpc.ts'
import { checkChain, reportUnavailable } from './self-check.ts'

export interface EvmChainOptions {
  readonly rpcUrl: string
  readonly chainId: number
  readonly asset: Hex
  /** Of the token's EIP-712 domain; they differ from network to network. */
  readonly assetName: string
  readonly assetVersion: string
  readonly clock: Clock
  /** Pays for settlements and refunds in the chain's own coin. Without it nothing can be signed. */
  readonly gasKey?: Hex | undefined
  readonly refundKey?: Hex | undefined
  readonly nonceLane?: NonceLane | undefined
  /** Blocks until a receipt counts, its own included. */
  readonly confirmations?: number | undefined
  /** Blocks after which one is final. Unset: the node says. */
  readonly finalAfterBlocks?: number | undefined
  readonly timeoutMs?: number | undefined
}

/** Every function throws ChainUnavailable when the node cannot be asked. */
export interface EvmChain {
  readonly chainId: number
  readonly asset: Hex
  readonly gasAddress: Hex | undefined
  readonly refundAddress: Hex | undefined
  /** Whether the token would carry it out now: balance, nonce, window, signature, blocklist. */
  simulateTransferWithAuthorization(payment: SignedAuthorization): Promise<Verdict>
  /** Whether there is a contract at this address. */
  hasCode(address: Hex): Promise<boolean>
  /** Whether the contract at `from` agrees with a signature (ERC-1271, ERC-6492, EIP-7702). */
  isValidSignature(from: Hex, digest: Hex, signature: Hex): Promise<boolean>
  /**
   * Signs the transaction that carries out a payment, and sends nothing. Throws ChainRefusal when the token would refuse
   * it now; no number of the lane is used up then. `replaces` makes a dearer one in the place of one that is stuck.
   */
  signSettlement(
    payment: SignedAuthorization,
    options?: { replaces?: Hex },
  ): Promise<GasTransaction>
  /** The same for a refund, which the token carries out at most once for each `refundId`: later ones are `nonce_used`. */
  signRefund(
    refund: { refundId: string; to: Hex; amount: bigint },
    options?: { replaces?: Hex },
  ): Promise<GasTransaction & { readonly nonce: Hex; readonly validBeforeS: number }>
  broadcast(raw: Hex): Promise<Broadcast>
  receipt(hash: Hex): Promise<Receipt | undefined>
  /** True once it is used or cancelled, by whomever. A node that has not `atBlock` yet is as good as unavailable. */
  authorizationState(from: Hex, nonce: Hex, options?: { atBlock?: bigint }): Promise<boolean>
  /**
   * The transaction that used it. Undefined when it was cancelled, or is not used. Its receipt must still be compared by
   * `carriesOut`, since a payer can sign two authorizations with one nonce.
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
  /** Numbers of the gas wallet that are in blocks, and those with the node's pool. A number between is stuck or missing. */
  gasNonces(): Promise<{ readonly mined: number; readonly pending: number }>
  /** What a block takes for gas at least. */
  baseFee(): Promise<bigint>
  /** Signs a transaction that does nothing, in the place of one that never was sent and holds up all later ones. */
  fillGap(gasNonce: number): Promise<GasTransaction>
  head(): Promise<Head>
  balanceOf(address: Hex): Promise<bigint>
  readonly progress: Reader['progress']
  readonly transfers: Reader['transfers']
  selfCheck(): Promise<SelfCheck>
  close(): Promise<void>
}

export function createEvmChain(options: EvmChainOptions): EvmChain {
  const { chainId, clock } = options
  const asset = lowerCase(options.asset)
  const rpc = createRpc(options)
  const { confirmations, finalAfterBlocks } = options
  const reader = createReader({ rpc, token: asset, confirmations, finalAfterBlocks })
  const gasWallet = createGasWallet({ ...options, rpc })
  const refundWallet = createRefundWallet({ ...options, asset })

  async function findAuthorization(topic: Hex, from: Hex, nonce: Hex, fromBlock?: bigint) {
    const log = await reader.findLog([topic, topicOf(from), lowerCase(nonce)], fromBlock)
    return log === undefined ? undefined : lowerCase(log.transactionHash)
  }

  async function check(): Promise<SelfCheck> {
    const { problems } = await checkChain({ rpc, chainId, token: asset, clock })
    if (problems.length > 0) return { problems, warnings: [] }
    const warnings: string[] = []
    const [separator] = await rpc.ask([
      {
        method: 'eth_call',
        params: [
          {
            to: asset,
            data: encodeFunctionData({ abi: dollarAbi, functionName: 'DOMAIN_SEPARATOR' }),
          },
          'latest',
        ],
      },
    ])
    const domain = { name: options.assetName, version: options.assetVersion, chainId, asset }
    const own = separator !== undefined && 'result' in separator ? separator.result : undefined
    const found: string[] = []
    if (own !== domainSeparator(domain)) {
      found.push(
        `The token at ${asset} does not sign as "${domain.name}" version "${domain.version}" on chain ${chainId}, so it would refuse every payment.`,
      )
    }
    if (gasWallet !== undefined && !(await gasWallet.canPay())) {
      found.push(
        `The gas wallet ${gasWallet.address} cannot pay for a settlement. Send it some of the chain's coin.`,
      )
    }
    if (refundWallet !== undefined && (await reader.balanceOf(refundWallet.address)) === 0n) {
      warnings.push(
        `The refund wallet ${refundWallet.address} is empty: refunds wait until it is not.`,
      )
    }
    return { problems: found, warnings }
  }

  function signer(): NonNullable<typeof gasWallet> {
    if (gasWallet === undefined) throw new TypeError('This chain was opened without a gas key.')
    return gasWallet
  }

  return {
    chainId,
    asset,
    gasAddress: gasWallet?.address,
    refundAddress: refundWallet?.address,
    async simulateTransferWithAuthorization(payment) {
      const call = { from: gasWallet?.address, to: asset, data: encodeTransfer(payment) }
      const [reply] = await rpc.ask([{ method: 'eth_call', params: [call, 'latest'] }])
      const simulated = readSimulation(reply, 'eth_call')
      return 'reason' in simulated ? { ok: false, reason: simulated.reason } : { ok: true }
    },
    async hasCode(address) {
      const code: Hex = await rpc.call('eth_getCode', [address, 'latest'])
      return code !== '0x'
    },
    async isValidSignature(from, digest, signature) {
      const data = encodeDeployData({
        abi: erc6492SignatureValidatorAbi,
        bytecode: erc6492SignatureValidatorByteCode,
        args: [from, digest, signature],
      })
      const [reply] = await rpc.ask([{ method: 'eth_call', params: [{ data }, 'latest'] }])
      const simulated = readSimulation(reply, 'eth_call')
      return 'result' in simulated && BigInt(simulated.result) === 1n
    },
    signSettlement: (payment, { replaces } = {}) =>
      signer().sign({ to: asset, data: encodeTransfer(payment) }, replaces),
    async signRefund({ refundId, to, amount }, { replaces } = {}) {
      if (refundWallet === undefined)
        throw new TypeError('This chain was opened without a refund key.')
      const nonce = refundName(refundId)
      const { timestampS } = await reader.head()
      const payment = await refundWallet.authorize({ to, amount, nonce, headS: timestampS })
      const signed = await signer().sign({ to: asset, data: encodeTransfer(payment) }, replaces)
      return { ...signed, nonce, validBeforeS: Number(payment.authorization.validBefore) }
    },
    async broadcast(raw) {
      const replies = await rpc.ask([
        { method: 'eth_sendRawTransaction', params: [raw] },
        { method: 'eth_getTransactionCount', params: [signer().address, 'latest'] },
      ])
      const sent = readBroadcast(replies[0])
      // Some nodes know a transaction for as long as they run, whatever was mined in its place.
      const mined = replies[1] && 'result' in replies[1] ? Number(replies[1].result) : 0
      return sent.outcome === 'known' && mined > (parseTransaction(raw).nonce ?? 0)
        ? { outcome: 'refused', reason: 'nonce_too_low' }
        : sent
    },
    receipt: reader.receipt,
    async authorizationState(from, nonce, { atBlock } = {}) {
      const args = [from, nonce] as const
      const functionName = 'authorizationState'
      const data: Hex = await rpc.call('eth_call', [
        { to: asset, data: encodeFunctionData({ abi: dollarAbi, functionName, args }) },
        atBlock === undefined ? 'latest' : `0x${atBlock.toString(16)}`,
      ])
      return decodeFunctionResult({ abi: dollarAbi, functionName, data })
    },
    findAuthorizationUsed: (from, nonce, { fromBlock } = {}) =>
      findAuthorization(authorizationUsedTopic, from, nonce, fromBlock),
    findAuthorizationCancelled: (from, nonce, { fromBlock } = {}) =>
      findAuthorization(authorizationCancelledTopic, from, nonce, fromBlock),
    gasNonces: () => signer().nonces(),
    baseFee: () => signer().baseFee(),
    fillGap: (gasNonce) => signer().fillGap(gasNonce),
    head: reader.head,
    balanceOf: reader.balanceOf,
    progress: reader.progress,
    transfers: reader.transfers,
    selfCheck: () => reportUnavailable(check),
    close: rpc.close,
  }
}
