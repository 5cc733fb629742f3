// Spend leases, as leases.sql has them.
import { gatewayLives } from './gateways.ts'
import {
  changeBalance,
  countUncharged,
  endCall,
  insertCall,
  newCall,
  post,
  spendable,
} from './holds.ts'
import type { LeaseCallRecord, LeaseTurnRecord, Session } from './session.ts'
import {
  addInference,
  addKeySpend,
  amountLimits,
  beginKeySpend,
  inferenceCapMicros,
  inferenceId,
  keyLeft,
  unchargedState,
} from './spending.ts'
import { type CallRow, dayEndsMs, house, type LeaseRow, ReportedError, utcDay } from './tables.ts'

export interface TurnRow {
  readonly id: string
  readonly granted: number
  readonly granted_places: number
  readonly lives_ms: number
  readonly call_micros_max: number | null
  readonly gone: readonly string[]
  readonly spendable: number | null
}

/** Those that had not ended before. `turns`: those that they came with. */
function endLeaseCalls(
  session: Session,
  calls: readonly LeaseCallRecord[],
  turns: readonly LeaseTurnRecord[] = [],
): LeaseCallRecord[] {
  const reserved = new Map(turns.map((turn) => [turn.lease, turn.reserved]))
  const left = new Map(
    calls.map(({ account }) => [account, spendable(session, account, reserved) ?? 0]),
  )
  const ended = calls.filter((call) => {
    const availableAfter = (left.get(call.account) ?? 0) - call.charged
    left.set(call.account, availableAfter)
    return endLeaseCall(session, call, availableAfter)
  })
  for (const { id, account, charged } of ended)
    if (charged > 0)
      post(session, {
        callId: id,
        kind: 'charge',
        debit: account,
        credit: house.revenue,
        amount: charged,
      })
  return ended
}

function endLeaseCall(session: Session, c: LeaseCallRecord, availableAfter: number): boolean {
  const { tables, nowMs } = session
  const { state, charged, cost, error, message, output, timeline, inference } = c
  const end = { state, charged, cost, error, message, output, timeline, availableAfter }
  const row = tables.call.get(c.id)
  if (c.claimed === true && row !== undefined) {
    if (row.state !== 'held' || !row.onLease) return false
    endCall(session, row, end)
    return true
  }
  const hold = { call: c.id, account: c.account, key: c.key, action: c.action, amount: c.held }
  const rest = { inference, idempotency: null, digest: null, job: false, input: null }
  const inserted: CallRow = {
    ...newCall(
      { ...hold, ...rest, lifetime_ms: 0, costless: null, free_per_day: null },
      c.gateway,
      nowMs,
    ),
    ...end,
    inference,
    onLease: c.claimed === true,
    idempotencyKey: state === 'settled' ? c.idempotency : null,
    digest: c.digest,
    createdAtMs: c.started_ms,
    endedAtMs: nowMs,
  }
  if (!insertCall(session, inserted)) return false
  countUncharged(session, inserted)
  return true
}

function changeLease({ tables }: Session, lease: LeaseRow, more: Partial<LeaseRow>) {
  tables.lease.put(lease.id, { ...lease, ...more })
}

function openLease(session: Session, gatewayId: number, t: LeaseTurnRecord) {
  const { tables, nowMs } = session
  const day = utcDay(nowMs)
  if (tables.lease.get(t.lease) === undefined)
    tables.lease.put(t.lease, {
      id: t.lease,
      gatewayId,
      accountId: t.account,
      keyId: t.key,
      action: t.action,
      inference: t.inference,
      day,
      held: 0,
      reserved: null,
      places: 0,
      turn: 0,
      granted: 0,
      grantedPlaces: 0,
    })
  const lease = tables.lease.get(t.lease)
  if (lease === undefined) return
  if (lease.inference) addInference(session, lease.accountId, lease.day, {})
  const key = tables.apiKey.get(lease.keyId ?? '')
  if (key === undefined) return
  for (const { period } of amountLimits(key)) beginKeySpend(session, key.id, period, lease.day)
}

interface Settings {
  readonly gatewayId: number
  readonly inFlightMax: number
  readonly share: number
}

export function leaseCommit(
  session: Session,
  settings: Settings,
  turns: readonly LeaseTurnRecord[],
  calls: readonly LeaseCallRecord[],
): TurnRow[] {
  const { tables } = session
  if (new Set(turns.map(({ account }) => account)).size < turns.length)
    throw new ReportedError('XX000', 'Two turns of one account: only one of them would change it.')
  for (const turn of turns) if (turn.turn === 1) openLease(session, settings.gatewayId, turn)
  const following = turns.filter((t) => tables.lease.get(t.lease)?.turn === t.turn - 1)
  const names = new Set(following.map(({ lease }) => lease))
  const ended = endLeaseCalls(
    session,
    calls.filter(({ lease }) => names.has(lease)),
    following,
  )
  for (const { lease: id, key, charged } of ended) {
    const lease = tables.lease.get(id)
    if (lease !== undefined && lease.keyId === null) addKeySpend(session, key, lease.day, charged)
  }
  for (const turn of following) takeTurn(session, settings, turn, ended)
  const gone = calls.filter((call) => call.claimed && !isEndedAs(session, call)).map(({ id }) => id)
  const rows = turns.flatMap((turn) => rowOf(session, turn, gone))
  for (const { last, lease } of following) if (last) tables.lease.delete(lease)
  return rows
}

function takeTurn(
  session: Session,
  { inFlightMax, share }: Settings,
  t: LeaseTurnRecord,
  ended: readonly LeaseCallRecord[],
) {
  const { tables } = session
  const lease = tables.lease.get(t.lease)
  const balance = tables.balance.get(lease?.accountId ?? '')
  if (lease === undefined || balance === undefined) return
  const spent = ended
    .filter((call) => call.lease === lease.id)
    .reduce((sum, { charged }) => sum + charged, 0)
  const give = t.last ? lease.held - spent : t.give
  const givePlaces = t.last ? lease.places : t.give_places
  const left = Math.min(
    balance.available,
    lease.inference ? inferenceLeft(session, lease) : Number.POSITIVE_INFINITY,
    keyLeft(session, lease.keyId, lease.day),
  )
  const microsLeft = Math.trunc(left / share)
  const placesLeft = Math.trunc((inFlightMax - balance.inFlight) / share)
  const fits =
    Math.min(t.take, microsLeft) >= t.least &&
    (t.take_places === 0 || placesLeft > 0) &&
    unchargedState(session, lease.accountId, lease.keyId) === undefined
  const micros = fits ? Math.min(t.take, microsLeft) : 0
  const places = fits ? Math.max(0, Math.min(t.take_places, placesLeft)) : 0
  const held = micros - spent - give
  const inFlight = places - givePlaces
  changeBalance(session, lease.accountId, { available: give - micros, held, inFlight })
  if (lease.inference) addInference(session, lease.accountId, lease.day, { spent, held })
  addKeySpend(session, lease.keyId, lease.day, micros - give)
  changeLease(session, lease, {
    held: lease.held + held,
    reserved: t.reserved,
    places: lease.places + inFlight,
    turn: lease.turn + 1,
    granted: micros,
    grantedPlaces: places,
  })
}

function inferenceLeft({ tables }: Session, { accountId, day }: LeaseRow): number {
  const { spent = 0, held = 0 } = tables.inferenceDay.get(inferenceId(accountId, day)) ?? {}
  return inferenceCapMicros - spent - held
}

const isEndedAs = ({ tables }: Session, { id, state }: LeaseCallRecord) =>
  tables.call.get(id)?.state === state

function rowOf(session: Session, t: LeaseTurnRecord, gone: readonly string[]): TurnRow[] {
  const { tables, nowMs } = session
  const lease = tables.lease.get(t.lease)
  if (lease === undefined || lease.turn !== t.turn) return []
  const isNear = unchargedState(session, lease.accountId, lease.keyId) !== undefined
  return [
    {
      id: lease.id,
      granted: lease.granted,
      granted_places: lease.grantedPlaces,
      lives_ms: isNear ? 0 : Math.round(dayEndsMs(lease.day) - nowMs),
      call_micros_max: tables.apiKey.get(lease.keyId ?? '')?.callMicrosMax ?? null,
      gone,
      spendable: spendable(session, lease.accountId),
    },
  ]
}

export function unwrittenCalls({ tables }: Session, ids: readonly string[]): { id: string }[] {
  const isMissing = (id: string) => (tables.call.get(id)?.state ?? 'held') === 'held'
  return ids.filter(isMissing).map((id) => ({ id }))
}

/** False: the books have ended the call otherwise. */
export function leaseReplay(session: Session, written: LeaseCallRecord): boolean {
  const { tables } = session
  const balance = tables.balance.get(written.account)
  if (balance === undefined) return false
  const lease = tables.lease.get(written.lease)
  const leased = lease?.held ?? 0
  const day = lease?.day ?? utcDay(written.started_ms)
  const charged = Math.min(written.charged, leased + balance.available)
  const fromLease = Math.min(charged, leased)
  if (endLeaseCalls(session, [{ ...written, charged }]).length === 0)
    return isEndedAs(session, written)
  changeBalance(session, written.account, { available: fromLease - charged, held: -fromLease })
  if (lease !== undefined) changeLease(session, lease, { held: lease.held - fromLease })
  if (written.inference)
    addInference(session, written.account, day, { spent: charged, held: -fromLease })
  const counted = lease === undefined || lease.keyId === null ? 0 : fromLease
  addKeySpend(session, written.key, day, charged - counted)
  return true
}

function releaseLease(session: Session, lease: LeaseRow) {
  session.tables.lease.delete(lease.id)
  const { accountId, keyId, day, held, places, inference } = lease
  changeBalance(session, accountId, { available: held, held: -held, inFlight: -places })
  if (inference) addInference(session, accountId, day, { held: -held })
  addKeySpend(session, keyId, day, -held)
}

export function reconcileLeases(
  session: Session,
  gatewayId: number,
  known: readonly { readonly lease: string; readonly turn: number }[],
): { id: string }[] {
  const { tables } = session
  const turns = new Map(known.map(({ lease, turn }) => [lease, turn]))
  for (const lease of [...tables.lease.values()])
    if (lease.gatewayId === gatewayId && turns.get(lease.id) !== lease.turn)
      releaseLease(session, lease)
  return known
    .filter(({ lease, turn }) => tables.lease.get(lease)?.turn === turn)
    .map(({ lease }) => ({ id: lease }))
}

export function releaseAbandonedLeases(session: Session, gatewayId: number | null): number {
  const abandoned = [...session.tables.lease.values()].filter(
    (lease) => lease.gatewayId !== gatewayId && !gatewayLives(session, lease.gatewayId),
  )
  for (const lease of abandoned) releaseLease(session, lease)
  return abandoned.length
}
