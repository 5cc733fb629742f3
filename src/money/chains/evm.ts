// The chain of x402: an EVM chain and the dollar token on it. It asks, signs and sends; it decides nothing about
// payments.
import { encodeFunctionData, parseTransaction } from 'viem'
import type { Clock } from '#core/ports.ts'
import { type Authorizations, createAuthorizations } from './authorizations.ts'
import type { Broadcast, Hex, NonceLane, SelfCheck } from './chain.ts'
import { lowerCase } from './chain.ts'
import { type ContractWallets, createContractWallets } from './contract-wallets.ts'
import {
  dollarAbi,
  domainSeparator,
  encodeTransfer,
  refundName,
  type SignedAuthorization,
} from './dollar.ts'
import { type GasReserve, transactionsLeftLow } from './gas-reserve.ts'
import { createGasWallet, type GasTransaction, type GasWallet } from './gas-wallet.ts'
import {
  createPermits,
  encodePermitSettlement,
  type Permits,
  type SignedPermit,
  uptoProxy,
} from './permits.ts'
import { createReader, type Reader } from './reader.ts'
import { createRefundWallet, type RefundWallet } from './refund-wallet.ts'
import { readBroadcast, readSimulation } from './refusal.ts'
import { createRpc, type Rpc, type RpcReply } from './rpc.ts'
import { checkChain, reportUnavailable } from './self-check.ts'

export interface EvmChainDependencies {
  readonly rpcUrl: string
  readonly chainId: number
  readonly asset: Hex
  /** Name and version in the token's EIP-712 domain. They differ between networks. */
  readonly assetName: string
  readonly assetVersion: string
  readonly clock: Clock
  /** Pays for settlements and refunds in the chain's own coin. Without it, the chain can sign nothing. */
  readonly gasKey?: Hex | undefined
  readonly refundKey?: Hex | undefined
  readonly nonceLane?: NonceLane | undefined
  /** Depth at which a receipt counts, its own block included. */
  readonly confirmations?: number | undefined
  /** Depth at which a block is final. Unset: the node says which block is final. */
  readonly finalAfterBlocks?: number | undefined
  readonly timeoutMs?: number | undefined
}

/** Every function throws ChainUnavailable when the node cannot be asked. */
export interface EvmChain
  extends Authorizations,
    ContractWallets,
    Permits,
    Omit<Reader, 'findLog'> {
  readonly chainId: number
  readonly asset: Hex
  readonly gasAddress: Hex | undefined
  readonly refundAddress: Hex | undefined
  /**
   * Signs the transaction that carries out a payment, and sends nothing. Throws ChainRefusal when the token would
   * refuse the payment now; this reserves no number of the lane. `replaces` is a stuck transaction: the new one takes
   * its number and pays more.
   */
  signSettlement(
    payment: SignedAuthorization,
    options?: { replaces?: Hex },
  ): Promise<GasTransaction>
  /** The same for a payment by a permit, of which it takes this amount. */
  signPermitSettlement(payment: SignedPermit, amount: bigint): Promise<GasTransaction>
  /** The same for a refund. The token carries out each `refundId` once and refuses later ones with `nonce_used`. */
  signRefund(
    refund: { refundId: string; to: Hex; amount: bigint },
    options?: { replaces?: Hex },
  ): Promise<GasTransaction & { readonly nonce: Hex; readonly validBeforeS: number }>
  broadcast(raw: Hex): Promise<Broadcast>
  /** How many transactions of the gas wallet are in blocks, and how many when the node's pool is counted too. */
  gasNonces(): Promise<{ readonly mined: number; readonly pending: number }>
  /** The lowest price of gas that the newest block accepts, in wei. */
  baseFee(): Promise<bigint>
  /** Undefined without a gas key. */
  readonly gasReserve: (() => Promise<GasReserve>) | undefined
  /** Signs a transaction that does nothing. It fills a number that was never sent and so blocks all later ones. */
  fillGap(gasNonce: number): Promise<GasTransaction>
  selfCheck(): Promise<SelfCheck>
  close(): Promise<void>
}

export function createEvmChain(dependencies: EvmChainDependencies): EvmChain {
  const { chainId, confirmations, finalAfterBlocks } = dependencies
  const asset = lowerCase(dependencies.asset)
  const rpc = createRpc(dependencies)
  const { findLog, ...reader } = createReader({
    rpc,
    token: asset,
    confirmations,
    finalAfterBlocks,
  })
  const gasWallet = createGasWallet({ ...dependencies, rpc })
  const gasAddress = gasWallet?.address
  const refundWallet = createRefundWallet({ ...dependencies, asset })

  function signer(): GasWallet {
    if (gasWallet === undefined) throw new TypeError('This chain was opened without a gas key.')
    return gasWallet
  }

  const sign = (payment: SignedAuthorization, replaces: Hex | undefined) =>
    signer().sign({ to: asset, data: encodeTransfer(payment) }, replaces)

  return {
    chainId,
    asset,
    gasAddress,
    refundAddress: refundWallet?.address,
    ...reader,
    ...createAuthorizations({ rpc, reader: { findLog }, asset, gasAddress }),
    ...createContractWallets(rpc),
    ...createPermits({ rpc, asset, gasAddress }),
    signSettlement: (payment, { replaces } = {}) => sign(payment, replaces),
    signPermitSettlement: (payment, amount) =>
      signer().sign({ to: uptoProxy, data: encodePermitSettlement(payment, amount) }, undefined),
    async signRefund({ refundId, to, amount }, { replaces } = {}) {
      if (refundWallet === undefined)
        throw new TypeError('This chain was opened without a refund key.')
      const nonce = refundName(refundId)
      const { timestampS } = await reader.head()
      const payment = await refundWallet.authorize({ to, amount, nonce, headS: timestampS })
      const signed = await sign(payment, replaces)
      return { ...signed, nonce, validBeforeS: Number(payment.authorization.validBefore) }
    },
    async broadcast(raw) {
      const [sent, mined] = await rpc.ask([
        { method: 'eth_sendRawTransaction', params: [raw] },
        { method: 'eth_getTransactionCount', params: [signer().address, 'latest'] },
      ])
      return readSent(raw, sent, mined)
    },
    gasNonces: () => signer().nonces(),
    baseFee: () => signer().baseFee(),
    gasReserve: gasWallet?.reserve,
    fillGap: (gasNonce) => signer().fillGap(gasNonce),
    selfCheck: () =>
      reportUnavailable(() =>
        check({ ...dependencies, asset, rpc, reader, gasWallet, refundWallet }),
      ),
    close: rpc.close,
  }
}

/** Some nodes call a transaction known for as long as they run, even when a block holds another one with its number. */
function readSent(raw: Hex, sent: RpcReply | undefined, counted: RpcReply | undefined): Broadcast {
  const broadcast = readBroadcast(sent)
  const mined = counted && 'result' in counted ? Number(counted.result) : 0
  return broadcast.outcome === 'known' && mined > (parseTransaction(raw).nonce ?? 0)
    ? { outcome: 'refused', reason: 'nonce_too_low' }
    : broadcast
}

async function check(
  parts: EvmChainDependencies & {
    rpc: Rpc
    reader: Pick<Reader, 'balanceOf'>
    gasWallet: GasWallet | undefined
    refundWallet: RefundWallet | undefined
  },
): Promise<SelfCheck> {
  const { asset, rpc, reader, gasWallet, refundWallet } = parts
  const chain = await checkChain({ ...parts, token: asset })
  if (chain.problems.length > 0) return chain
  const problems = [...(await checkDomain(rpc, parts))]
  const warnings: string[] = []
  if (gasWallet !== undefined) {
    const { transactionsLeft } = await gasWallet.reserve()
    if (transactionsLeft === 0)
      problems.push(
        `The gas wallet ${gasWallet.address} cannot pay for a settlement. Send it some of the chain's coin.`,
      )
    else if (transactionsLeft < transactionsLeftLow)
      warnings.push(
        `The gas wallet ${gasWallet.address} pays for fewer than ${transactionsLeftLow} more settlements. Send it some of the chain's coin.`,
      )
  }
  if (refundWallet !== undefined && (await reader.balanceOf(refundWallet.address)) === 0n) {
    warnings.push(
      `The refund wallet ${refundWallet.address} is empty: refunds wait until it is not.`,
    )
  }
  return { problems, warnings }
}

async function checkDomain(
  rpc: Rpc,
  dependencies: EvmChainDependencies,
): Promise<readonly string[]> {
  const { assetName: name, assetVersion: version, chainId, asset } = dependencies
  const data = encodeFunctionData({ abi: dollarAbi, functionName: 'DOMAIN_SEPARATOR' })
  const call = { method: 'eth_call', params: [{ to: asset, data }, 'latest'] }
  const [reply] = await rpc.ask([call])
  // A node that refuses to answer, because too many ask, says nothing about the token.
  const read = readSimulation(reply, 'eth_call')
  const separator = 'result' in read ? read.result : undefined
  return separator === domainSeparator({ name, version, chainId, asset })
    ? []
    : [
        `The token at ${asset} does not sign as "${name}" version "${version}" on chain ${chainId}, so it would refuse every payment.`,
      ]
}
