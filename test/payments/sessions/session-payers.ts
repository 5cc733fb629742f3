// Wallets that pay by MPP sessions, with the unmodified client of the protocol.
import { tempo } from 'mppx/client'
import { Session } from 'mppx/tempo'
import { createClient } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { tempo as tempoChain } from 'viem/chains'
import { Account } from 'viem/tempo'
import type { ChannelDescriptor } from '#money/rails/channel-rail.ts'
import type { Database } from '#platform/database/database.ts'
import type { Chains } from '#test/chains/chains.ts'
import {
  type ChannelEscrow,
  channelEscrow,
  generousTransport,
} from '#test/chains/channel-escrow.ts'
import type { Wallet } from '#test/chains/local-chain.ts'

export type SessionManager = ReturnType<typeof tempo.session.manager>

/** A conversation: it opens a session with its first call. */
export function openConversation(
  chains: Chains,
  escrow: ChannelEscrow,
  wallet: Wallet,
  {
    maxDeposit = '1',
    bootstrap = false,
    fetch = escrow.fetch,
  }: { maxDeposit?: string; bootstrap?: boolean; fetch?: typeof escrow.fetch } = {},
): SessionManager {
  return tempo.session.manager({
    account: privateKeyToAccount(wallet.privateKey),
    client: createClient({
      chain: { ...tempoChain, feeToken: chains.mpp.asset },
      transport: generousTransport(chains.mpp.rpcUrl),
      pollingInterval: 25,
    }),
    maxDeposit,
    bootstrap,
    fetch,
  })
}

/** The settings of a gateway that offers sessions, with a wallet that closes them. */
export async function sessionSettings(chains: Chains) {
  const operator = await chains.createPayer()
  return { MPP_ESCROW: channelEscrow, MPP_SESSION_KEY: operator.privateKey }
}

export interface ChannelRow {
  readonly id: string
  readonly state: string
  readonly deposit: bigint
  readonly accepted: bigint
  readonly spent: bigint
  readonly held: bigint
  readonly captured: bigint | null
}

export async function channelRow(database: Database, id: string): Promise<ChannelRow> {
  const [row] = await database.query<Record<string, string | null>>(
    `select id, state, deposit::text, accepted::text, spent::text, held::text, captured::text from channel where id = $1`,
    [id],
  )
  if (row === undefined) throw new Error(`There is no channel ${id}.`)
  const amount = (name: string) => BigInt(row[name] ?? 0)
  return {
    id,
    state: row.state ?? '',
    deposit: amount('deposit'),
    accepted: amount('accepted'),
    spent: amount('spent'),
    held: amount('held'),
    captured: row.captured === null ? null : amount('captured'),
  }
}

/** What the escrow has paid to this wallet, in base units. */
export async function paidByEscrow(chains: Chains, to: Wallet['address']): Promise<bigint> {
  const padded = (address: string) => `0x${address.slice(2).padStart(64, '0')}`
  const logs: { data: string }[] = await chains.mpp.rpc('eth_getLogs', [
    {
      address: chains.mpp.asset,
      fromBlock: '0x0',
      toBlock: 'latest',
      topics: [
        '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
        padded(channelEscrow),
        padded(to),
      ],
    },
  ])
  return logs.reduce((sum, { data }) => sum + BigInt(data), 0n)
}

/** The payer asks the escrow for its deposit, without the gateway. */
export async function requestClose(
  database: Database,
  chains: Chains,
  { privateKey }: Wallet,
  channelId: string,
): Promise<void> {
  const [row] = await database.query<{ descriptor: ChannelDescriptor }>(
    'select descriptor from channel where id = $1',
    [channelId],
  )
  if (row === undefined) throw new Error(`There is no channel ${channelId}.`)
  const client = createClient({
    account: Account.fromSecp256k1(privateKey),
    chain: { ...tempoChain, feeToken: chains.mpp.asset },
    transport: generousTransport(chains.mpp.rpcUrl),
    pollingInterval: 25,
  })
  const hash = await Session.Precompile.Chain.requestCloseOnChain(client, row.descriptor)
  await Session.Precompile.Chain.waitForSuccessfulReceipt(client, hash)
}
