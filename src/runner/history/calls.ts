// Reads calls and their stored outputs back, for their owner only.
import type { Hop, JobProgress } from '#core/action.ts'
import type { Owner } from '#core/caller.ts'
import { isUuid } from '#core/id.ts'
import type { Micros } from '#core/money.ts'
import type { CostSource } from '#money/costs/costs.ts'
import type { Ledger } from '#money/ledger/ledger.ts'
import type { Database } from '#platform/database/database.ts'

export interface CallRecord {
  readonly id: string
  readonly action: string
  readonly state: 'held' | 'settled' | 'voided'
  /** Null for a wallet's call. */
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
  readonly withinFreeCalls: boolean
  readonly progress: JobProgress | null
  readonly timeline: {
    readonly hops?: readonly Hop[]
    readonly inference?: object
    /** Shortened, without secrets, and kept as long as the output. */
    readonly input?: unknown
  } | null
  readonly createdAt: Date
  readonly endedAt: Date | null
}

/** A call with its stored output, as JSON text. */
export type StoredCall = CallRecord & { readonly output: string | null }

/** The answer of an action that ran inside a call, as JSON text. */
export interface KeptAnswer {
  readonly id: string
  readonly action: string
  readonly output: string
  /** The call that paid for it. */
  readonly callId: string
}

export interface Calls {
  /** Any account's call, for the operator. */
  inspect(
    callId: string,
  ): Promise<(CallRecord & ToldCost & { readonly accountId: string }) | undefined>
  find(owner: Owner, callId: string): Promise<StoredCall | undefined>
  /** The newest call whose model gave its answer this id, among the latest calls of the owner. */
  findAnswer(owner: Owner, answerId: string): Promise<CallRecord | undefined>
  /** An answer that was kept beside that of a charged call. */
  findKept(owner: Owner, id: string): Promise<KeptAnswer | undefined>
  /** A job of any owner. */
  findJob(callId: string): Promise<StoredCall | undefined>
}

/** Calls that are looked through for the id of an answer. Models give ids of their own, which have no index. */
const answersMax = 1_000

/** What a call has cost the operator and where that is known from, for the operator alone. */
export interface ToldCost {
  readonly knownCost?: Micros | null
  readonly costSource?: CostSource | null
}

export const toldCost = (id: string) =>
  `(select k.cost from call_cost k where k.call_id = ${id}) as "knownCost",
   (select k.source from call_cost k where k.call_id = ${id}) as "costSource"`

export const callColumns = `id, action, state, key_id as "keyId", payment_id as "paymentId", idempotency_key as "idempotencyKey", held, charged, cost,
  available_after as "availableAfter", error, message, job,
  within_free_calls as "withinFreeCalls", progress, timeline, created_at as "createdAt", ended_at as "endedAt"`

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
    const text = `select ${callColumns}, output from call where account_id = $1 and id = $2 and ($3::uuid is null or key_id = $3)`
    const [call] = await database.query<StoredCall>({ name: 'call_by_id', text }, [
      accountId,
      callId,
      keyId ?? null,
    ])
    return call
  }

  return {
    async inspect(callId) {
      const [call] = await database.query<CallRecord & ToldCost & { accountId: string }>(
        `select ${callColumns}, ${toldCost('call.id')}, account_id as "accountId" from call where id = $1`,
        [callId],
      )
      return call
    },
    async find(owner, callId) {
      const call = await findOnce(owner, callId)
      if (call !== undefined) return call
      // A caller that has its answer must find its call, even before the journal is written.
      await ledger.catchUp(owner.accountId)
      return await findOnce(owner, callId)
    },
    async findAnswer({ accountId, keyId }, answerId) {
      await ledger.catchUp(accountId)
      const [call] = await database.query<CallRecord>(
        `select * from (
           select ${callColumns} from call
           where account_id = $1 and state <> 'held' and ($3::uuid is null or key_id = $3)
           order by call.id desc limit ${answersMax}
         ) latest where timeline->'inference'->>'answer_id' = $2 order by id desc limit 1`,
        [accountId, answerId, keyId ?? null],
      )
      return call
    },
    async findKept({ accountId, keyId }, id) {
      const [answer] = await database.query<KeptAnswer>(
        `select a.id, a.action, a.output, c.id as "callId" from kept_answer a join call c on c.id = a.call_id
         where a.id = $2 and c.account_id = $1 and ($3::uuid is null or c.key_id = $3) and c.state = 'settled' and c.error is null`,
        [accountId, id, keyId ?? null],
      )
      return answer
    },
    async findJob(callId) {
      if (!isUuid(callId)) return undefined
      const [call] = await database.query<StoredCall>(
        `select ${callColumns}, output from call where id = $1 and job`,
        [callId],
      )
      return call
    },
  }
}
