// The database becomes unavailable in the middle of a paid call. A finished answer survives a lost connection.
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { expectBooksRight } from './books.ts'
import { type PaidGateway, payments, rails, shareChains, sharePaidGateway } from './paid-gateway.ts'
import { present, received, sign } from './payers.ts'

const triesMax = 500
const pollIntervalMs = 20

describe.skipIf(!payments.ok)(`an unavailable database ${payments.reason}`, () => {
  const chains = shareChains()

  const policies = [
    ['paid first', '0'],
    ['paid when it is answered', '50'],
  ] as const

  describe.each(policies)('a call that is %s', (_, settleBeforeCents) => {
    const shared = sharePaidGateway(chains, { env: { SETTLE_BEFORE_CENTS: settleBeforeCents } })

    test.each(rails)(
      '%s: is answered although its answer could not be stored at first',
      async (rail) => {
        const gateway = shared()
        const payment = await sign(gateway, rail, 'test/slow')
        const running = present(gateway, 'test/slow', {}, payment)
        await gateway.provider.waiting(1)
        const session = new Client(gateway.databaseUrl)
        await session.connect()
        onTestFinished(() => session.end())
        await session.query('begin')
        await session.query('select 1 from balance for update')
        gateway.provider.release()
        await breakConnection(gateway)
        await session.query('rollback')
        const answered = await running
        expect([answered.status, answered.body.data]).toEqual([200, { echo: 'hello' }])
        expect([await received(gateway, rail), gateway.provider.asked.length]).toEqual([20_000n, 1])
        await expectBooksRight(gateway)
      },
    )
  })
})

/** Ends the connection that waits to store the answer. */
async function breakConnection({ database }: PaidGateway): Promise<void> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const rows = await database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where wait_event_type = 'Lock' and datname = current_database() and query like '%payment_owed%'`,
    )
    if (rows.length > 0) return
    await delay(pollIntervalMs)
  }
  throw new Error('No connection stores an answer.')
}
