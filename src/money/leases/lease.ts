// The rules of one spend lease, without clock, timers and database. A lease is an amount, and places among the calls in
// flight, that the database holds for one gateway; the gateway reserves the worst case of each call out of both in
// memory. Each function takes a lease and an event, and returns the lease afterwards, with what is to be done.
import type { Micros } from '#core/money.ts'

export interface Lease {
  readonly id: string
  readonly accountId: string
  /** The key with limits whose calls it takes; undefined where it takes those of all keys without limits. */
  readonly keyId: string | undefined
  /** The action whose calls it takes. */
  readonly action: string
  /** Whether its calls run language models, which have a cap of their own for a day. */
  readonly inference: boolean
  /** The limits of the key when the lease was opened. */
  readonly limits: string | undefined
  /** The most that one call of the key may cost. */
  readonly callMicrosMax: Micros
  /** Turns that the database has answered. */
  readonly turn: number
  /** What further calls may reserve, and how many. */
  readonly spare: Micros
  readonly places: number
  /** Calls under way, and what they may cost. */
  readonly open: number
  readonly reserved: Micros
  /** The worst case of the dearest call so far. */
  readonly dearest: Micros
  readonly usedAtMs: number
  /** Until then it asks for nothing, after a turn that granted nothing or a recall. */
  readonly restsUntilMs: number
  /** Until then it has no turn, after the database refused one. */
  readonly refusedUntilMs: number
  /** Its day ends then. */
  readonly endsAtMs: number
  /** It takes no more calls. */
  readonly isClosing: boolean
}

/** A call that asks for a reservation. */
export interface Request {
  readonly accountId: string
  readonly keyId: string
  readonly action: string
  readonly inference?: boolean | undefined
  readonly limits?: string | undefined
  readonly micros: Micros
}

/** What a turn has to carry besides what the lease asks for. */
export interface Load {
  /** Ended calls that the database does not have. */
  readonly ended: number
  /** Whether a caller waits until everything spare is given back. */
  readonly isRecalled: boolean
}

/** What a lease asks the database for in one turn. */
export interface Ask {
  readonly take: Micros
  readonly takePlaces: number
  readonly give: Micros
  readonly givePlaces: number
  /** The lease ends with it and gives back everything. */
  readonly last: boolean
}

/** What the database answers. */
export interface Grant {
  readonly micros: Micros
  readonly places: number
  /** How long its day goes on. */
  readonly livesMs: number
  readonly callMicrosMax: Micros | null
}

/** A second call within this time opens a lease; an idle lease closes after the same time. */
export const idleMs = 1_000
const restMs = 1_000
/** Amounts in calls as dear as the dearest: what a lease asks for, below what it asks, and above what it gives back. */
const callsWanted = 16
const callsLow = 8
const callsMany = 128

export const askNothing: Ask = { take: 0, takePlaces: 0, give: 0, givePlaces: 0, last: false }

/** Names the calls that share a lease: those of one key with limits, or of all keys of the account without. */
export function leaseName({ accountId, keyId, action, inference, limits }: Request): string {
  const kind = inference ? 'inference' : ''
  return `${accountId} ${limits === undefined ? '' : keyId} ${action} ${kind}`
}

export function openLease(id: string, request: Request, nowMs: number): Lease {
  const { accountId, keyId, action, inference = false, limits, micros } = request
  return {
    id,
    accountId,
    action,
    inference,
    limits,
    keyId: limits === undefined ? undefined : keyId,
    callMicrosMax: Number.POSITIVE_INFINITY,
    turn: 0,
    spare: 0,
    places: 0,
    open: 0,
    reserved: 0,
    dearest: micros,
    usedAtMs: nowMs,
    restsUntilMs: 0,
    refusedUntilMs: 0,
    endsAtMs: Number.POSITIVE_INFINITY,
    isClosing: false,
  }
}

/**
 * Reserves the worst case of a call. Where it does not fit, the call is held by itself. A lease whose key has other
 * limits by now closes: the next one is opened by the new limits.
 */
export function reserve(
  lease: Lease,
  { limits, micros }: Pick<Request, 'limits' | 'micros'>,
  nowMs: number,
): { readonly lease: Lease; readonly isReserved: boolean } {
  if (lease.limits !== limits) return { lease: retire(lease), isReserved: false }
  if (micros > lease.callMicrosMax || lease.isClosing) return { lease, isReserved: false }
  const asked = { ...lease, dearest: Math.max(lease.dearest, micros) }
  if (lease.spare < micros || lease.places === 0 || nowMs >= lease.endsAtMs)
    return { lease: asked, isReserved: false }
  const reserved = {
    ...asked,
    spare: lease.spare - micros,
    places: lease.places - 1,
    open: lease.open + 1,
    reserved: lease.reserved + micros,
    usedAtMs: nowMs,
  }
  return { lease: reserved, isReserved: true }
}

/** A reserved call ended, or did not run. Throws when its charge is above its reservation. */
export function free(lease: Lease, reserved: Micros, charged: Micros): Lease {
  if (charged > reserved)
    throw new RangeError('A call on a spend lease was charged more than was reserved.')
  return {
    ...lease,
    spare: lease.spare + reserved - charged,
    places: lease.places + 1,
    open: lease.open - 1,
    reserved: lease.reserved - reserved,
  }
}

export function retire(lease: Lease): Lease {
  return { ...lease, isClosing: true }
}

/** The gateway stops: calls that have not ended by now are not charged. */
export function abandon(lease: Lease): Lease {
  return { ...retire(lease), open: 0, reserved: 0, refusedUntilMs: 0 }
}

/** Whether its day has ended, or no call has used it for a while. */
export function isOver({ open, usedAtMs, endsAtMs }: Lease, nowMs: number): boolean {
  return (open === 0 && nowMs - usedAtMs >= idleMs) || nowMs >= endsAtMs
}

/** Whether the database has something to do for it. */
export function needsTurn(lease: Lease, { ended, isRecalled }: Load, nowMs: number): boolean {
  if (nowMs < lease.refusedUntilMs) return false
  if (ended > 0 || isRecalled) return true
  if (lease.isClosing) return lease.open === 0
  const isLow = hasLittle(lease) || hasFewPlaces(lease)
  return hasMuch(lease) || (isLow && nowMs >= lease.restsUntilMs)
}

const hasLittle = ({ spare, dearest }: Lease) => spare < callsLow * dearest
const hasFewPlaces = ({ places }: Lease) => places < callsLow
const hasMuch = ({ spare, dearest }: Lease) => spare > callsMany * dearest

/**
 * What it asks for in its next turn. What it gives back can no longer be reserved. `ended`: calls left for later turns.
 */
export function takeTurn(
  lease: Lease,
  { ended, isRecalled }: Load,
  nowMs: number,
): { readonly lease: Lease; readonly ask: Ask } {
  const ask = askOf(lease, { ended, isRecalled }, nowMs)
  const rest = { spare: lease.spare - ask.give, places: lease.places - ask.givePlaces }
  return { lease: { ...lease, ...rest }, ask }
}

function askOf(lease: Lease, { ended, isRecalled }: Load, nowMs: number): Ask {
  const { spare, places, dearest, isClosing } = lease
  const last = isClosing && lease.open === 0 && ended === 0
  if (last || isRecalled) return { ...askNothing, give: spare, givePlaces: places, last }
  const mayTake = !isClosing && nowMs >= lease.restsUntilMs
  return {
    ...askNothing,
    take: mayTake && hasLittle(lease) ? callsWanted * dearest - spare : 0,
    takePlaces: mayTake && hasFewPlaces(lease) ? callsWanted - places : 0,
    give: hasMuch(lease) ? spare - callsWanted * dearest : 0,
  }
}

/** The database has taken its turn. */
export function grant(lease: Lease, ask: Ask, granted: Grant, nowMs: number): Lease {
  const gotNothing = granted.micros === 0 && granted.places === 0
  return {
    ...lease,
    turn: lease.turn + 1,
    spare: lease.spare + granted.micros,
    places: lease.places + granted.places,
    endsAtMs: nowMs + granted.livesMs,
    callMicrosMax: granted.callMicrosMax ?? Number.POSITIVE_INFINITY,
    restsUntilMs: ask.take + ask.takePlaces > 0 && gotNothing ? nowMs + restMs : lease.restsUntilMs,
  }
}

/** The database refuses its turn: it closes, with the next turn that the database takes. */
export function refuse(lease: Lease, nowMs: number): Lease {
  return { ...retire(lease), refusedUntilMs: nowMs + restMs }
}

/** Another call of the account needs what is spare: for a while it asks for nothing. */
export function recall(lease: Lease, nowMs: number): Lease {
  return { ...lease, restsUntilMs: nowMs + restMs }
}
