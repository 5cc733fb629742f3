import type { JobProgress } from '#core/action.ts'
import type { Caller } from '#core/caller.ts'
import type { Micros } from '#core/money.ts'
import type { Database } from '#platform/database/database.ts'

export interface OpenJob {
  readonly callId: string
  readonly action: string
  readonly caller: Caller
  readonly held: Micros
  readonly input: unknown
  /** How many parts it had saved when it was taken. */
  readonly savedCount: number
  /** It was cancelled, or lost its right, before it had begun. */
  readonly isVoid: boolean
  /** Another try of it is under way, here or at another gateway that lives. */
  readonly isAtWork: boolean
}

export interface OpenJobs {
  /** Marks a job as worked on by this gateway, unless it is at work. Undefined when it has ended. */
  take(callId: string): Promise<OpenJob | undefined>
  /** The try that `take` has begun is over. Never rejects. */
  leave(callId: string): Promise<void>
  /** Leaves the jobs whose end the database did not hear of. */
  leaveForgotten(): Promise<void>
  checkpoints(callId: string): Promise<ReadonlyMap<string, unknown>>
  save(callId: string, name: string, value: unknown): Promise<void>
  /** Whether the job is still open. */
  report(callId: string, progress: JobProgress): Promise<boolean>
  /** Whether its caller has cancelled it, or has lost the right by which it runs. */
  isCancelled(callId: string): Promise<boolean>
  /** Jobs of dead gateways. Each is listed once, since failing it again would delay its next try. */
  abandoned(): Promise<string[]>
}

/** A job that loses its right before it has begun is forsaken. */
const takeJob = `with found as (
    select id, started_at is null and not access_is_good(account_id, key_id) as is_forsaken,
      at_work and gateway_lives(gateway_id) as is_at_work
    from call where id = $1 and state = 'held' and job for update
  )
  update call set started_at = coalesce(started_at, now()), at_work = true,
    gateway_id = case when is_at_work then gateway_id else $2 end
  from found where call.id = found.id
  returning account_id, key_id, action, held, input, cancelled, is_forsaken, is_at_work,
    (select key_is_limited(k) from api_key k where k.id = key_id) as is_limited,
    (select price_group from account a where a.id = account_id) as price_group,
    (select count(*)::int from checkpoint where call_id = call.id) as saved`

interface TakenRow {
  readonly account_id: string
  readonly key_id: string | null
  readonly is_limited: boolean | null
  readonly price_group: string | null
  readonly action: string
  readonly held: Micros
  readonly input: string
  readonly saved: number
  readonly cancelled: string | null
  readonly is_forsaken: boolean
  readonly is_at_work: boolean
}

export function createOpenJobs(database: Database, gatewayNumber: number): OpenJobs {
  /** The tries of this gateway. */
  const atWork = new Set<string>()

  /** Undefined when the job has ended. */
  async function begin(callId: string): Promise<TakenRow | undefined> {
    const isFirst = !atWork.has(callId)
    let isOurs = false
    atWork.add(callId)
    try {
      const [row] = await database.query<TakenRow>(takeJob, [callId, gatewayNumber])
      isOurs = row !== undefined && !row.is_at_work
      return row && { ...row, is_at_work: row.is_at_work || !isFirst }
    } finally {
      if (isFirst && !isOurs) atWork.delete(callId)
    }
  }

  return {
    async take(callId) {
      const job = await begin(callId)
      if (job === undefined) return undefined
      const { account_id: accountId, key_id: keyId } = job
      const caller: Caller =
        keyId === null
          ? { kind: 'wallet', accountId }
          : {
              kind: 'account',
              accountId,
              keyId,
              isLimited: job.is_limited ?? true,
              ...(job.price_group !== null && { priceGroup: job.price_group }),
            }
      const { action, held, saved: savedCount } = job
      const isVoid = job.cancelled === 'unbegun' || (job.is_forsaken && savedCount === 0)
      const input = JSON.parse(job.input)
      return { callId, caller, action, held, input, savedCount, isVoid, isAtWork: job.is_at_work }
    },
    async leave(callId) {
      atWork.delete(callId)
      // `leaveForgotten` repeats it.
      await database
        .query(
          `update call set at_work = false where id = $1 and gateway_id = $2 and state = 'held'`,
          [callId, gatewayNumber],
        )
        .catch(() => {})
    },
    async leaveForgotten() {
      await database.query(
        `update call set at_work = false
         where state = 'held' and job and started_at is not null and at_work and gateway_id = $1 and id <> all ($2)`,
        [gatewayNumber, [...atWork]],
      )
    },
    async checkpoints(callId) {
      const rows = await database.query<{ name: string; value: string }>(
        'select name, value from checkpoint where call_id = $1',
        [callId],
      )
      return new Map(rows.map(({ name, value }) => [name, JSON.parse(value)]))
    },
    async save(callId, name, value) {
      // Only while the job is open: a worker that was taken for dead must not write anything.
      await database.query(
        `insert into checkpoint (call_id, name, value)
         select id, $2, $3 from call where id = $1 and state = 'held'
         on conflict (call_id, name) do update set value = excluded.value`,
        [callId, name, JSON.stringify(value)],
      )
    },
    async report(callId, progress) {
      const open = await database.query(
        `update call set progress = $2::jsonb where id = $1 and state = 'held' returning 1`,
        [callId, JSON.stringify(progress)],
      )
      return open.length > 0
    },
    async isCancelled(callId) {
      const rows = await database.query(
        `select from call where id = $1 and (cancelled is not null or not access_is_good(account_id, key_id))`,
        [callId],
      )
      return rows.length > 0
    },
    async abandoned() {
      const rows = await database.query<{ id: string }>(
        `update call set started_at = null
         where state = 'held' and job and started_at is not null and not gateway_lives(gateway_id) returning id`,
      )
      return rows.map((row) => row.id)
    },
  }
}
