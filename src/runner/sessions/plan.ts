// What a session needs next: pure decisions on its money and its policy.
import type { Micros } from '#core/money.ts'
import type { CloseReason, SessionPolicy, Usage } from '#core/session.ts'
import { priceOfUse, secondsLeft, type Tariff } from './metering.ts'

export type Next =
  | { readonly kind: 'wait' }
  | { readonly kind: 'close'; readonly reason: CloseReason }
  | { readonly kind: 'suspend' }
  /** Raise the hold to this amount. */
  | { readonly kind: 'extend'; readonly targetMicros: Micros }
  /** Settle the call of this period and open the next one. */
  | { readonly kind: 'renew' }

export interface Standing {
  readonly tariff: Tariff
  readonly perSecond: Usage
  readonly used: Usage
  /** What its ended calls were charged. */
  readonly settledMicros: Micros
  /** What its open call holds. */
  readonly heldMicros: Micros
  /** What is held ahead of its use. */
  readonly reserveMicros: Micros
  readonly ceilingMicros: Micros | undefined
  /** A wallet has paid for it once and for all. Only while it runs can the rest be given back. */
  readonly isPrepaid: boolean
  readonly policy: SessionPolicy
  readonly openedAtMs: number
  readonly callOpenedAtMs: number
  readonly lastUsedAtMs: number
  /** It is not suspended before this time. */
  readonly suspendsFromMs: number
  readonly isRunning: boolean
  /** What runs without a command. Undefined: nothing that its policy waits for. */
  readonly background: Background | undefined
}

export interface Background {
  readonly programs: number
  readonly workedAtMs: number
}

/** A session's call is settled after this time and replaced by another, so that no call stays open without end. */
const renewedAfterMs = 86_400_000

/** What its open call owes. */
export function dueMicros({ tariff, used, settledMicros }: Standing): Micros {
  return priceOfUse(tariff, used) - settledMicros
}

/** How long the held amount lasts from now, in whole seconds. */
function paidSeconds(standing: Standing): number {
  return secondsLeft(standing.tariff, {
    used: standing.used,
    perSecond: standing.perSecond,
    paidMicros: standing.settledMicros + standing.heldMicros,
  })
}

export function nextOf(standing: Standing, nowMs: number): Next {
  const { policy, reserveMicros, heldMicros } = standing
  const { lifetimeMsMax = Number.POSITIVE_INFINITY, idle } = policy
  if (nowMs >= standing.openedAtMs + lifetimeMsMax) return { kind: 'close', reason: 'lifetime' }
  if (idle !== undefined && isIdle(standing, idle, nowMs)) {
    if (idle.outcome === 'close' || standing.isPrepaid) return { kind: 'close', reason: 'idle' }
    if (nowMs >= standing.suspendsFromMs) return { kind: 'suspend' }
  }
  if (!standing.isPrepaid && nowMs >= standing.callOpenedAtMs + renewedAfterMs)
    return { kind: 'renew' }
  const targetMicros = targetOf(standing)
  const isShort = heldMicros - dueMicros(standing) < reserveMicros / 2
  if (isShort && targetMicros > heldMicros) return { kind: 'extend', targetMicros }
  return isUsedUp(standing) ? { kind: 'close', reason: 'balance' } : { kind: 'wait' }
}

function isIdle(
  { isRunning, lastUsedAtMs, background }: Standing,
  { afterMs, waitingMsMax = 0 }: NonNullable<SessionPolicy['idle']>,
  nowMs: number,
): boolean {
  if (isRunning || nowMs < lastUsedAtMs + afterMs) return false
  if (background === undefined || background.programs === 0) return true
  return nowMs >= Math.max(lastUsedAtMs, background.workedAtMs) + waitingMsMax
}

/** Whether the next second would cost more than is held. A session is extended first, where that is possible. */
export const isUsedUp = (standing: Standing): boolean => paidSeconds(standing) <= 0

/** What the open call should hold: its use so far and the reserve, within the ceiling of the session. */
function targetOf(standing: Standing): Micros {
  const { settledMicros, ceilingMicros = Number.POSITIVE_INFINITY, reserveMicros } = standing
  return Math.min(dueMicros(standing) + reserveMicros, ceilingMicros - settledMicros)
}

/** When the session must be looked at again, at the latest, apart from its regular checks. */
export function nextDeadlineMs(standing: Standing, nowMs: number): number {
  const { policy } = standing
  return Math.min(
    nowMs + paidSeconds(standing) * 1_000,
    standing.openedAtMs + (policy.lifetimeMsMax ?? Number.POSITIVE_INFINITY),
  )
}
