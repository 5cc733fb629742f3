import { expect, test } from 'vitest'
import type { Hex } from './chain.ts'
import type { RpcLog } from './dollar.ts'
import { createReader } from './reader.ts'
import { type Rpc, type RpcMethod, resultOf } from './rpc.ts'

const token: Hex = `0x${'1'.repeat(40)}`
const newest = 1_000_000

/** A node with one log in this block, which answers searches of 2,000 blocks at most. */
function readerOf(logBlock: number) {
  const searched: string[] = []
  const log: RpcLog = {
    address: token,
    topics: [],
    data: '0x',
    blockNumber: '0x1',
    transactionHash: '0xfound',
  }
  function answer(method: RpcMethod, [filter]: readonly unknown[]) {
    if (method === 'eth_blockNumber') return `0x${newest.toString(16)}`
    const { fromBlock, toBlock } = filter as { fromBlock: string; toBlock: string }
    searched.push(fromBlock)
    expect(Number(toBlock) - Number(fromBlock)).toBeLessThan(2_000)
    return Number(fromBlock) <= logBlock && logBlock <= Number(toBlock) ? [log] : []
  }
  const rpc: Rpc = {
    ask: () => Promise.reject(new Error('not asked')),
    call: async (method: RpcMethod, params: readonly unknown[] = []) =>
      resultOf({ result: answer(method, params) }, method),
    close: async () => {},
  }
  return { searched, reader: createReader({ rpc, token }) }
}

test.each([
  ['just after it was looked for first, however long ago', 1_500, 1_000],
  ['in the newest block', newest, 1_000],
  ['in the newest block, where the search begins', newest, newest],
  ['a while ago, in an unknown block', newest - 15_000, undefined],
  ['in an earlier block than it was signed at, after a reorganisation', newest - 9, newest - 5],
  ['on a chain that a reorganisation made shorter', newest - 2, newest + 3],
  ['just before it was looked for first, however long ago', 990, 1_000],
])('a log is found %s', async (_, logBlock, fromBlock) => {
  const { reader } = readerOf(logBlock)
  const from = fromBlock === undefined ? undefined : BigInt(fromBlock)
  expect(await reader.findLog([], from)).toMatchObject({ transactionHash: '0xfound' })
})

test('the search for a missing log takes few requests, none of them twice', async () => {
  const { reader, searched } = readerOf(-1)
  expect(await reader.findLog([], 1_000n)).toBeUndefined()
  expect(searched.length).toBeLessThan(12)
  expect(new Set(searched).size).toBe(searched.length)
})
