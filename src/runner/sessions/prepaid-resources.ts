// Resources at vendors that are paid in advance: sandboxes, browsers. What is not charged leaves none there: not when
// it fails, and not when its gateway is killed, because another gateway, or the same one after its restart, has the
// vendor end the resource. Nor does a plan that is over.
import { uuidv7 } from '#core/id.ts'
import type { Clock, Log } from '#core/ports.ts'
import type { PrepaidResources } from '#core/session.ts'
import type { Database } from '#platform/database/database.ts'
import { runEvery } from '#platform/recurring.ts'

export interface Prepaid extends PrepaidResources {
  /** Has the vendor of this service end resources from now on. Ending what does not exist changes nothing. */
  watch(service: string, endAtVendor: (name: string) => Promise<void>): void
  /** One round: ends the resources that were not charged, and those of plans that are over. */
  keepUp(): Promise<void>
  forgetOld(): Promise<void>
  close(): Promise<void>
}

const lookIntervalMs = 5_000
/** Of each service. */
const endedPerRound = 50
/**
 * A request of a killed gateway may still reach the vendor, so the resource is looked for until this long after it was
 * due.
 */
const lateSeconds = 60
const forgottenAfterDays = 1

export function createPrepaid({
  database,
  clock,
  log,
}: {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
}): Prepaid {
  const vendors = new Map<string, (name: string) => Promise<void>>()

  async function keepUp() {
    if (vendors.size === 0) return
    await database.query(
      `delete from prepaid_resource p using call c where c.id = p.call_id and c.state = 'settled' and p.due_at is null`,
    )
    for (const [service, end] of vendors) {
      for (const { name, isLast } of await takeDue(database, service)) {
        try {
          await end(name)
          if (isLast) await database.query('delete from prepaid_resource where name = $1', [name])
        } catch (error) {
          log.warn({ err: error, service, name }, 'A resource of a vendor will be ended again.')
        }
      }
    }
  }

  const looking = runEvery(lookIntervalMs, keepUp, (error) =>
    log.warn({ err: error }, 'Prepaid resources were not looked at.'),
  )

  return {
    async begin(service, { transactionId, effect }, seconds) {
      if (transactionId === undefined)
        throw new TypeError('A call without a row in the ledger cannot pay in advance.')
      const name = `tollway-${uuidv7(clock.now())}`
      await database.transaction(async (client) => {
        await effect(client, { kind: 'prepaid_resource', subject: name })
        await client.query(
          'insert into prepaid_resource (name, service, call_id, ends_at) values ($1, $2, $3, $4)',
          [name, service, transactionId, new Date(clock.now() + seconds * 1_000)],
        )
      })
      return name
    },
    watch(service, endAtVendor) {
      vendors.set(service, endAtVendor)
    },
    keepUp,
    async forgetOld() {
      await database.query(
        `delete from prepaid_resource where ends_at < $1::timestamptz - $2 * interval '1 day'`,
        [new Date(clock.now()), forgottenAfterDays],
      )
    },
    close: looking.close,
  }
}

/** Those that were not tried for the longest time, so that a resource that cannot be ended holds up no other. */
const takeDue = (database: Database, service: string) =>
  database.query<{ readonly name: string; readonly isLast: boolean }>(
    `with due as (
       select name, due_at < now() - $2 * interval '1 second' as is_last
       from prepaid_resource where service = $1 and due_at is not null
       order by tried_at nulls first limit $3
     )
     update prepaid_resource p set tried_at = now() from due d where p.name = d.name
     returning p.name, d.is_last as "isLast"`,
    [service, lateSeconds, endedPerRound],
  )
