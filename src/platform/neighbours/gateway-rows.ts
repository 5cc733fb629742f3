// The living gateways of a database, and where they reach each other.
import type { GatewayPlace } from '#core/gateways/elsewhere.ts'
import type { Log } from '#core/ports.ts'
import type { Database } from '../database/database.ts'
import { runEvery } from '../recurring.ts'

export interface Neighbour {
  readonly number: number
  readonly address: string
}

const beatIntervalMs = 5_000
/** One that was not seen for this long is not asked. */
const staleAfterSeconds = 20
const forgottenAfterDays = 1

interface Dependencies {
  readonly database: Database
  readonly gatewayNumber: number
  readonly machine: string
  readonly log: Log
}

export function createGatewayRows({ database, gatewayNumber, machine, log }: Dependencies) {
  let address: string | null = null
  let beating: ReturnType<typeof runEvery> | undefined

  async function beat() {
    await database.query(
      `insert into gateway (number, machine, address, seen_at) values ($1, $2, $3, now())
       on conflict (number) do update set machine = $2, address = $3, seen_at = now()`,
      [gatewayNumber, machine, address],
    )
  }

  return {
    async register(listensAt: string | undefined): Promise<void> {
      address = listensAt ?? null
      await beat()
      await database.query(`delete from gateway where seen_at < now() - $1 * interval '1 day'`, [
        forgottenAfterDays,
      ])
      beating = runEvery(beatIntervalMs, beat, (err) =>
        log.warn({ err }, 'This gateway could not tell the others that it lives.'),
      )
    },
    /** A living gateway at this place that can be asked, other than this one. */
    async find(place: GatewayPlace): Promise<Neighbour | undefined> {
      const [found] = await database.query<Neighbour>(
        `select number, address from gateway
         where case when $1::integer is null then machine = $2 else number = $1 end
           and number <> $3 and address is not null and seen_at > now() - $4 * interval '1 second'
         order by seen_at desc limit 1`,
        [
          'gateway' in place ? place.gateway : null,
          'machine' in place ? place.machine : null,
          gatewayNumber,
          staleAfterSeconds,
        ],
      )
      return found
    },
    /** Living gateways on other machines. */
    async countElsewhere(): Promise<number> {
      const [row] = await database.query<{ count: number }>(
        `select count(*)::integer as count from gateway
         where machine <> $1 and seen_at > now() - $2 * interval '1 second'`,
        [machine, staleAfterSeconds],
      )
      return row?.count ?? 0
    },
    async close(): Promise<void> {
      await beating?.close()
      await database
        .query('delete from gateway where number = $1', [gatewayNumber])
        .catch((err) => log.warn({ err }, 'This gateway could not tell the others that it ended.'))
    },
  }
}

export type GatewayRows = ReturnType<typeof createGatewayRows>
