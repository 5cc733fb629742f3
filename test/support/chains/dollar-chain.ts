// The x402 chain: the chain id of Base Sepolia, with an EIP-3009 dollar at the address of its USDC.
import { setTimeout as delay } from 'node:timers/promises'
import { encodeFunctionData, parseAbi } from 'viem'
import { startNode } from './anvil.ts'
import contracts from './contracts.json' with { type: 'json' }
import { type LocalChain, mining, openChain, type Wallet } from './local-chain.ts'

const dollar = '0x036cbd53842c5426634e7929541ec2318f3dcf7e'
const receiptPollMs = 5
const receiptTriesMax = 1_000
const abi = parseAbi([
  'function mint(address to, uint256 value)',
  'function block_(address account, bool blocked)',
  'function pause(bool on)',
  'function own(address newOwner)',
])

export interface DollarChain extends LocalChain {
  /** The token refuses transfers from and to this address, as the real one can. */
  block(address: `0x${string}`, blocked?: boolean): Promise<void>
  pause(on: boolean): Promise<void>
  /** Creates a contract wallet that accepts its owner's signatures of 66 bytes (r, s, v, 0). */
  plantWallet(address: `0x${string}`, owner: `0x${string}`): Promise<void>
}

export async function startDollarChain(issuer: Wallet): Promise<DollarChain> {
  const node = await startNode(['--chain-id', '84532', ...mining])
  await node.rpc('anvil_setCode', [dollar, contracts.LocalDollar])
  const sendNow = async (to: string, data: string) => {
    const hash = await node.rpc('eth_sendTransaction', [{ from: issuer.address, to, data }])
    for (let tries = 0; tries < receiptTriesMax; tries += 1) {
      if ((await node.rpc('eth_getTransactionReceipt', [hash])) !== null) return
      await delay(receiptPollMs)
    }
    throw new Error('This chain is not mining blocks.')
  }
  // One after the other, because two at once would receive the same nonce.
  let sending: Promise<unknown> = Promise.resolve()
  const send = (to: string, data: string): Promise<void> => {
    const sent = sending.then(() => sendNow(to, data))
    sending = sent.catch(() => {})
    return sent
  }
  return {
    ...openChain(node, 84532, dollar),
    mint: (to, value) =>
      send(dollar, encodeFunctionData({ abi, functionName: 'mint', args: [to, value] })),
    block: (account, blocked = true) =>
      send(dollar, encodeFunctionData({ abi, functionName: 'block_', args: [account, blocked] })),
    pause: (on) => send(dollar, encodeFunctionData({ abi, functionName: 'pause', args: [on] })),
    async plantWallet(address, owner) {
      await node.rpc('anvil_setCode', [address, contracts.LocalWallet])
      await send(address, encodeFunctionData({ abi, functionName: 'own', args: [owner] }))
    },
  }
}
