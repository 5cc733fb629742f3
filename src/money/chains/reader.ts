// What is read in the same way from every chain.
import { decodeFunctionResult, encodeFunctionData, toHex } from 'viem'
import {
  type BlockTransfer,
  type Head,
  type Hex,
  lowerCase,
  type Progress,
  type Receipt,
  type SeenBlock,
} from './chain.ts'
import {
  dollarAbi,
  type RpcLog,
  type RpcReceipt,
  readReceipt,
  readTransfer,
  topicOf,
  transferTopic,
} from './dollar.ts'
import { type Rpc, resultOf } from './rpc.ts'

/** Public nodes refuse wider searches of logs. */
const blocksPerSearch = 2_000n
const searchesMax = 10
/** Where a node does not say which block is final: longer than any reorganisation of these networks is known to have been. */
const blocksUntilFinalDefault = 1_800

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
  progress(seen?: SeenBlock): Promise<Progress>
  /** All transfers of the token from, or to, an address in these blocks. */
  transfers(filter: {
    from?: Hex
    to?: Hex
    fromBlock: number
    toBlock: number
  }): Promise<BlockTransfer[]>
}

export function createReader(options: {
  rpc: Rpc
  token: Hex
  confirmations?: number | undefined
  /** Blocks after which one is final. Unset: the node's `finalized` block is. */
  finalAfterBlocks?: number | undefined
}): Reader {
  const { rpc, token, confirmations = 1, finalAfterBlocks } = options

  async function logsOf(
    topics: readonly (Hex | null)[],
    from: bigint,
    to: bigint,
  ): Promise<RpcLog[]> {
    const [fromBlock, toBlock] = [toHex(from), toHex(to)]
    return await rpc.call('eth_getLogs', [{ address: token, topics, fromBlock, toBlock }])
  }

  async function search(topics: readonly (Hex | null)[], from: bigint, to: bigint) {
    return (await logsOf(topics, from, to)).at(-1)
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
    async progress(seen) {
      const block = 'eth_getBlockByNumber'
      const replies = await rpc.ask([
        { method: block, params: ['latest', false] },
        ...(finalAfterBlocks === undefined
          ? [{ method: block, params: ['finalized', false] }]
          : []),
        ...(seen === undefined ? [] : [{ method: block, params: [toHex(seen.number), false] }]),
      ])
      const newest = resultOf(replies[0], block)
      const height = Number(newest.number)
      const tagged = finalAfterBlocks === undefined ? replies[1] : undefined
      const final =
        tagged !== undefined && 'result' in tagged && tagged.result !== null
          ? Number(tagged.result.number)
          : height - (finalAfterBlocks ?? blocksUntilFinalDefault)
      const there = seen === undefined ? undefined : resultOf(replies.at(-1), block)
      return {
        newest: { number: height, hash: newest.hash },
        final,
        reorganised: seen !== undefined && there?.hash !== seen.hash,
      }
    },
    async transfers({ from, to, fromBlock, toBlock }) {
      const topics = [transferTopic, from ? topicOf(from) : null, to ? topicOf(to) : null]
      const found: RpcLog[] = []
      for (let first = BigInt(fromBlock); first <= toBlock; first += blocksPerSearch) {
        const last = first + blocksPerSearch - 1n
        found.push(...(await logsOf(topics, first, last < toBlock ? last : BigInt(toBlock))))
      }
      return found.flatMap((log) => {
        const transfer = readTransfer(log)
        const place = { hash: lowerCase(log.transactionHash), block: Number(log.blockNumber) }
        return transfer === undefined ? [] : [{ ...transfer, ...place }]
      })
    },
  }
}
