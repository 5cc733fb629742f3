// Compares the gateway's books with the chains, to the base unit.
import { pad, toEventSelector } from 'viem'
import { expect } from 'vitest'
import type { Database } from '#platform/database/database.ts'
import type { Chains } from '#test/chains/chains.ts'
import type { LocalChain, Wallet } from '#test/chains/local-chain.ts'
import { verify } from '#test/harness.ts'
import { type ChainRail, chainOf, type PaidGateway, rails, type Till } from './paid-gateway.ts'

const transferTopic = toEventSelector('Transfer(address,address,uint256)')
/** The address at which a Tempo chain collects fees. */
const feeCollector = '0xfeec000000000000000000000000000000000000'

/** The sums of one rail, by the books and by the chain. */
interface RailSums {
  readonly settled: bigint
  readonly refunded: bigint
}

async function sumOfBooks(database: Database, rail: ChainRail): Promise<RailSums> {
  const [row] = await database.query<{ settled: string; refunded: string }>(
    `select (select coalesce(sum(micros), 0) from payment where state = 'settled' and rail = $1)::text as settled,
       (select coalesce(sum(micros), 0) from refund where state = 'confirmed' and rail = $1)::text as refunded`,
    [rail],
  )
  return { settled: BigInt(row?.settled ?? 0), refunded: BigInt(row?.refunded ?? 0) }
}

async function sumOfChain(chain: LocalChain, till: Till): Promise<RailSums> {
  return {
    settled: await chain.balanceOf(till.payTo),
    refunded: await sentFrom(chain, till.refundWallet.address),
  }
}

/** The dollars that this wallet has sent on the chain, without fees. */
async function sentFrom(chain: LocalChain, from: Wallet['address']): Promise<bigint> {
  const logs: { topics: string[]; data: string }[] = await chain.rpc('eth_getLogs', [
    {
      address: chain.asset,
      fromBlock: '0x0',
      toBlock: 'latest',
      topics: [transferTopic, pad(from, { size: 32 })],
    },
  ])
  return logs
    .filter(({ topics }) => `0x${topics[2]?.slice(-40)}` !== feeCollector)
    .reduce((sum, { data }) => sum + BigInt(data), 0n)
}

/** Asserts that the books add up and equal the chains. */
export async function expectBooksRight(gateway: PaidGateway): Promise<void> {
  expect(await verify(gateway)).toMatchObject({ ok: true, problems: [] })
  await expectBooksLikeChains(gateway.database, gateway.chains, gateway.till)
}

export async function expectBooksLikeChains(database: Database, chains: Chains, till: Till) {
  for (const rail of rails) {
    const books = await sumOfBooks(database, rail)
    expect([rail, books]).toEqual([rail, await sumOfChain(chainOf(chains, rail), till)])
  }
  const [treasury] = await database.query<{ amount: string }>(
    `select coalesce(-sum(amount), 0)::text as amount from posting
     where account_id = '00000000-0000-7000-8000-000000000003'`,
  )
  const all = await Promise.all(rails.map((rail) => sumOfBooks(database, rail)))
  const net = all.reduce((sum, { settled, refunded }) => sum + settled - refunded, 0n)
  expect(BigInt(treasury?.amount ?? 0)).toBe(net)
}

/** The number of rows of a table, for tests that must leave none. */
export async function countRows(
  { database }: Pick<PaidGateway, 'database'>,
  table: 'payment' | 'call' | 'refund' | 'transfer' | 'channel',
): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    `select count(*)::integer as count from ${table}`,
  )
  return row?.count ?? 0
}
