// What is read in the same way from every chain.
import { decodeFunctionResult, encodeFunctionData } from 'viem'
import type { Head, Hex, Receipt } from './chain.ts'
import { dollarAbi, type RpcLog, type RpcReceipt, readReceipt } from './dollar.ts'
import { type Rpc, resultOf } from './rpc.ts'

/** Public nodes refuse wider searches of logs. */
const blocksPerSearch = 2_000n
const searchesMax = 10

export interface Reader {
  head(): Promise<Head>
  /** Undefined while it is in no block, or not yet as deep as `confirmations`. */
  receipt(hash: Hex): Promise<Receipt | undefined>
  /** Whether it is in a block, however new. */
  isMined(hash: Hex): Promise<boolean>
  balanceOf(address: Hex): Promise<bigint>
  /**
   * The newest log of the token with these topics, from `fromBlock` on, or as far back as the limits allow; and then what
   * is near `fromBlock`, however long ago that was.
   */
  findLog(topics: readonly (Hex | null)[], fromBlock?: bigint): Promise<RpcLog | undefined>
}

export function createReader(options: {
  rpc: Rpc
  token: Hex
  confirmations?: number | undefined
}): Reader {
  const { rpc, token, confirmations = 1 } = options

  async function search(topics: readonly (Hex | null)[], from: bigint, to: bigint) {
    const logs: RpcLog[] = await rpc.call('eth_getLogs', [
      {
        address: token,
        topics,
        fromBlock: `0x${from.toString(16)}`,
        toBlock: `0x${to.toString(16)}`,
      },
    ])
    return logs.at(-1)
  }

  return {
    async head() {
      const block = await rpc.call('eth_getBlockByNumber', ['latest', false])
      return { number: BigInt(block.number), timestampS: Number(block.timestamp) }
    },
    async receipt(hash) {
      const replies = await rpc.ask([
        { method: 'eth_getTransactionReceipt', params: [hash] },
        { method: 'eth_blockNumber' },
      ])
      const found: RpcReceipt | null = resultOf(replies[0], 'eth_getTransactionReceipt')
      const height = BigInt(resultOf(replies[1], 'eth_blockNumber'))
      if (found === null || found.blockNumber === null) return undefined
      const receipt = readReceipt(found)
      return height - receipt.blockNumber + 1n >= BigInt(confirmations) ? receipt : undefined
    },
    async isMined(hash) {
      const found: RpcReceipt | null = await rpc.call('eth_getTransactionReceipt', [hash])
      return found !== null && found.blockNumber !== null
    },
    async balanceOf(address) {
      const data = encodeFunctionData({
        abi: dollarAbi,
        functionName: 'balanceOf',
        args: [address],
      })
      const word: Hex = await rpc.call('eth_call', [{ to: token, data }, 'latest'])
      return decodeFunctionResult({ abi: dollarAbi, functionName: 'balanceOf', data: word })
    },
    async findLog(topics, fromBlock) {
      const newest = BigInt(await rpc.call('eth_blockNumber'))
      const farthest = newest - blocksPerSearch * BigInt(searchesMax) + 1n
      const oldest = [fromBlock ?? farthest, farthest, 0n].reduce((a, b) => (a > b ? a : b))
      for (let last = newest; last >= oldest; last -= blocksPerSearch) {
        const first = last - blocksPerSearch + 1n
        const found = await search(topics, first > oldest ? first : oldest, last)
        if (found !== undefined) return found
      }
      // Whatever has been away for long: most traces are near where they begin.
      if (fromBlock !== undefined && fromBlock < oldest) {
        const last = fromBlock + blocksPerSearch - 1n
        return await search(topics, fromBlock, last < oldest ? last : oldest - 1n)
      }
      return undefined
    },
  }
}
