// Reads what every chain answers in the same way.
import { decodeFunctionResult, encodeFunctionData, toHex } from 'viem'
import { type BlockRange, backward, forward, reorganisationBlocksMax } from './block-ranges.ts'
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
  readReceipt,
  readTransfer,
  topicOf,
  transferTopic,
} from './dollar.ts'
import { type Rpc, type RpcCall, type RpcReply, resultOf } from './rpc.ts'

/** For nodes that do not say which block is final. */
const blocksUntilFinalDefault = reorganisationBlocksMax

export interface Reader {
  head(): Promise<Head>
  /** The newest block that no reorganisation can remove. */
  finalHead(): Promise<Head>
  /** Undefined until the transaction is as deep as `confirmations`. */
  receipt(hash: Hex): Promise<Receipt | undefined>
  /** Whether the transaction is in a block, of any depth. */
  isMined(hash: Hex): Promise<boolean>
  balanceOf(address: Hex): Promise<bigint>
  /**
   * The newest log of the token with these topics, from about `fromBlock` on or as far back as the limits allow. Blocks
   * near `fromBlock` are searched in any case, also those before it.
   */
  findLog(topics: readonly (Hex | null)[], fromBlock?: bigint): Promise<RpcLog | undefined>
  progress(seen?: SeenBlock): Promise<Progress>
  /** All transfers of the token from or to an address in these blocks. */
  transfers(filter: {
    from?: Hex
    to?: Hex
    fromBlock: number
    toBlock: number
  }): Promise<BlockTransfer[]>
}

export function createReader(dependencies: {
  rpc: Rpc
  token: Hex
  confirmations?: number | undefined
  /** Depth at which a block is final. Unset: the node's `finalized` block is the newest final one. */
  finalAfterBlocks?: number | undefined
}): Reader {
  const { rpc, token, confirmations = 1, finalAfterBlocks } = dependencies

  async function logsIn(
    { first, last }: BlockRange,
    topics: readonly (Hex | null)[],
  ): Promise<RpcLog[]> {
    const [fromBlock, toBlock] = [toHex(first), toHex(last)]
    return await rpc.call('eth_getLogs', [{ address: token, topics, fromBlock, toBlock }])
  }

  async function headAt(tag: string): Promise<Head> {
    const block = await rpc.call(blockMethod, [tag, false])
    return { number: BigInt(block.number), timestampS: Number(block.timestamp) }
  }

  return {
    head: () => headAt('latest'),
    async finalHead() {
      const { final } = await readProgress(rpc, finalAfterBlocks, undefined)
      return await headAt(toHex(Math.max(final, 0)))
    },
    async receipt(hash) {
      const replies = await rpc.ask([
        { method: 'eth_getTransactionReceipt', params: [hash] },
        { method: 'eth_blockNumber' },
      ])
      const found = resultOf(replies[0], 'eth_getTransactionReceipt')
      const height = BigInt(resultOf(replies[1], 'eth_blockNumber'))
      if (found === null || found.blockNumber === null) return undefined
      const receipt = readReceipt(found)
      return height - receipt.blockNumber + 1n >= BigInt(confirmations) ? receipt : undefined
    },
    async isMined(hash) {
      const found = await rpc.call('eth_getTransactionReceipt', [hash])
      return found !== null && found.blockNumber !== null
    },
    async balanceOf(address) {
      const data = encodeFunctionData({
        abi: dollarAbi,
        functionName: 'balanceOf',
        args: [address],
      })
      const word = await rpc.call('eth_call', [{ to: token, data }, 'latest'])
      return decodeFunctionResult({ abi: dollarAbi, functionName: 'balanceOf', data: word })
    },
    async findLog(topics, fromBlock) {
      const newest = BigInt(await rpc.call('eth_blockNumber'))
      for (const range of backward(newest, fromBlock)) {
        const found = (await logsIn(range, topics)).at(-1)
        if (found !== undefined) return found
      }
      return undefined
    },
    progress: (seen) => readProgress(rpc, finalAfterBlocks, seen),
    async transfers({ from, to, fromBlock, toBlock }) {
      const topics = [transferTopic, from ? topicOf(from) : null, to ? topicOf(to) : null]
      const found: RpcLog[] = []
      for (const range of forward({ first: BigInt(fromBlock), last: BigInt(toBlock) })) {
        found.push(...(await logsIn(range, topics)))
      }
      return found.flatMap(readBlockTransfer)
    },
  }
}

const blockMethod = 'eth_getBlockByNumber'
const blockCall = (tag: string): RpcCall => ({ method: blockMethod, params: [tag, false] })
const blockIn = (reply: RpcReply | undefined) => resultOf(reply, blockMethod)

async function readProgress(
  rpc: Rpc,
  finalAfterBlocks: number | undefined,
  seen: SeenBlock | undefined,
): Promise<Progress> {
  const tags = [
    'latest',
    ...(finalAfterBlocks === undefined ? ['finalized'] : []),
    ...(seen === undefined ? [] : [toHex(seen.number)]),
  ]
  const replies = await rpc.ask(tags.map(blockCall))
  const newest = blockIn(replies[0])
  const height = Number(newest.number)
  return {
    newest: { number: height, hash: newest.hash },
    final: finalAfterBlocks === undefined ? finalIn(replies[1], height) : height - finalAfterBlocks,
    reorganised: seen !== undefined && blockIn(replies.at(-1))?.hash !== seen.hash,
  }
}

/**
 * The number of the final block that a node names. Many nodes refuse this question, so it falls back to a fixed depth.
 */
function finalIn(reply: RpcReply | undefined, height: number): number {
  const isNamed = reply !== undefined && 'result' in reply && reply.result !== null
  return isNamed ? Number(blockIn(reply).number) : height - blocksUntilFinalDefault
}

function readBlockTransfer(log: RpcLog): BlockTransfer[] {
  const transfer = readTransfer(log)
  const place = { hash: lowerCase(log.transactionHash), block: Number(log.blockNumber) }
  return transfer === undefined ? [] : [{ ...transfer, ...place }]
}
