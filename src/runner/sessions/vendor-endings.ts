// What vendors are to end: sandboxes and browsers that were not paid for, or that are over here. The transaction that
// ends a resource here writes this down, so a killed gateway leaves nothing: another one, or the same one after its
// restart, has the vendor end it.
import { uuidv7 } from '#core/id.ts'
import type { Clock, Log } from '#core/ports.ts'
import type { PrepaidResources } from '#core/session.ts'
import type { Database } from '#platform/database/database.ts'

export interface VendorResource {
  /** By which the vendor finds it. */
  readonly name: string
  /** The vendor's own id. Null where its answer did not arrive, or is still to come. */
  readonly id: string | null
}

/** Has the vendor end a resource. Ending what does not exist changes nothing. */
type EndAtVendor = (resource: VendorResource) => Promise<unknown>

export interface VendorEndings extends PrepaidResources {
  /** Has the vendor of this service end resources from now on. */
  watch(service: string, end: EndAtVendor): void
  /** One round: has the vendor of this service end what is due. Its rounds run one after the other. */
  keepUp(service: string): Promise<void>
  forgetOld(): Promise<void>
}

const endedPerRound = 50
const triedEverySeconds = 5
/**
 * A request of a killed gateway may still reach the vendor, so a resource without an id is looked for until this long
 * after it was due.
 */
const lateSeconds = 60
/** Vendors end resources by themselves, at the latest after six hours. */
const givenUpAfterDays = 1

export function createVendorEndings({
  database,
  clock,
  log,
}: {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
}): VendorEndings {
  const rounds = new Map<string, () => Promise<void>>()

  async function endDue(service: string, end: EndAtVendor) {
    for (const { isLast, ...resource } of await takeDue(database, service)) {
      const { name } = resource
      try {
        await end(resource)
        if (isLast) await database.query('delete from vendor_ending where name = $1', [name])
      } catch (error) {
        log.warn({ err: error, service, name }, 'A resource of a vendor will be ended again.')
      }
    }
  }

  return {
    async begin(service, { transactionId, effect }) {
      if (transactionId === undefined)
        throw new TypeError('A call without a row in the ledger cannot pay in advance.')
      const name = `tollway-${uuidv7(clock.now())}`
      await database.transaction((client) =>
        effect(client, { kind: 'prepaid_resource', subject: name, details: { service } }),
      )
      return name
    },
    watch(service, end) {
      let last: Promise<void> = Promise.resolve()
      const round = () => endDue(service, end)
      rounds.set(service, () => {
        last = last.then(round, round)
        return last
      })
    },
    keepUp: async (service) => await rounds.get(service)?.(),
    async forgetOld() {
      await database.query(
        `delete from vendor_ending where due_at < now() - $1 * interval '1 day'`,
        [givenUpAfterDays],
      )
    },
  }
}

/** Those that were not tried for the longest time, so that a resource that cannot be ended holds up no other. */
const takeDue = (database: Database, service: string) =>
  database.query<VendorResource & { readonly isLast: boolean }>(
    `with due as (
       select name, id is not null or due_at < now() - $2 * interval '1 second' as is_last
       from vendor_ending
       where service = $1 and (tried_at is null or tried_at < now() - $4 * interval '1 second')
       order by tried_at nulls first limit $3 for update skip locked
     )
     update vendor_ending v set tried_at = now() from due d where v.name = d.name
     returning v.name, v.id, d.is_last as "isLast"`,
    [service, lateSeconds, endedPerRound, triedEverySeconds],
  )
