// The jobs of an account: those that run first, then those that have ended, each group newest first. The call that a
// session holds outlives its request too, but is a session, not a job.
import type { JobProgress } from '#core/action.ts'
import type { Owner } from '#core/caller.ts'
import { opensSession } from '#core/calls/action-mode.ts'
import type { Catalog } from '#core/catalog.ts'
import type { Micros } from '#core/money.ts'
import type { Database } from '#platform/database/database.ts'

export interface JobRow {
  readonly id: string
  readonly action: string
  readonly state: 'held' | 'settled' | 'voided'
  readonly held: Micros
  readonly charged: Micros
  readonly error: string | null
  readonly message: string | null
  readonly progress: JobProgress | null
  readonly createdAt: Date
  readonly endedAt: Date | null
}

/** Where a page ended: after this job, which ran or had ended then. */
export interface JobPlace {
  readonly group: 'running' | 'ended'
  readonly id: string
}

export interface JobFilter {
  readonly state?: JobRow['state'] | undefined
  readonly after?: JobPlace | undefined
  readonly limit: number
}

export interface JobList {
  /** A job that ends between two pages may be on both. */
  list(owner: Owner, filter: JobFilter): Promise<readonly JobRow[]>
}

const columns = `id, action, state, held, charged, error, message, progress, created_at as "createdAt", ended_at as "endedAt"`
const owned =
  'account_id = $1 and job and ($2::uuid is null or key_id = $2) and action <> all ($8::text[])'

/** One statement for both groups: a job that ends between two would be in both. */
const query = `select * from (
    (select ${columns} from call where ${owned} and state = 'held' and not $3 and ($4::uuid is null or id < $4)
       and ($6::text is null or state = $6) order by id desc limit $7)
    union all
    (select ${columns} from call where ${owned} and state <> 'held' and ($5::uuid is null or id < $5)
       and ($6::text is null or state = $6) order by id desc limit $7)
  ) found order by (state = 'held') desc, id desc limit $7`

export function createJobList({
  database,
  catalog,
}: {
  readonly database: Database
  readonly catalog: Pick<Catalog, 'entries'>
}): JobList {
  return {
    list({ accountId, keyId }, { state, after, limit }) {
      const sessions = catalog.entries.filter(({ action }) => opensSession(action))
      const idIn = (group: JobPlace['group']) => (after?.group === group ? after.id : null)
      return database.query<JobRow>(query, [
        ...[accountId, keyId ?? null, after?.group === 'ended'],
        ...[idIn('running'), idIn('ended'), state ?? null, limit],
        sessions.map(({ id }) => id),
      ])
    },
  }
}
