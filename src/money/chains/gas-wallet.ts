// The wallet that pays for transactions. Their numbers come from one lane. A number is reserved last, when every step
// that can fail has succeeded, so only a crash leaves a gap.
import { keccak256, parseTransaction } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import {
  ChainRefusal,
  ChainUnavailable,
  type Hex,
  lowerCase,
  type NonceLane,
  type SignedTransaction,
} from './chain.ts'
import type { GasReserve } from './gas-reserve.ts'
import { readSimulation } from './refusal.ts'
import { type Rpc, type RpcCall, type RpcReply, resultOf } from './rpc.ts'

/** For chains that suggest no tip: a thousandth of a gwei, in wei. */
const tipDefault = 1_000_000n
/** The gas of an expensive settlement. The wallet must be able to pay for at least one. */
const settlementGas = 150_000n

export interface GasTransaction extends SignedTransaction {
  readonly gasNonce: number
}

export interface GasWallet {
  readonly address: Hex
  sign(call: GasCall, replaces: Hex | undefined): Promise<GasTransaction>
  fillGap(gasNonce: number): Promise<GasTransaction>
  nonces(): Promise<{ mined: number; pending: number }>
  baseFee(): Promise<bigint>
  reserve(): Promise<GasReserve>
}

interface GasCall {
  readonly to: Hex
  readonly data: Hex
}

interface Fees {
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

/** What the node asks for a call at this moment. */
interface GasQuote extends Fees {
  readonly gas: bigint
  /** How many transactions of the wallet are in blocks. */
  readonly mined: number
  readonly signedAtBlock: bigint
}

interface GasPlace extends Fees {
  readonly gasNonce: number
}

export function createGasWallet(dependencies: {
  rpc: Rpc
  chainId: number
  gasKey?: Hex | undefined
  nonceLane?: NonceLane | undefined
}): GasWallet | undefined {
  const { rpc, chainId, gasKey, nonceLane: lane } = dependencies
  if (gasKey === undefined) return undefined
  if (lane === undefined) throw new TypeError('A gas key needs a lane for its nonces.')
  const account = privateKeyToAccount(gasKey)
  const address = lowerCase(account.address)

  async function signAt(
    call: GasCall,
    choosePlace: (quote: GasQuote) => GasPlace | Promise<GasPlace>,
  ): Promise<GasTransaction> {
    const quote = readQuote(await rpc.ask(quoteCalls(address, call)))
    const { gasNonce, maxFeePerGas, maxPriorityFeePerGas } = await choosePlace(quote)
    const raw = await account.signTransaction({
      type: 'eip1559',
      chainId,
      nonce: gasNonce,
      gas: quote.gas,
      ...call,
      maxFeePerGas,
      maxPriorityFeePerGas,
    })
    return { raw, hash: keccak256(raw), gasNonce, signedAtBlock: quote.signedAtBlock }
  }

  return {
    address,
    sign: (call, replaces) =>
      signAt(call, async (quote) =>
        replaces === undefined
          ? { ...quote, gasNonce: await lane.reserve(quote.mined) }
          : placeOfReplacement(replaces, quote),
      ),
    fillGap: (gasNonce) =>
      signAt({ to: address, data: '0x' }, (quote) => ({
        gasNonce,
        maxFeePerGas: quote.maxFeePerGas * 2n,
        maxPriorityFeePerGas: quote.maxPriorityFeePerGas * 2n,
      })),
    async nonces() {
      const count = 'eth_getTransactionCount'
      const [mined, pending] = await rpc.ask([
        { method: count, params: [address, 'latest'] },
        { method: count, params: [address, 'pending'] },
      ])
      return { mined: Number(resultOf(mined, count)), pending: Number(resultOf(pending, count)) }
    },
    async baseFee() {
      return baseFeeOf(await rpc.call('eth_getBlockByNumber', ['latest', false]))
    },
    async reserve() {
      const [balance, price] = await rpc.ask([
        { method: 'eth_getBalance', params: [address, 'latest'] },
        { method: 'eth_gasPrice' },
      ])
      const cost = BigInt(resultOf(price, 'eth_gasPrice')) * settlementGas
      const held = BigInt(resultOf(balance, 'eth_getBalance'))
      // A chain may have no price at this moment.
      const left = held / (cost > 0n ? cost : 1n)
      return { address, balance: held, transactionsLeft: Number(left) }
    },
  }
}

const quoteCalls = (address: Hex, call: GasCall): RpcCall[] => [
  { method: 'eth_estimateGas', params: [{ from: address, ...call }, 'latest'] },
  { method: 'eth_getTransactionCount', params: [address, 'latest'] },
  { method: 'eth_getBlockByNumber', params: ['latest', false] },
  { method: 'eth_maxPriorityFeePerGas' },
]

/** Throws ChainRefusal when the call would fail. */
function readQuote([gas, mined, head, tip]: readonly RpcReply[]): GasQuote {
  const estimate = readSimulation(gas, 'eth_estimateGas')
  if ('reason' in estimate) throw new ChainRefusal(estimate.reason)
  const block = resultOf(head, 'eth_getBlockByNumber')
  const maxPriorityFeePerGas =
    tip !== undefined && 'result' in tip
      ? BigInt(resultOf(tip, 'eth_maxPriorityFeePerGas'))
      : tipDefault
  return {
    gas: (BigInt(estimate.result) * 5n) / 4n,
    mined: Number(resultOf(mined, 'eth_getTransactionCount')),
    signedAtBlock: BigInt(block.number),
    // The base fee may double before the transaction is in a block.
    maxFeePerGas: baseFeeOf(block) * 2n + maxPriorityFeePerGas,
    maxPriorityFeePerGas,
  }
}

const baseFeeOf = (block: { baseFeePerGas?: string }): bigint =>
  BigInt(block.baseFeePerGas ?? '0x0')

/** A node accepts a replacement that pays at least a tenth more than the transaction it replaces. */
function placeOfReplacement(replaces: Hex, quote: Fees): GasPlace {
  const { nonce, maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = parseTransaction(replaces)
  if (nonce === undefined) throw new ChainUnavailable('The transaction to replace has no number.')
  const more = (fee: bigint, current: bigint) => {
    const raised = (fee * 9n) / 8n + 1n
    return raised > current ? raised : current
  }
  return {
    gasNonce: nonce,
    maxFeePerGas: more(maxFeePerGas, quote.maxFeePerGas),
    maxPriorityFeePerGas: more(maxPriorityFeePerGas, quote.maxPriorityFeePerGas),
  }
}
