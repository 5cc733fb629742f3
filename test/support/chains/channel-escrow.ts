// The channel escrow of Tempo (TIP-1034) on a node that does not have it yet: a contract at its address. The real one
// learns from the node which transaction opens a channel; this one is told before the transaction is sent.
import { Credential } from 'mppx'
import {
  createClient,
  encodeAbiParameters,
  http,
  keccak256,
  maxUint256,
  publicActions,
  toHex,
} from 'viem'
import { tempo } from 'viem/chains'
import { Account, tempoActions } from 'viem/tempo'
import contracts from './contracts.json' with { type: 'json' }
import type { LocalChain, Wallet } from './local-chain.ts'

export const channelEscrow = '0x4d50500000000000000000000000000000000000'
/** The node's estimates are too low for the first write of a token. */
const gas = 3_000_000n
/** What the escrow and the payee hold from the start, so that no close is the first write of the token for them. */
export const dust = 1n

type Hex = `0x${string}`

export interface ChannelEscrow {
  /** A payer of channels. The real escrow needs no allowance. */
  admit(wallet: Wallet): Promise<void>
  /** A fetch that tells the escrow of the transaction that a credential carries. */
  readonly fetch: typeof fetch
}

/** `payee` is paid by the channels. */
export async function plantChannelEscrow(
  chain: LocalChain,
  payee: Wallet['address'],
): Promise<ChannelEscrow> {
  await chain.rpc('anvil_setCode', [channelEscrow, contracts.LocalChannelEscrow])
  await chain.mint(payee, dust)
  if ((await chain.balanceOf(channelEscrow)) === 0n) await chain.mint(channelEscrow, dust)

  async function announce(authorization: string | null) {
    if (!authorization?.startsWith('Payment ')) return
    const { payload } = Credential.deserialize<{
      action?: string
      descriptor?: { payer: Hex; salt: Hex; expiringNonceHash: Hex }
    }>(authorization)
    if (payload.action !== 'open' || payload.descriptor === undefined) return
    const { payer, salt, expiringNonceHash } = payload.descriptor
    const ofPayer = slotOf({ type: 'address', key: payer }, `0x${'0'.repeat(64)}`)
    const slot = slotOf({ type: 'bytes32', key: salt }, ofPayer)
    await chain.rpc('anvil_setStorageAt', [channelEscrow, slot, expiringNonceHash])
  }

  return {
    async admit({ privateKey }) {
      const client = createClient({
        account: Account.fromSecp256k1(privateKey),
        chain: { ...tempo, feeToken: chain.asset },
        transport: http(chain.rpcUrl),
        pollingInterval: 25,
      })
        .extend(publicActions)
        .extend(tempoActions())
      const token = chain.asset
      await client.token.approveSync({ token, spender: channelEscrow, amount: maxUint256, gas })
    },
    async fetch(input, init) {
      await announce(new Headers(init?.headers).get('authorization'))
      return await fetch(input, init)
    },
  }
}

/** For a client of this node: it does not trust the node's estimates. */
export function generousTransport(rpcUrl: string) {
  const node = http(rpcUrl)
  return (options: Parameters<typeof node>[0]) => {
    const transport = node(options)
    const request: typeof transport.request = async (asked, ...rest) => {
      if (asked.method === 'eth_fillTransaction')
        throw new Error('eth_fillTransaction is not available')
      if (asked.method === 'eth_estimateGas') return toHex(gas) as never
      return await transport.request(asked, ...rest)
    }
    return { ...transport, request }
  }
}

/** Where a mapping at this slot keeps the value of a key. */
const slotOf = ({ type, key }: { type: string; key: Hex }, slot: Hex): Hex =>
  keccak256(encodeAbiParameters([{ type }, { type: 'bytes32' }], [key, slot]))
