// Orders that cannot be taken back. Each is recorded before it is sent. From then on the call is neither refunded as if
// nothing had been bought, nor is the order sent again.
import type { ClientBase } from 'pg'
import { z } from 'zod'
import { type CallError, fail } from '#core/errors.ts'
import { membersOf } from '#core/input/members.ts'
import type { Micros } from '#core/money.ts'
import type { Log, SellerPayment } from '#core/ports.ts'
import type { Ledger } from '#money/ledger/ledger.ts'
import { settlementRecord } from '#money/ledger/records.ts'
import type { Database } from '#platform/database/database.ts'
import { type Trail, timelineOf } from './trail.ts'

/** An order with an unknown outcome: the seller may have accepted it. */
export interface UnknownPurchase {
  readonly callId: string
  readonly reference: string
  readonly accountId: string
  readonly action: string
  readonly held: Micros
  readonly idempotencyKey: string | null
  readonly doubt: string
  readonly startedAt: Date
}

/** A payment from the operator's wallet to a seller. */
export interface SentPayment extends Omit<SellerPayment, 'headers'> {
  readonly callId: string
  readonly sentAt: Date
  /** Null while the seller has not answered. */
  readonly answeredAt: Date | null
  readonly receipt: string | null
}

export interface Purchases {
  /** Records an order. Throws `unavailable` when its call has ended meanwhile: then the order must not be sent. */
  start(callId: string, reference: string): Promise<void>
  /** Records a payment. Throws `unavailable` when its call has ended meanwhile: then the payment must not be sent. */
  startPayment(callId: string, payment: SellerPayment): Promise<void>
  /** Records that the seller has answered. */
  endPayment(callId: string, chainReference: string, receipt: string | null): Promise<void>
  /** Removes a payment that was never sent. */
  forgetPayment(callId: string, chainReference: string): Promise<void>
  /** The payments of these calls, oldest first. */
  payments(callIds: readonly string[]): Promise<readonly SentPayment[]>
  /** Leaves the call and its hold to the operator. Resolves to the failure that the caller is told. */
  doubt(trail: Trail, error: CallError): Promise<CallError>
  /** The failure for a caller that repeats a call in doubt. */
  inDoubt(callId: string): Promise<CallError | undefined>
  /** Oldest first. */
  list(): Promise<readonly UnknownPurchase[]>
  /**
   * Ends the call as the operator decides. The payments to the seller are its cost, unless `paid` is false: then the
   * seller never took them. Throws `not_found`, `bad_request`.
   */
  resolve(
    callId: string,
    resolution: {
      outcome: 'charge' | 'void'
      charged?: Micros | undefined
      paid?: boolean | undefined
      note: string
    },
    client: ClientBase,
  ): Promise<{ charged: Micros }>
}

const listedMax = 500
const columns = `call_id as "callId", reference, account_id as "accountId", action, held,
  idempotency_key as "idempotencyKey", doubt, started_at as "startedAt"`

interface Dependencies {
  database: Database
  ledger: Pick<Ledger, 'gatewayNumber'>
  log: Log
}

export function createPurchases(dependencies: Dependencies): Purchases {
  const records = createRecords(dependencies)
  return {
    ...records,
    ...createDoubts(dependencies),
    resolve: createResolve(dependencies, records.payments),
  }
}

type Recording = 'start' | 'startPayment' | 'endPayment' | 'forgetPayment' | 'payments'

function createRecords({ database, ledger }: Dependencies): Pick<Purchases, Recording> {
  return {
    async start(callId, reference) {
      const [row] = await database.query<{ started: boolean }>(
        'select purchase_start($1, $2, $3) as started',
        [callId, reference, ledger.gatewayNumber],
      )
      if (!row?.started) throw fail('unavailable')
    },
    async startPayment(callId, { protocol, payee, micros, chainReference }) {
      const [row] = await database.query<{ started: boolean }>(
        'select seller_payment_start($1, $2, $3, $4, $5, $6) as started',
        [callId, ledger.gatewayNumber, protocol, payee, micros, chainReference],
      )
      if (!row?.started) throw fail('unavailable')
    },
    async endPayment(callId, chainReference, receipt) {
      await database.query(
        'update seller_payment set answered_at = now(), receipt = $3 where call_id = $1 and chain_reference = $2',
        [callId, chainReference, receipt],
      )
    },
    async forgetPayment(callId, chainReference) {
      await database.query(
        'delete from seller_payment where call_id = $1 and chain_reference = $2',
        [callId, chainReference],
      )
    },
    payments: (callIds) =>
      database.query<SentPayment>(
        `select call_id as "callId", protocol, payee, micros, chain_reference as "chainReference", sent_at as "sentAt",
           answered_at as "answeredAt", receipt
         from seller_payment where call_id = any($1) order by sent_at`,
        [callIds],
      ),
  }
}

function createDoubts({
  database,
  log,
}: Dependencies): Pick<Purchases, 'doubt' | 'inDoubt' | 'list'> {
  return {
    async doubt(trail, error) {
      const doubt = doubtOf(error)
      const told = fail('outcome_unknown', {
        data: { transaction_id: trail.callId },
        transactionId: trail.callId,
      })
      await database.query('select purchase_doubt($1, $2, $3, $4, $5)', [
        trail.callId,
        doubt,
        told.code,
        told.message,
        timelineOf(trail) ?? null,
      ])
      log.error(
        { callId: trail.callId, doubt },
        'Operator alert: a seller may or may not have taken an order. See /api/v1/admin/purchases.',
      )
      return told
    },
    async inDoubt(callId) {
      return (await findUnknown(database, callId)) === undefined
        ? undefined
        : fail('outcome_unknown', {
            data: { transaction_id: callId },
            transactionId: callId,
          })
    },
    list: () =>
      database.query<UnknownPurchase>(
        `select ${columns} from purchase_unknown order by started_at limit $1`,
        [listedMax],
      ),
  }
}

/** For the operator. The caller's own message would say that nothing was charged. */
function doubtOf({ cause }: CallError): string {
  if (cause instanceof z.ZodError)
    return `The seller’s answer is not as expected: ${z.prettifyError(cause)}`
  if (cause instanceof Error) return cause.message
  return 'The seller’s answer does not say whether the order was taken.'
}

function createResolve(
  { database }: Dependencies,
  payments: Purchases['payments'],
): Purchases['resolve'] {
  return async (callId, resolution, client) => {
    const { outcome, charged, paid = outcome === 'charge', note } = resolution
    const found = await findUnknown(database, callId)
    if (found === undefined) {
      throw fail('not_found', { message: 'No purchase in doubt has this transaction id.' })
    }
    const amount = outcome === 'void' ? 0 : (charged ?? found.held)
    if (amount > found.held) {
      throw fail('bad_request', { message: 'The charge cannot exceed the amount that is held.' })
    }
    // Provisional credit of a wallet may never be paid.
    if (amount > 0 && (await isProvisional(database, callId))) {
      throw fail('bad_request', {
        message: 'The wallet’s payment is not settled yet. Resolve the purchase once it is.',
      })
    }
    const sent = paid ? await payments([callId]) : []
    const settlement = settlementRecord({
      callId,
      accountId: found.accountId,
      charged: amount,
      cost: sent.length > 0 ? sent.reduce((sum, { micros }) => sum + micros, 0) : undefined,
      ...endingOf(resolution),
    })
    const { rows } = await client.query<{ resolved: boolean }>(
      'select purchase_resolve($1, $2, $3) as resolved',
      [settlement, outcome, note],
    )
    if (!rows[0]?.resolved) throw fail('not_found')
    return { charged: amount }
  }
}

/** How the call ends in the ledger. */
function endingOf({ outcome, note }: { outcome: 'charge' | 'void'; note: string }) {
  return outcome === 'charge'
    ? ({ state: 'settled', output: JSON.stringify({ resolved_by_operator: true, note }) } as const)
    : ({
        state: 'voided',
        error: 'outcome_unknown',
        message: 'The operator found that nothing was bought. Nothing was charged.',
      } as const)
}

async function findUnknown(
  database: Database,
  callId: string,
): Promise<UnknownPurchase | undefined> {
  const [found] = await database.query<UnknownPurchase>(
    `select ${columns} from purchase_unknown where call_id = $1`,
    [callId],
  )
  return found
}

async function isProvisional(database: Database, callId: string): Promise<boolean> {
  const rows = await database.query(
    `select 1 from call c join payment p on p.id = c.payment_id
     where c.id = $1 and p.state in ('claimed', 'owed', 'settling')`,
    [callId],
  )
  return rows.length > 0
}

/** Whether the failure shows that the seller did not take the order: it refused, or was never asked. */
export function isRefusal({ code, data }: CallError): boolean {
  if (code !== 'upstream_error') return true
  const reason = membersOf(data).reason
  return refusalReasons.has(String(reason))
}

const refusalReasons = new Set([
  'provider_auth',
  'provider_unfunded',
  'provider_unpayable',
  'circuit_open',
  'not_sent',
])
