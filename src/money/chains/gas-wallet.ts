// The wallet that pays for transactions. Their numbers come from one lane, and a number is taken last of all: what could
// fail has succeeded by then, so that a gap is left by a crash alone.
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
import { readSimulation } from './refusal.ts'
import { type Rpc, resultOf } from './rpc.ts'

/** Chains that name no tip still take one; it is a thousandth of a gwei. */
const tipDefault = 1_000_000n
/** What a dear settlement uses, for the question whether the wallet can pay for one. */
const settlementGas = 150_000n

export interface GasTransaction extends SignedTransaction {
  readonly gasNonce: number
}

export interface GasWallet {
  readonly address: Hex
  sign(call: { to: Hex; data: Hex }, replaces: Hex | undefined): Promise<GasTransaction>
  fillGap(gasNonce: number): Promise<GasTransaction>
  nonces(): Promise<{ mined: number; pending: number }>
  baseFee(): Promise<bigint>
  canPay(): Promise<boolean>
}

interface Place {
  readonly gasNonce: number
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

export function createGasWallet(options: {
  rpc: Rpc
  chainId: number
  gasKey?: Hex | undefined
  nonceLane?: NonceLane | undefined
}): GasWallet | undefined {
  const { rpc, chainId, gasKey, nonceLane } = options
  if (gasKey === undefined) return undefined
  if (nonceLane === undefined) throw new TypeError('A gas key needs a lane for its nonces.')
  const lane = nonceLane
  const account = privateKeyToAccount(gasKey)
  const address = lowerCase(account.address)

  async function prepare(call: { to: Hex; data: Hex }) {
    const replies = await rpc.ask([
      { method: 'eth_estimateGas', params: [{ from: address, ...call }, 'latest'] },
      { method: 'eth_getTransactionCount', params: [address, 'latest'] },
      { method: 'eth_getBlockByNumber', params: ['latest', false] },
      { method: 'eth_maxPriorityFeePerGas' },
    ])
    const estimate = readSimulation(replies[0], 'eth_estimateGas')
    if ('reason' in estimate) throw new ChainRefusal(estimate.reason)
    const block = resultOf(replies[2], 'eth_getBlockByNumber')
    const tip = replies[3]
    const maxPriorityFeePerGas =
      tip !== undefined && 'result' in tip ? BigInt(tip.result) : tipDefault
    return {
      gas: (BigInt(estimate.result) * 5n) / 4n,
      mined: Number(resultOf(replies[1], 'eth_getTransactionCount')),
      signedAtBlock: BigInt(block.number),
      // Room for the base fee to double before the transaction is in a block.
      maxFeePerGas: BigInt(block.baseFeePerGas ?? '0x0') * 2n + maxPriorityFeePerGas,
      maxPriorityFeePerGas,
    }
  }

  async function signAt(
    call: { to: Hex; data: Hex },
    place: (prepared: Awaited<ReturnType<typeof prepare>>) => Promise<Place>,
  ): Promise<GasTransaction> {
    const prepared = await prepare(call)
    const { gasNonce, ...fees } = await place(prepared)
    const raw = await account.signTransaction({
      type: 'eip1559',
      chainId,
      nonce: gasNonce,
      gas: prepared.gas,
      ...call,
      ...fees,
    })
    return { raw, hash: keccak256(raw), gasNonce, signedAtBlock: prepared.signedAtBlock }
  }

  return {
    address,
    sign: (call, replaces) =>
      signAt(call, async (prepared) => {
        const { maxFeePerGas, maxPriorityFeePerGas } = prepared
        if (replaces !== undefined) return dearer(replaces, prepared)
        return { maxFeePerGas, maxPriorityFeePerGas, gasNonce: await lane.reserve(prepared.mined) }
      }),
    fillGap: (gasNonce) =>
      signAt({ to: address, data: '0x' }, async (prepared) => ({
        gasNonce,
        maxFeePerGas: prepared.maxFeePerGas * 2n,
        maxPriorityFeePerGas: prepared.maxPriorityFeePerGas * 2n,
      })),
    async nonces() {
      const replies = await rpc.ask([
        { method: 'eth_getTransactionCount', params: [address, 'latest'] },
        { method: 'eth_getTransactionCount', params: [address, 'pending'] },
      ])
      const [mined = 0, pending = 0] = replies.map((reply) =>
        Number(resultOf(reply, 'eth_getTransactionCount')),
      )
      return { mined, pending }
    },
    async baseFee() {
      const block = await rpc.call('eth_getBlockByNumber', ['latest', false])
      return BigInt(block.baseFeePerGas ?? '0x0')
    },
    async canPay() {
      const replies = await rpc.ask([
        { method: 'eth_getBalance', params: [address, 'latest'] },
        { method: 'eth_gasPrice' },
      ])
      const price = BigInt(resultOf(replies[1], 'eth_gasPrice'))
      return BigInt(resultOf(replies[0], 'eth_getBalance')) >= price * settlementGas
    },
  }
}

/** Nodes take a replacement that pays a tenth more than what it replaces. */
function dearer(replaces: Hex, now: { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }): Place {
  const { nonce, maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = parseTransaction(replaces)
  if (nonce === undefined) throw new ChainUnavailable('The transaction to replace has no number.')
  const more = (fee: bigint, current: bigint) => {
    const raised = (fee * 9n) / 8n + 1n
    return raised > current ? raised : current
  }
  return {
    gasNonce: nonce,
    maxFeePerGas: more(maxFeePerGas, now.maxFeePerGas),
    maxPriorityFeePerGas: more(maxPriorityFeePerGas, now.maxPriorityFeePerGas),
  }
}
