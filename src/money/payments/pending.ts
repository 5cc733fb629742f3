// How much money is under way, for metrics: counted by indexes that hold only what is under way.
import type { Micros } from '#core/money.ts'
import type { Database } from '#platform/database/database.ts'

interface UnderWay {
  readonly leases: { readonly count: number; readonly heldMicros: Micros }
  /** Ended calls that no sum of usage has yet, at most `usageEventsCountedMax`. */
  readonly usageEvents: number
  readonly payments: Readonly<Record<'owed' | 'settling' | 'not_final' | 'lost', number>>
  readonly refunds: Readonly<Record<'due' | 'signed', number>>
  /** Zero where nothing is under way. */
  readonly oldestSeconds: Readonly<Record<'payment' | 'refund', number>>
}

export interface PendingMoney {
  read(): Promise<UnderWay>
}

const usageEventsCountedMax = 100_000

export function createPendingMoney({
  database,
  gatewayNumber,
}: {
  database: Database
  gatewayNumber: number
}): PendingMoney {
  return {
    async read() {
      const [row] = await database.query<UnderWay>(
        `select
           (select json_build_object('count', count(*), 'heldMicros', coalesce(sum(held), 0))
              from lease where gateway_id = $1) as leases,
           (select count(*)::integer from (select 1 from usage_event limit $2) e) as "usageEvents",
           (select json_build_object(
              'owed', count(*) filter (where state = 'owed'),
              'settling', count(*) filter (where state = 'settling'),
              'not_final', (select count(*) from payment where finality = 'open'),
              'lost', (select count(*) from payment where finality = 'lost'))
              from payment where state in ('owed', 'settling')) as payments,
           (select json_build_object(
              'due', count(*) filter (where state = 'due'),
              'signed', count(*) filter (where state = 'signed'))
              from refund where state in ('due', 'signed')) as refunds,
           json_build_object(
             'payment', (select coalesce(extract(epoch from now() - min(created_at)), 0)
                from payment where state in ('owed', 'settling')),
             'refund', (select coalesce(extract(epoch from now() - min(created_at)), 0)
                from refund where state in ('due', 'signed'))) as "oldestSeconds"`,
        [gatewayNumber, usageEventsCountedMax],
      )
      if (row === undefined) throw new Error('The database answered without a row.')
      return row
    },
  }
}
