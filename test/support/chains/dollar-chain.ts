// The x402 chain: the chain id of Base Sepolia, with an EIP-3009 dollar at the address of its USDC.
import { setTimeout as delay } from 'node:timers/promises'
import { encodeFunctionData, maxUint256, parseAbi } from 'viem'
import { startNode } from './anvil.ts'
import contracts from './contracts.json' with { type: 'json' }
import { type LocalChain, mining, openChain, type Wallet } from './local-chain.ts'

const dollar = '0x036cbd53842c5426634e7929541ec2318f3dcf7e'
const permit2 = '0x000000000022d473030f116ddee9f6b43ac78ba3'
const uptoProxy = '0x4020a4f3b7b90cca423b9fabcc0ce57c6c240002'
const receiptPollMs = 5
const receiptTriesMax = 1_000
const abi = parseAbi([
  'function mint(address to, uint256 value)',
  'function block_(address account, bool blocked)',
  'function pause(bool on)',
  'function own(address newOwner)',
  'function approve(address spender, uint256 value)',
  'function transfer(address to, uint256 value)',
])

export interface DollarChain extends LocalChain {
  /** The token refuses transfers from and to this address, as the real one can. */
  block(address: `0x${string}`, blocked?: boolean): Promise<void>
  pause(on: boolean): Promise<void>
  /** Creates a contract wallet that accepts its owner's signatures of 66 bytes (r, s, v, 0). */
  plantWallet(address: `0x${string}`, owner: `0x${string}`): Promise<void>
  /** Puts Permit2 and the contract of the scheme upto at their addresses. */
  plantPermits(): Promise<void>
  /** The wallet lets Permit2 take its dollars. */
  approvePermits(wallet: `0x${string}`): Promise<void>
  /** The wallet sends its dollars away. */
  empty(wallet: `0x${string}`): Promise<void>
}

export async function startDollarChain(issuer: Wallet): Promise<DollarChain> {
  const node = await startNode(['--chain-id', '84532', ...mining])
  await node.rpc('anvil_setCode', [dollar, contracts.LocalDollar])
  const sendNow = async (to: string, data: string, from: string) => {
    const hash = await node.rpc('eth_sendTransaction', [{ from, to, data }])
    for (let tries = 0; tries < receiptTriesMax; tries += 1) {
      if ((await node.rpc('eth_getTransactionReceipt', [hash])) !== null) return
      await delay(receiptPollMs)
    }
    throw new Error('This chain is not mining blocks.')
  }
  // One after the other, because two at once would receive the same nonce.
  let sending: Promise<unknown> = Promise.resolve()
  const send = (to: string, data: string, from: string = issuer.address): Promise<void> => {
    const sent = sending.then(() => sendNow(to, data, from))
    sending = sent.catch(() => {})
    return sent
  }
  /** A transaction of another wallet, without its key. */
  const sendAs = async (wallet: `0x${string}`, data: `0x${string}`) => {
    await node.rpc('anvil_setBalance', [wallet, '0xde0b6b3a7640000'])
    await node.rpc('anvil_impersonateAccount', [wallet])
    await send(dollar, data, wallet)
  }
  const chain = openChain(node, 84532, dollar)
  return {
    ...chain,
    mint: (to, value) =>
      send(dollar, encodeFunctionData({ abi, functionName: 'mint', args: [to, value] })),
    block: (account, blocked = true) =>
      send(dollar, encodeFunctionData({ abi, functionName: 'block_', args: [account, blocked] })),
    pause: (on) => send(dollar, encodeFunctionData({ abi, functionName: 'pause', args: [on] })),
    async plantWallet(address, owner) {
      await node.rpc('anvil_setCode', [address, contracts.LocalWallet])
      await send(address, encodeFunctionData({ abi, functionName: 'own', args: [owner] }))
    },
    async plantPermits() {
      await node.rpc('anvil_setCode', [permit2, contracts.LocalPermit2])
      await node.rpc('anvil_setCode', [uptoProxy, contracts.LocalUptoProxy])
    },
    approvePermits: (wallet) =>
      sendAs(
        wallet,
        encodeFunctionData({ abi, functionName: 'approve', args: [permit2, maxUint256] }),
      ),
    async empty(wallet) {
      const args = [issuer.address, await chain.balanceOf(wallet)] as const
      await sendAs(wallet, encodeFunctionData({ abi, functionName: 'transfer', args }))
    },
  }
}
