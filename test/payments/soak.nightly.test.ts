// SOAK_CALLS and SOAK_SEED set the number of calls and the sequence of faults.
import { randomInt } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Wallet } from '#test/chains/local-chain.ts'
import { depth, limitForTriesMs } from '#test/depth.ts'
import { expectBooksRight } from './books.ts'
import { payments, shareChains, startPaidGateway } from './paid-gateway.ts'
import { settleDown, soak } from './soak.ts'

const calls = Number(process.env.SOAK_CALLS ?? depth(150, 1_000))
const seed = Number(process.env.SOAK_SEED ?? randomInt(2 ** 31))
const payerCount = 4

describe.skipIf(!payments.ok)(`soak ${payments.reason}`, () => {
  const chains = shareChains()

  test(
    `${calls} calls with faults (seed ${seed}): the books equal the chains to the base unit`,
    async () => {
      const gateway = await startPaidGateway(chains())
      const wallets: Wallet[] = []
      while (wallets.length < payerCount) wallets.push(await chains().createPayer())
      const result = await soak(gateway, { calls, callers: 8, seed, wallets })
      process.stdout.write(`${JSON.stringify(result)}\n`)
      await settleDown(gateway)
      await expectBooksRight(gateway)
      // No wallet with a valid payment was asked for another one.
      const strange = Object.keys(result.told).filter(
        (told) => !/^(200|502 all_blocked|402 payment_invalid)$/.test(told),
      )
      expect(strange).toEqual([])
      expect(result.told['200']).toBeGreaterThan(calls / 2)
      const [debits] = await gateway.database.query<{ problems: number }>(
        `select count(*)::integer as problems from call c join payment p on p.id = c.payment_id
         where c.state = 'settled' and c.charged > 0 and p.state <> 'settled'`,
      )
      expect(debits?.problems).toBe(0)
    },
    limitForTriesMs(calls, 10_000),
  )
})
