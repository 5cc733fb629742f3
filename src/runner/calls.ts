// Reading what was called: transactions with their stored outputs, for their owner only.
import type { Hop, JobProgress } from '#core/action.ts'
import type { Owner } from '#core/caller.ts'
import { isUuid } from '#core/id.ts'
import type { Micros } from '#core/money.ts'
import type { Ledger } from '#money/ledger/ledger.ts'
import type { Database } from '#platform/database/database.ts'

export interface CallRecord {
  readonly id: string
  readonly action: string
  readonly state: 'held' | 'settled' | 'voided'
  /** Null where a wallet paid. */
  readonly keyId: string | null
  readonly paymentId: string | null
  readonly idempotencyKey: string | null
  readonly held: Micros
  readonly charged: Micros
  readonly cost: Micros | null
  readonly availableAfter: Micros | null
  readonly error: string | null
  readonly message: string | null
  readonly job: boolean
  readonly progress: JobProgress | null
  readonly timeline: { readonly hops?: readonly Hop[]; readonly inference?: object } | null
  readonly createdAt: Date
  readonly endedAt: Date | null
}

/** A call with its stored output, as JSON text. */
export type StoredCall = CallRecord & { readonly output: string | null }

export interface CallFilter {
  readonly action?: string | undefined
  readonly state?: CallRecord['state'] | undefined
  readonly from?: Date | undefined
  readonly until?: Date | undefined
  /** The id of the last call of the page before. */
  readonly after?: string | undefined
  readonly limit: number
}

export interface Calls {
  /** Any account's call, for the operator. */
  inspect(callId: string): Promise<(CallRecord & { readonly accountId: string }) | undefined>
  find(owner: Owner, callId: string): Promise<StoredCall | undefined>
  /** A job of anybody's. */
  findJob(callId: string): Promise<StoredCall | undefined>
  /** Newest first. */
  list(owner: Owner, filter: CallFilter): Promise<CallRecord[]>
  /** Drops the outputs and idempotency keys of calls that ended longer ago than they are kept. */
  forgetOutputs(): Promise<void>
}

/** How long an output can be replayed. */
const outputLifetimeDays = 30

const columns = `id, action, state, key_id as "keyId", payment_id as "paymentId", idempotency_key as "idempotencyKey", held, charged, cost,
  available_after as "availableAfter", error, message, job, progress, timeline, created_at as "createdAt", ended_at as "endedAt"`

export function createCalls({
  database,
  ledger,
}: {
  database: Database
  ledger: Pick<Ledger, 'catchUp'>
}): Calls {
  async function findOnce(
    { accountId, keyId }: Owner,
    callId: string,
  ): Promise<StoredCall | undefined> {
    const [call] = await database.query<StoredCall>(
      `select ${columns}, output from call where account_id = $1 and id = $2 and ($3::uuid is null or key_id = $3)`,
      [accountId, callId, keyId ?? null],
    )
    return call
  }

  return {
    async inspect(callId) {
      const [call] = await database.query<CallRecord & { accountId: string }>(
        `select ${columns}, account_id as "accountId" from call where id = $1`,
        [callId],
      )
      return call
    },
    async find(owner, callId) {
      const call = await findOnce(owner, callId)
      if (call !== undefined) return call
      // A caller that has an answer in hand finds its call.
      await ledger.catchUp(owner.accountId)
      return await findOnce(owner, callId)
    },
    async findJob(callId) {
      if (!isUuid(callId)) return undefined
      const [call] = await database.query<StoredCall>(
        `select ${columns}, output from call where id = $1 and job`,
        [callId],
      )
      return call
    },
    async list({ accountId, keyId }, { action, state, from, until, after, limit }) {
      await ledger.catchUp(accountId)
      return await database.query(
        `select ${columns} from call
         where account_id = $1 ${keyId === undefined ? 'and $8::uuid is null' : 'and key_id = $8'} and ($2::text is null or action = $2) and ($3::text is null or state = $3)
           and ($4::timestamptz is null or created_at >= $4) and ($5::timestamptz is null or created_at < $5)
           and ($6::uuid is null or id < $6)
         order by id desc limit $7`,
        [
          accountId,
          action ?? null,
          state ?? null,
          from ?? null,
          until ?? null,
          after ?? null,
          limit,
          keyId ?? null,
        ],
      )
    },
    async forgetOutputs() {
      await database.query(
        `update call set output = null, idempotency_key = null
         where ended_at < now() - $1 * interval '1 day' and (output is not null or idempotency_key is not null)`,
        [outputLifetimeDays],
      )
    },
  }
}
