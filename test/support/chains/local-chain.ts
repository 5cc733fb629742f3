import { encodeFunctionData, erc20Abi } from 'viem'
import type { Node } from './anvil.ts'
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts'

type Hex = `0x${string}`

export interface Wallet {
  readonly address: Hex
  readonly privateKey: Hex
}

/** A running chain and its dollar token. Amounts are in base units, a million per dollar. */
export interface LocalChain extends Node {
  readonly chainId: number
  readonly asset: Hex
  balanceOf(address: Hex): Promise<bigint>
  mint(address: Hex, amount: bigint): Promise<void>
  mine(blocks?: number): Promise<void>
  /** Off: no block is mined, and transactions wait in the pool until `mine`. Do not mint meanwhile. */
  automine(on: boolean): Promise<void>
  /** Moves the chain's clock forward and mines a block with the new time. */
  increaseTime(seconds: number): Promise<void>
  /** A new fault proxy in front of this node. It closes with the chain. */
  proxy(): Promise<FaultProxy>
}

/** A block for each transaction and one each second, so that the time of the head advances. */
export const mining = ['--block-time', '1', '--mixed-mining']
const blockTimeMs = 1_000

export function openChain(node: Node, chainId: number, asset: Hex): Omit<LocalChain, 'mint'> {
  const proxies: FaultProxy[] = []
  let heartbeat: NodeJS.Timeout | undefined
  return {
    ...node,
    chainId,
    asset,
    async balanceOf(address) {
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [address] })
      return BigInt(await node.rpc('eth_call', [{ to: asset, data }, 'latest']))
    },
    async mine(blocks = 1) {
      for (let mined = 0; mined < blocks; mined += 1) await node.rpc('evm_mine')
    },
    async automine(on) {
      clearInterval(heartbeat)
      await node.rpc('evm_setIntervalMining', [0])
      if (!on) return
      // The node cannot return to doing both, so this timer mines the block of each second.
      await node.rpc('evm_setAutomine', [true])
      await node.rpc('evm_mine')
      heartbeat = setInterval(() => node.rpc('evm_mine').catch(() => {}), blockTimeMs).unref()
    },
    async increaseTime(seconds) {
      await node.rpc('evm_increaseTime', [seconds])
      await node.rpc('evm_mine')
    },
    async proxy() {
      const proxy = await startFaultProxy(node.rpcUrl)
      proxies.push(proxy)
      return proxy
    },
    async stop() {
      clearInterval(heartbeat)
      await Promise.all(proxies.map((proxy) => proxy.close()))
      await node.stop()
    },
  }
}
