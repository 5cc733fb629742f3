// The records of what wallets pay: each payment once, its provisional credit, and what became of it. Each step is one
// statement.
import type { ClientBase } from 'pg'
import { uuidv7 } from '#core/id.ts'
import type { Micros } from '#core/money.ts'
import type { Clock } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'
import type { HoldRefusal } from '../ledger/operations.ts'
import type { PreparedTransaction, RailId, Verified } from '../rails/rail.ts'
import { holdRecord, offerRecord } from './claim-records.ts'

export type PaymentState = 'claimed' | 'owed' | 'settling' | 'settled' | 'released' | 'dead'

export interface Payment {
  readonly id: string
  readonly rail: RailId
  readonly accountId: string
  readonly payer: string
  readonly micros: Micros
  readonly action: string
  readonly requestDigest: Buffer
  readonly callId: string
  readonly state: PaymentState
  readonly challengeId: string | null
  readonly credential: string | null
  readonly raw: string | null
  readonly hash: string | null
  readonly gasNonce: number | null
  readonly signedAtBlock: number | null
  readonly expiresAt: Date
  readonly charged: Micros | null
  /** What is settled of it. Null: all of it. */
  readonly settles: Micros | null
  readonly error: string | null
  /** When it was first presented. */
  readonly createdAt: Date
  /**
   * Of a settled payment: whether a reorganisation may still remove its block. Null: settled before blocks were
   * watched.
   */
  readonly finality: 'open' | 'final' | 'lost' | null
  readonly timesMissing: number
  readonly deadSinceBlock: number | null
}

/** What one payment pays for. */
export interface PaidCall {
  readonly callId: string
  readonly accountId: string
  readonly action: string
  readonly requestDigest: Buffer
  readonly idempotencyKey?: string | undefined
  readonly lifetimeMs: number
  readonly costless?: boolean
  readonly atOnceMax: number
  /** The input of a job, as JSON text. */
  readonly jobInput?: string | undefined
  readonly topUpAccountId?: string | undefined
}

export type ClaimOutcome =
  | { readonly outcome: 'claimed'; readonly paymentId: string }
  /** The very payment was accepted before: for the same request, or for another. */
  | { readonly outcome: 'joined' | 'used'; readonly paymentId: string; readonly callId: string }
  | { readonly outcome: 'replay'; readonly callId: string }
  | { readonly outcome: HoldRefusal }

/** The answer of a paid call. It is stored before the call is charged. */
export interface Delivery {
  readonly charged: Micros
  readonly cost: Micros | undefined
  readonly output: string
  readonly timeline: string | undefined
}

export interface Payments {
  /** The account of a wallet, made at its first use. */
  accountOf(wallet: string): Promise<string>
  find(claimKey: string): Promise<Payment | undefined>
  get(paymentId: string): Promise<Payment | undefined>
  /** Accepts a payment for one call and holds it, both or neither; at most once for each payment. */
  claim(payment: Verified, call: PaidCall): Promise<ClaimOutcome>
  /**
   * The payment is to be settled: its call has been answered, and `delivery` is stored in the same statement; or its
   * call starts only once it is paid. Resolves to its new state: `released` when its call was given up meanwhile.
   */
  owed(paymentId: string, delivery?: Delivery): Promise<PaymentState>
  /** From here on money may move. False when it is too late, or another gateway has begun. */
  settling(paymentId: string, signed: PreparedTransaction): Promise<boolean>
  /** Replaces a transaction that can never be carried out. False when another gateway did so first. */
  replace(paymentId: string, lost: string, signed: PreparedTransaction): Promise<boolean>
  /** The chain refuses the payment on its payer's account at this moment. The reason is kept in case it always does. */
  refused(paymentId: string, reason: string): Promise<void>
  /** The chain has the payment, so the call that waited for it ends. `then` runs in the same transaction. */
  settled(
    paymentId: string,
    at: { readonly hash: string; readonly block: number },
    then?: ((client: ClientBase) => Promise<void>) | undefined,
  ): Promise<PaymentState>
  /** The chain can never have the payment: the call is voided, and its answer is withheld. */
  dead(paymentId: string, end: { reason: string; byPayer?: boolean }): Promise<PaymentState>
  /** Payments under way that no gateway has worked on for this time. */
  unattended(forMs: number, limit: number): Promise<Payment[]>
  /** Takes the payment up: other gateways leave it alone for a while. */
  attend(paymentId: string): Promise<Payment | undefined>
  /** Whether a call of this account must be paid before it runs. */
  hasStrike(accountId: string): Promise<boolean>
  /** Whether a wallet has paid into this account. Credit of the operator does not count, nor does a lost payment. */
  hasPaidTopUp(accountId: string): Promise<boolean>
  /** The paid call that this wallet made with this key, for this request. */
  findByKey(request: {
    wallet: string
    idempotencyKey: string
    action: string
    requestDigest: Buffer
  }): Promise<Payment | undefined>
  /** Whether the call of this payment was made with this key. */
  hasKey(payment: Payment, idempotencyKey: string): Promise<boolean>
  /** Counts a proof once. False when it was used before. */
  useProof(id: string, expiresAtMs: number): Promise<boolean>
  refundOf(callId: string): Promise<RefundState | undefined>
  /** Payments that are answered for and not on the chain yet, the oldest first. */
  open(): Promise<readonly Payment[]>
}

export interface RefundState {
  readonly state: 'due' | 'signed' | 'confirmed'
  readonly micros: Micros
  readonly hash: string | null
  readonly createdAt: Date
  readonly confirmedAt: Date | null
}

const openListedMax = 200
/** A payment that was taken up within this time is not marked again, which would be a commit to wait for. */
const attendedForMs = 1_000
const columns = `id, rail, account_id as "accountId", payer, micros, action, request_digest as "requestDigest",
  call_id as "callId", state, challenge_id as "challengeId", credential, raw_tx as raw, tx_hash as hash,
  gas_nonce as "gasNonce", signed_at_block as "signedAtBlock", expires_at as "expiresAt", charged, settles, error, created_at as "createdAt",
  finality, times_missing as "timesMissing", dead_since_block as "deadSinceBlock"`
const attending = `with taken as (
    update payment set updated_at = now() where id = $1 and updated_at < now() - $2 * interval '1 ms' returning ${columns}
  )
  select * from taken union all select ${columns} from payment where id = $1 and not exists (select from taken)`

interface Dependencies {
  readonly database: Database
  readonly clock: Clock
  readonly gatewayNumber: number
  /** A remainder below this amount stays with the gateway, on the wallet's account. */
  readonly dustMicros: Micros
}

export function createPayments(dependencies: Dependencies): Payments {
  const { database } = dependencies
  return {
    ...createWallets(dependencies),
    ...createLookups(database),
    ...createClaims(dependencies),
    ...createTransitions(database),
    ...createQueue(database),
  }
}

/** The accounts of wallets, and what they have proved. */
function createWallets({
  database,
  clock,
}: Dependencies): Pick<Payments, 'accountOf' | 'hasStrike' | 'hasPaidTopUp' | 'useProof'> {
  return {
    async accountOf(wallet) {
      const [row] = await database.query<{ id: string }>(
        { name: 'wallet_account', text: 'select wallet_account($1, $2) as id' },
        [uuidv7(clock.now()), wallet],
      )
      if (row === undefined) throw new Error('PostgreSQL returned no account for a wallet.')
      return row.id
    },
    async hasStrike(accountId) {
      const text = 'select 1 from wallet_strike where account_id = $1 and until > now()'
      const rows = await database.query({ name: 'wallet_strike', text }, [accountId])
      return rows.length > 0
    },
    async hasPaidTopUp(accountId) {
      const [row] = await database.query<{ has: boolean }>('select has_paid_topup($1) as has', [
        accountId,
      ])
      return row?.has === true
    },
    async useProof(id, expiresAtMs) {
      // Kept much longer than it is valid, because clocks differ.
      const rows = await database.query(
        `with gone as (delete from wallet_proof where expires_at < now() - interval '1 hour')
         insert into wallet_proof (id, expires_at) values ($1, $2) on conflict do nothing returning 1`,
        [id, new Date(expiresAtMs)],
      )
      return rows.length > 0
    },
  }
}

function createLookups(
  database: Database,
): Pick<Payments, 'find' | 'get' | 'findByKey' | 'hasKey' | 'refundOf' | 'open'> {
  /** With a name, its plan is kept. */
  async function one(
    where: string,
    values: readonly unknown[],
    name?: string,
  ): Promise<Payment | undefined> {
    const text = `select ${columns} from payment where ${where}`
    const statement = name === undefined ? text : { name, text }
    const [payment] = await database.query<Payment>(statement, values)
    return payment
  }

  return {
    find: (claimKey) => one('claim_key = $1', [claimKey], 'payment_by_claim'),
    get: (paymentId) => one('id = $1', [paymentId], 'payment_by_id'),
    findByKey: ({ wallet, idempotencyKey, action, requestDigest }) =>
      one(
        `(id, call_id) in (
           select payment_id, id from call where account_id = (select id from account where wallet = $1)
             and idempotency_key = $2 and action = $3 and request_digest = $4)`,
        [wallet, idempotencyKey, action, requestDigest],
      ),
    async hasKey({ callId }, idempotencyKey) {
      const rows = await database.query(
        'select 1 from call where id = $1 and idempotency_key = $2',
        [callId, idempotencyKey],
      )
      return rows.length > 0
    },
    open: () =>
      database.query<Payment>(
        `select ${columns} from payment where state in ('owed', 'settling') order by created_at limit ${openListedMax}`,
      ),
    async refundOf(callId) {
      const [refund] = await database.query<RefundState>(
        `select state, micros, tx_hash as hash, created_at as "createdAt", confirmed_at as "confirmedAt"
         from refund where call_id = $1`,
        [callId],
      )
      return refund
    },
  }
}

function createClaims({
  database,
  clock,
  gatewayNumber,
  dustMicros,
}: Dependencies): Pick<Payments, 'claim'> {
  return {
    async claim(payment, call) {
      const [row] = await database.query<{
        outcome: ClaimOutcome['outcome']
        call_id: string
        payment_id: string
      }>({ name: 'payment_claim', text: 'select * from payment_claim($1, $2, $3, $4)' }, [
        gatewayNumber,
        offerRecord(payment, call, { id: uuidv7(clock.now()), dust_micros: dustMicros }),
        holdRecord(payment, call),
        call.atOnceMax,
      ])
      if (row === undefined) throw new Error('PostgreSQL returned no row for a claim.')
      // The union is what payment_claim writes.
      return {
        outcome: row.outcome,
        callId: row.call_id,
        paymentId: row.payment_id,
      } as ClaimOutcome
    },
  }
}

/** From one state of a payment to the next. */
function createTransitions(
  database: Database,
): Pick<Payments, 'owed' | 'settling' | 'replace' | 'refused' | 'settled' | 'dead'> {
  return {
    async owed(paymentId, delivery) {
      // The commit of an answer need not wait for the disk while nothing is signed: `settling` waits for both, and
      // comes before anything is sent.
      const [row] = await database.query<{ state: PaymentState }>(
        {
          name: 'payment_owed',
          text: `select state, case state when 'owed' then set_config('synchronous_commit', 'off', true) end
            from payment_owed($1, $2, $3, $4, $5) as state`,
        },
        [
          paymentId,
          delivery?.charged ?? null,
          delivery?.cost ?? null,
          delivery?.output ?? null,
          delivery?.timeline ?? null,
        ],
      )
      return row?.state ?? 'dead'
    },
    async settling(paymentId, { raw, hash, gasNonce, signedAtBlock }) {
      const [row] = await database.query<{ settling: boolean | null }>(
        {
          name: 'payment_settling',
          text: 'select payment_settling($1, $2, $3, $4, $5) as settling',
        },
        [paymentId, raw, hash, gasNonce ?? null, signedAtBlock ?? null],
      )
      return row?.settling === true
    },
    async replace(paymentId, lost, { raw, hash, gasNonce }) {
      const replaced = await database.query(
        `update payment set raw_tx = $3, tx_hash = $4, gas_nonce = $5, updated_at = now()
         where id = $1 and (state = 'settling' or finality = 'open') and raw_tx = $2 returning 1`,
        [paymentId, lost, raw, hash, gasNonce ?? null],
      )
      return replaced.length > 0
    },
    async refused(paymentId, reason) {
      await database.query(`update payment set error = $2 where id = $1 and state = 'settling'`, [
        paymentId,
        reason,
      ])
    },
    async settled(paymentId, { hash, block }, then) {
      const settle = 'select payment_settled($1, $2, $3) as state'
      const values = [paymentId, hash, block]
      if (then === undefined) {
        const [row] = await database.query<{ state: PaymentState }>(
          { name: 'payment_settled', text: settle },
          values,
        )
        return row?.state ?? 'dead'
      }
      return await database.transaction(async (client) => {
        const { rows } = await client.query<{ state: PaymentState }>(settle, values)
        const state = rows[0]?.state ?? 'dead'
        if (state === 'settled') await then(client)
        return state
      })
    },
    async dead(paymentId, { reason, byPayer = false }) {
      const [row] = await database.query<{ state: PaymentState }>(
        'select payment_dead($1, $2, $3) as state',
        [paymentId, reason, byPayer],
      )
      return row?.state ?? 'dead'
    },
  }
}

/** Which gateway works on which payment. */
function createQueue(database: Database): Pick<Payments, 'unattended' | 'attend'> {
  return {
    unattended: (forMs, limit) =>
      database.query<Payment>(
        `update payment set updated_at = now() where id in (
           select id from payment where (state = 'settling' or state = 'owed' and charged is not null) and updated_at < now() - $1 * interval '1 ms'
           order by updated_at limit $2 for update skip locked
         ) returning ${columns}`,
        [forMs, limit],
      ),
    async attend(paymentId) {
      const [payment] = await database.query<Payment>({ name: 'payment_attend', text: attending }, [
        paymentId,
        attendedForMs,
      ])
      return payment
    },
  }
}
