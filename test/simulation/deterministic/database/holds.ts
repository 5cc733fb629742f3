// Holds, claims and settlements, as holds.sql and settlements.sql have them.
import type { HoldRequest, Session, SettlementRecord } from './session.ts'
import { addInference, addKeySpend, noteUncharged, spend, unchargedRefusal } from './spending.ts'
import { type CallRow, house, ReportedError, type Transfer, utcDay } from './tables.ts'

export interface HoldRow {
  readonly outcome: string
  readonly available: number | null
  readonly earlier: string | null
}

export interface CommitRow extends HoldRow {
  readonly kind: 'hold' | 'claim' | 'settle'
  readonly place: number
}

const keyName = (account: string, idempotency: string) => `${account} ${idempotency}`

/** The call that has an idempotency key, and what that means for another request with it. */
function callOfKey({ tables }: Session, h: HoldRequest) {
  if (h.idempotency === null) return undefined
  const id = tables.callOfKey.get(keyName(h.account, h.idempotency))
  const call = id === undefined ? undefined : tables.call.get(id)
  if (call === undefined) return undefined
  if (
    call.action !== h.action ||
    (call.digest !== null && h.digest !== null && call.digest !== h.digest)
  )
    return { outcome: 'mismatch', earlier: call.id }
  const outcome = call.state === 'held' && !call.job ? 'in_progress' : 'replay'
  return { outcome, earlier: call.id }
}

/** False where its id or its idempotency key is taken. */
export function insertCall({ tables }: Session, call: CallRow): boolean {
  const { id, accountId, idempotencyKey } = call
  if (tables.call.get(id) !== undefined) return false
  if (idempotencyKey !== null) {
    const name = keyName(accountId, idempotencyKey)
    if (tables.callOfKey.get(name) !== undefined) return false
    tables.callOfKey.put(name, id)
  }
  tables.call.put(id, call)
  return true
}

export function changeBalance(
  { tables }: Session,
  accountId: string,
  more: { readonly available?: number; readonly held?: number; readonly inFlight?: number },
): number | null {
  const row = tables.balance.get(accountId)
  if (row === undefined) return null
  const available = row.available + (more.available ?? 0)
  const held = row.held + (more.held ?? 0)
  const inFlight = row.inFlight + (more.inFlight ?? 0)
  tables.balance.put(accountId, { accountId, available, held, inFlight })
  return available
}

/** What an account can spend, with what its leases have to spare. `reserved`: of leases whose turns come next. */
export function spendable(
  { tables }: Session,
  accountId: string,
  reserved: ReadonlyMap<string, number> = new Map(),
): number | null {
  const balance = tables.balance.get(accountId)
  if (balance === undefined) return null
  let spare = 0
  for (const lease of tables.lease.values())
    if (lease.accountId === accountId)
      spare += lease.held - (reserved.get(lease.id) ?? lease.reserved ?? lease.held)
  return balance.available + spare
}

/** Kinds of transfers of which each call has one at most. */
const once: ReadonlySet<string> = new Set(['charge'])

export function post({ tables }: Session, transfer: Omit<Transfer, 'id'>) {
  const { callId, kind } = transfer
  if (callId !== null && once.has(kind)) {
    const name = `${callId} ${kind}`
    if (tables.transferOnce.get(name))
      throw new ReportedError('23505', 'violates unique constraint "transfer_charges_once"')
    tables.transferOnce.put(name, true)
  }
  const id = String(tables.mark())
  tables.transfer.put(id, { id, ...transfer })
}

export const newCall = (h: HoldRequest, gatewayId: number, nowMs: number): CallRow => ({
  id: h.call,
  accountId: h.account,
  keyId: h.key,
  paymentId: null,
  action: h.action,
  inference: h.inference && h.key !== null,
  state: 'held',
  idempotencyKey: h.idempotency,
  digest: h.idempotency === null ? null : h.digest,
  held: h.amount,
  charged: 0,
  cost: null,
  availableAfter: null,
  error: null,
  message: null,
  output: null,
  timeline: null,
  gatewayId,
  onLease: false,
  job: h.job === true,
  withinFreeCalls: h.free_per_day !== null,
  input: h.input,
  startedAtMs: null,
  atWork: false,
  createdAtMs: nowMs,
  expiresAtMs: nowMs + h.lifetime_ms,
  endedAtMs: null,
  cancelled: null,
})

export function ledgerHold(
  session: Session,
  gatewayId: number,
  h: HoldRequest,
  atOnceMax: number,
): HoldRow {
  const { tables, nowMs } = session
  const balance = tables.balance.get(h.account)
  const refuse = (outcome: string, earlier: string | null = null): HoldRow => ({
    outcome,
    available: balance?.available ?? null,
    earlier,
  })
  if (balance === undefined) return refuse('key_invalid')
  const own = tables.call.get(h.call)
  if (own !== undefined) return refuse(own.state === 'held' ? 'held' : 'expired')
  const known = callOfKey(session, h)
  if (known !== undefined) return refuse(known.outcome, known.earlier)
  if ((h.job ? countOpenJobs(session, h) : balance.inFlight) >= atOnceMax)
    return refuse('too_many_inflight')
  if ((h.amount > 0 || h.inference) && h.costless !== true) {
    const refusal = unchargedRefusal(session, h, balance)
    if (refusal !== undefined) return refuse(refusal)
  }
  if (balance.available < h.amount) return refuse('insufficient')
  const refusal = spend(session, h)
  if (refusal !== undefined) return refuse(refusal)
  insertCall(session, newCall(h, gatewayId, nowMs))
  changeBalance(session, h.account, {
    available: -h.amount,
    held: h.amount,
    inFlight: h.job ? 0 : 1,
  })
  return { outcome: 'held', available: spendable(session, h.account), earlier: null }
}

function countOpenJobs({ tables }: Session, h: HoldRequest): number {
  let open = 0
  for (const call of tables.call.values())
    if (
      call.job &&
      call.state === 'held' &&
      call.accountId === h.account &&
      call.action === h.action
    )
      open += 1
  return open
}

export function ledgerClaim(
  session: Session,
  gatewayId: number,
  claims: readonly HoldRequest[],
): CommitRow[] {
  for (const claim of claims)
    insertCall(session, {
      ...newCall(claim, gatewayId, session.nowMs),
      onLease: true,
      digest: claim.digest,
    })
  return claims.map((claim, index) => {
    const own = session.tables.call.get(claim.call)
    const other = own === undefined ? callOfKey(session, claim) : undefined
    const outcome =
      own === undefined
        ? (other?.outcome ?? 'in_progress')
        : own.state === 'held'
          ? 'held'
          : 'expired'
    return {
      kind: 'claim',
      place: index + 1,
      outcome,
      available: null,
      earlier: other?.earlier ?? null,
    }
  })
}

export interface CallEnd extends Partial<CallRow> {
  readonly state: 'settled' | 'voided'
  readonly charged: number
}

/** Writes the end of a held call, as `update of state` with its triggers. */
export function endCall(session: Session, call: CallRow, end: CallEnd) {
  const { tables } = session
  const ended: CallRow = {
    ...call,
    ...end,
    endedAtMs: session.nowMs,
    // A failed call frees its key.
    idempotencyKey: end.state === 'settled' ? call.idempotencyKey : null,
  }
  tables.call.put(call.id, ended)
  if (call.idempotencyKey !== null && ended.idempotencyKey === null)
    tables.callOfKey.delete(keyName(call.accountId, call.idempotencyKey))
  if (call.inference && !call.onLease)
    addInference(session, call.accountId, utcDay(call.createdAtMs), {
      held: -call.held,
      spent: end.charged,
    })
  if (call.job)
    for (const { callId, name } of tables.checkpoint.values())
      if (callId === call.id) tables.checkpoint.delete(`${callId} ${name}`)
  countUncharged(session, ended)
}

export function countUncharged(session: Session, { charged, cost, accountId, keyId }: CallRow) {
  if (charged === 0 && cost !== null && cost > 0) noteUncharged(session, accountId, keyId, cost)
}

function ledgerSettle(
  session: Session,
  s: SettlementRecord,
): { outcome: 'done' | 'gone'; available: number | null } {
  const call = session.tables.call.get(s.call)
  if (call === undefined) return { outcome: 'gone', available: null }
  const held = call.onLease ? 0 : call.held
  if (call.state !== 'held' || s.charged > held) {
    const isSame = call.state === s.state && call.charged === s.charged
    return { outcome: isSame ? 'done' : 'gone', available: call.availableAfter }
  }
  changeBalance(session, call.accountId, {
    available: held - s.charged,
    held: -held,
    inFlight: call.job || call.onLease ? 0 : -1,
  })
  const available = spendable(session, call.accountId)
  const { state, charged, cost, error, message, output, timeline } = s
  const end = { state, charged, cost, error, message, output, timeline, availableAfter: available }
  endCall(session, call, { ...end, input: null })
  if (charged > 0)
    post(session, {
      callId: s.call,
      kind: 'charge',
      debit: call.accountId,
      credit: house.revenue,
      amount: charged,
    })
  if (held > charged) addKeySpend(session, call.keyId, utcDay(call.createdAtMs), charged - held)
  return { outcome: 'done', available }
}

export function ledgerCommit(
  session: Session,
  gatewayId: number,
  inFlightMax: number,
  work: {
    readonly settlements: readonly SettlementRecord[]
    readonly holds: readonly HoldRequest[]
  },
): CommitRow[] {
  return [
    ...work.settlements.map((settlement, index): CommitRow => {
      const ended = ledgerSettle(session, settlement)
      return { kind: 'settle', place: index + 1, ...ended, earlier: null }
    }),
    ...work.holds.map((hold, index): CommitRow => {
      const held = ledgerHold(session, gatewayId, hold, inFlightMax)
      return { kind: 'hold', place: index + 1, ...held }
    }),
  ]
}

export function extendHold(session: Session, callId: string, target: number, keyLeft: number) {
  const { tables } = session
  const call = tables.call.get(callId)
  if (call === undefined || call.state !== 'held') return null
  const key = tables.apiKey.get(call.keyId ?? '')
  const limit = key?.callMicrosMax ?? Number.POSITIVE_INFINITY
  const available = tables.balance.get(call.accountId)?.available ?? 0
  const more = Math.max(0, Math.min(target - call.held, available, keyLeft, limit - call.held))
  if (more === 0) return call.held
  changeBalance(session, call.accountId, { available: -more, held: more })
  addKeySpend(session, call.keyId, utcDay(call.createdAtMs), more)
  tables.call.put(callId, { ...call, held: call.held + more })
  return call.held + more
}
