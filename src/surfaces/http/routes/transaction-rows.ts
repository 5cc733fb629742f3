// How transactions are shown, to their owner and to the operator.
import { z } from '#core/action.ts'
import { centsToMicros, type Micros, microsToUsd } from '#core/money.ts'
import type { RefundState } from '#money/payments/payments.ts'
import type { CallRecord, StoredCall } from '#runner/history/calls.ts'
import { statusOfState } from '#runner/history/result.ts'
import { outputUntil } from '#runner/history/retention.ts'
import type { EntryRow, StatementFilter, StatementRow } from '#runner/history/statement.ts'
import { showAmount } from '../../doors/input.ts'
import { integer, object, objectWith, text, textOrNull } from '../../doors/shapes.ts'
import { pageFields, pageOf } from '../paging.ts'

export const stateOfStatus = { running: 'held', succeeded: 'settled', failed: 'voided' } as const

const transactionTypes = ['call', 'credit', 'credit_expired', 'debit', 'topup'] as const
const amountCentsMax = 100_000_000

export const transactionsFilter = z.strictObject({
  type: z.enum(transactionTypes).optional(),
  action: z.string().max(200).optional().describe('service/action, or service/*.'),
  status: z.enum(['running', 'succeeded', 'failed']).optional(),
  from: z.iso.datetime({ offset: true }).optional(),
  until: z.iso.datetime({ offset: true }).optional(),
  key_id: z.uuid().optional(),
  min_cents: z.coerce.number().min(0).max(amountCentsMax).optional(),
  max_cents: z.coerce.number().min(0).max(amountCentsMax).optional(),
  free: z
    .enum(['true', 'false'])
    .optional()
    .describe('Only calls whose price is 0, or all but these. Not the free calls of a day.'),
  within_free_calls: z
    .enum(['true', 'false'])
    .optional()
    .describe('Only the free calls that the account has each day, or all but these.'),
})

/** Which transactions, and which page of them. */
export const transactionsQuery = transactionsFilter.extend(pageFields)

/** The filter of one page, plus one row that shows whether there is another page. */
export function readFilter(
  query: z.output<typeof transactionsFilter> & { cursor?: string | undefined; limit?: number },
): StatementFilter {
  const {
    type,
    action,
    status,
    key_id,
    min_cents,
    max_cents,
    free,
    within_free_calls: isWithin,
    from,
    until,
    cursor,
    limit = 0,
  } = query
  return {
    kind: type,
    action,
    state: status && stateOfStatus[status],
    keyId: key_id,
    least: min_cents === undefined ? undefined : centsToMicros(min_cents),
    most: max_cents === undefined ? undefined : centsToMicros(max_cents),
    isFree: free && free === 'true',
    isWithinFreeCalls: isWithin && isWithin === 'true',
    from: from === undefined ? undefined : new Date(from),
    until: until === undefined ? undefined : new Date(until),
    after: cursor,
    limit: limit + 1,
  }
}

export const transactionFields = {
  transaction_id: text,
  type: { enum: transactionTypes },
  action: textOrNull,
  status: { enum: ['running', 'succeeded', 'failed'] },
  amount_cents: integer,
  amount_usd: text,
  charged_cents: integer,
  charged_usd: text,
  key_id: textOrNull,
  idempotency_key: textOrNull,
  created_at: text,
  ended_at: textOrNull,
}
/** Of calls that failed, of free calls, and of credits, debits and top-ups. */
export const transactionExtras = {
  free: { const: true, description: 'The price of the call was 0.' },
  within_free_calls: {
    const: true,
    description: 'It was one of the free calls of an action that the account has each day.',
  },
  error: text,
  message: text,
  reason: textOrNull,
  paid_by_transaction_id: text,
}
export const shownTransaction = objectWith(transactionFields, transactionExtras)
/** A hop has the fields of what was asked; the other events have an amount. */
export const timelineEvent = objectWith(
  { event: { enum: ['hold', 'hop', 'settle', 'void', 'refund_due', 'refund'] } },
  {
    at: text,
    amount_cents: integer,
    amount_usd: text,
    provider: text,
    action: text,
    ok: { type: 'boolean' },
    charged_cents: { type: 'number' },
    latency_ms: { type: 'number' },
    skipped: text,
    state: text,
    transaction: textOrNull,
  },
)
/** Of one call, beside its timeline. */
export const traceExtras = {
  input: {
    description:
      'What the caller sent, shortened and without secrets, as long as the output is kept.',
  },
  available_after_usd: { ...text, description: 'What could be spent after the call.' },
}
/** How the answer of a language model ended. */
export const inference = object({ ending: { enum: ['complete', 'client_gone', 'broken'] } })

export function showPage(found: readonly StatementRow[], limit: number) {
  const { rows, next_cursor } = pageOf(found, limit, ({ id }) => id)
  return { transactions: rows.map(showTransaction), next_cursor }
}

export function showTransaction(row: StatementRow | CallRecord) {
  return 'kind' in row && row.kind !== 'call' ? showEntry(row) : showCall(row as CallRecord)
}

/** The change of the balance. A running call has no charge yet. */
const showChange = (micros: Micros) => showAmount('amount', micros, 'down')

function showCall(call: CallRecord) {
  return {
    transaction_id: call.id,
    type: 'call',
    action: call.action,
    status: statusOfState[call.state],
    ...showChange(-call.charged),
    ...showAmount('charged', call.charged, 'up'),
    ...(call.withinFreeCalls ? { within_free_calls: true } : call.held === 0 && { free: true }),
    key_id: call.keyId,
    idempotency_key: call.idempotencyKey,
    ...(call.error === null ? {} : { error: call.error, message: call.message }),
    created_at: call.createdAt,
    ended_at: call.endedAt,
  }
}

function showEntry(entry: EntryRow) {
  return {
    transaction_id: entry.id,
    type: entry.kind,
    action: null,
    status: 'succeeded',
    ...showChange(entry.amount),
    ...showAmount('charged', 0, 'up'),
    reason: entry.reason,
    // The transaction of the wallet that paid this top-up.
    ...(entry.callId === null ? {} : { paid_by_transaction_id: entry.callId }),
    key_id: null,
    idempotency_key: null,
    created_at: entry.createdAt,
    ended_at: entry.createdAt,
  }
}

/** One transaction in full. */
export function showWhole(row: StoredCall | EntryRow, refund?: RefundState) {
  if ('kind' in row) return { ...showEntry(row), timeline: [], output: null }
  return {
    ...showCall(row),
    timeline: [...showTimeline(row), ...showRefund(refund)],
    ...(row.timeline?.inference === undefined ? {} : { inference: row.timeline.inference }),
    ...showInput(row),
    output: row.output === null ? null : JSON.parse(row.output),
    // Until then tollway/result returns the output again, free of charge.
    ...(row.output === null ? {} : { output_until: outputUntil(row) }),
  }
}

/** What the caller sent, and what was left on the balance. */
export function showInput({ timeline, availableAfter }: CallRecord) {
  return {
    ...(timeline?.input === undefined ? {} : { input: timeline.input }),
    ...(availableAfter === null ? {} : { available_after_usd: microsToUsd(availableAfter) }),
  }
}

/** Paid back to a wallet on its chain: when it came to be owed, and when the chain had it. */
function showRefund(refund: RefundState | undefined) {
  if (refund === undefined) return []
  const { state, micros, hash, createdAt, confirmedAt } = refund
  const shown = { ...showAmount('amount', micros, 'down'), state, transaction: hash }
  return [
    { event: 'refund_due', at: createdAt, ...shown },
    ...(confirmedAt === null ? [] : [{ event: 'refund', at: confirmedAt, ...shown }]),
  ]
}

/** What happened to the money, and which providers were called, in order. */
export function showTimeline(call: CallRecord) {
  const hops = call.timeline?.hops ?? []
  const held = { event: 'hold', at: call.createdAt, ...showAmount('amount', call.held, 'up') }
  const asked = hops.map((hop) => ({ event: 'hop', ...hop }))
  if (call.endedAt === null) return [held, ...asked]
  const ended = call.state === 'settled' ? 'settle' : 'void'
  return [
    held,
    ...asked,
    { event: ended, at: call.endedAt, ...showAmount('amount', call.charged, 'up') },
  ]
}
