// Boxes at a vendor that are paid in advance. A call that is not charged leaves none there: not when it fails, and not when its
// gateway is killed, because another gateway, or the same one after its restart, has the vendor end the box by its name.
import { uuidv7 } from '#core/id.ts'
import type { Clock, Log } from '#core/ports.ts'
import type { PrepaidBoxes } from '#core/session.ts'
import type { Database } from '#platform/database/database.ts'
import { runEvery } from '#platform/recurring.ts'

export interface WatchedBoxes extends PrepaidBoxes {
  /** Has the vendor end boxes from now on. Ending what does not exist changes nothing. */
  watch(endAtVendor: (name: string) => Promise<void>): void
  /** One round: ends the boxes of calls that were not charged. */
  keepUp(): Promise<void>
  forgetOld(): Promise<void>
  close(): Promise<void>
}

const lookIntervalMs = 5_000
const endedPerRound = 50
/** A request of a killed gateway may still reach the vendor, so the box is looked for until this long after its call. */
const lateSeconds = 60
const forgottenAfterDays = 1

export function createPrepaidBoxes({
  database,
  clock,
  log,
}: {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
}): WatchedBoxes {
  let end: ((name: string) => Promise<void>) | undefined
  let looking: ReturnType<typeof runEvery> | undefined

  const forget = (name: string) => database.query('delete from prepaid_box where name = $1', [name])

  async function keepUp() {
    if (end === undefined) return
    await database.query(
      `delete from prepaid_box b using call c where c.id = b.call_id and c.state = 'settled'`,
      [],
    )
    for (const { name, isLast } of await findUnpaid(database)) {
      try {
        await end(name)
        if (isLast) await forget(name)
      } catch (error) {
        log.warn({ err: error, name }, 'A box of the vendor that is not paid will be ended again.')
      }
    }
  }

  return {
    async begin({ callId }, seconds) {
      if (callId === undefined)
        throw new TypeError('A call without a row in the ledger cannot pay for a box.')
      const name = `tollway-${uuidv7(clock.now())}`
      await database.query('insert into prepaid_box (name, call_id, ends_at) values ($1, $2, $3)', [
        name,
        callId,
        new Date(clock.now() + seconds * 1_000),
      ])
      return name
    },
    watch(endAtVendor) {
      if (end !== undefined) throw new Error('The vendor is watched already.')
      end = endAtVendor
      looking = runEvery(
        lookIntervalMs,
        keepUp,
        (error) => log.warn({ err: error }, 'Boxes of the vendor were not looked at.'),
        0,
      )
    },
    keepUp,
    async forgetOld() {
      await database.query(
        `delete from prepaid_box where ends_at < now() - $1 * interval '1 day'`,
        [forgottenAfterDays],
      )
    },
    close: async () => looking?.close(),
  }
}

const findUnpaid = (database: Database) =>
  database.query<{ readonly name: string; readonly isLast: boolean }>(
    `select b.name, coalesce(c.ended_at < now() - $1 * interval '1 second', true) as "isLast"
     from prepaid_box b left join call c on c.id = b.call_id
     where c.state is distinct from 'held' order by b.ends_at limit $2`,
    [lateSeconds, endedPerRound],
  )
