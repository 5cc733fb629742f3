// What limits spending besides the balance, as spending.sql and uncharged.sql have it.
import { type HoldRequest, noKey, type Session } from './session.ts'
import {
  type ApiKey,
  dayStartsMs,
  type Period,
  periodStart,
  ReportedError,
  type Tables,
  utcDay,
} from './tables.ts'

export const inferenceCapMicros = 10_000_000
const unchargedCapMicros = 1_000_000
const unchargedBurstTimes = 10

const keyIsLimited = ({ callMicrosMax, dayMicrosMax, monthMicrosMax }: ApiKey) =>
  callMicrosMax !== null || dayMicrosMax !== null || monthMicrosMax !== null

export function amountLimits(key: ApiKey): readonly { period: Period; most: number }[] {
  const { dayMicrosMax, monthMicrosMax } = key
  return [
    ...(dayMicrosMax === null ? [] : [{ period: 'day' as const, most: dayMicrosMax }]),
    ...(monthMicrosMax === null ? [] : [{ period: 'month' as const, most: monthMicrosMax }]),
  ]
}

const spendId = (keyId: string, period: Period, starts: string) => `${keyId} ${period} ${starts}`

/** Begins the count of a period, unless there is one. */
export function beginKeySpend({ tables }: Session, keyId: string, period: Period, day: string) {
  const starts = periodStart(period, day)
  const id = spendId(keyId, period, starts)
  if (tables.keySpend.get(id) === undefined)
    tables.keySpend.put(id, { keyId, period, starts, micros: 0 })
}

/** Adds to the counts of the day and of the month, for each that the key has. */
export function addKeySpend({ tables }: Session, keyId: string | null, day: string, more: number) {
  if (keyId === null || more === 0) return
  for (const period of ['day', 'month'] as const) {
    const id = spendId(keyId, period, periodStart(period, day))
    const row = tables.keySpend.get(id)
    if (row !== undefined) tables.keySpend.put(id, { ...row, micros: row.micros + more })
  }
}

const keySpent = (tables: Tables, key: ApiKey, period: Period, day: string) =>
  tables.keySpend.get(spendId(key.id, period, periodStart(period, day)))?.micros ?? 0

/** What the limits of a key leave. Infinity: they do not limit. */
export function keyLeft({ tables }: Session, keyId: string | null, day: string): number {
  const key = keyId === null ? undefined : tables.apiKey.get(keyId)
  if (key === undefined) return Number.POSITIVE_INFINITY
  return Math.min(
    ...amountLimits(key).map(({ period, most }) =>
      Math.max(0, most - keySpent(tables, key, period, day)),
    ),
  )
}

function spendFromKey(session: Session, h: HoldRequest): string | undefined {
  const { tables, nowMs } = session
  const today = utcDay(nowMs)
  const key = tables.apiKey.get(h.key ?? '')
  if (key === undefined || key.accountId !== h.account) return 'key_invalid'
  if (key.callMicrosMax !== null && h.amount > key.callMicrosMax) return 'key_limit'
  const limits = amountLimits(key)
  for (const { period } of limits) beginKeySpend(session, key.id, period, today)
  if (limits.some(({ period, most }) => keySpent(tables, key, period, today) + h.amount > most))
    return 'key_limit'
  addKeySpend(session, key.id, today, h.amount)
  return undefined
}

export const inferenceId = (accountId: string, day: string) => `${accountId} ${day}`

export function addInference(
  { tables }: Session,
  accountId: string,
  day: string,
  more: { readonly spent?: number; readonly held?: number },
) {
  const id = inferenceId(accountId, day)
  const row = tables.inferenceDay.get(id) ?? { accountId, day, spent: 0, held: 0 }
  const { spent = 0, held = 0 } = more
  tables.inferenceDay.put(id, { ...row, spent: row.spent + spent, held: row.held + held })
}

/** Counts an amount, or says which limit refuses it and counts nothing. */
export function spend(session: Session, h: HoldRequest): string | undefined {
  if (h.key === null) return undefined
  if (!h.inference) return spendFromKey(session, h)
  const today = utcDay(session.nowMs)
  const row = session.tables.inferenceDay.get(inferenceId(h.account, today))
  const { spent = 0, held = 0 } = row ?? {}
  if (spent + h.amount > inferenceCapMicros) return 'inference_cap'
  if (spent + held + h.amount > inferenceCapMicros) return 'inference_busy'
  const refused = spendFromKey(session, h)
  if (refused === undefined) addInference(session, h.account, today, { held: h.amount })
  return refused
}

export function noteUncharged(
  { tables, nowMs }: Session,
  accountId: string,
  key: string | null,
  micros: number,
) {
  const day = utcDay(nowMs)
  const keyId = key ?? noKey
  const id = `${accountId} ${day} ${keyId}`
  const row = tables.unchargedDay.get(id) ?? { accountId, day, keyId, micros: 0 }
  tables.unchargedDay.put(id, { ...row, micros: row.micros + micros })
}

function chargedSince({ tables }: Session, accountId: string, sinceMs: number): number {
  let charged = 0
  for (const call of tables.call.values())
    if (call.accountId === accountId && call.createdAtMs >= sinceMs) charged += call.charged
  return charged
}

interface Sums {
  readonly byAccount: number
  readonly byLimited: number
  readonly byKey: number | undefined
}

function stateAt({ byAccount, byLimited, byKey }: Sums, most: number) {
  const half = Math.floor(most / 2)
  const parts = [[byAccount + Math.min(byLimited, half), most]]
  if (byKey !== undefined) parts.push([byLimited, half], [byKey, Math.floor(most / 4)])
  const reaches = (share: number) =>
    parts.some(([used = 0, limit = 0]) => used >= Math.floor((limit * share) / 4))
  if (reaches(4)) return 'spent'
  return reaches(3) ? 'near' : undefined
}

export function unchargedState(session: Session, accountId: string, keyId: string | null) {
  const { tables, nowMs } = session
  const today = utcDay(nowMs)
  let byAccount = 0
  let byLimited = 0
  let ofKey = 0
  let found = false
  for (const row of tables.unchargedDay.values()) {
    if (row.accountId !== accountId || row.day !== today) continue
    found = true
    const key = tables.apiKey.get(row.keyId)
    if (key !== undefined && keyIsLimited(key)) byLimited += row.micros
    else byAccount += row.micros
    if (row.keyId === keyId) ofKey += row.micros
  }
  if (!found) return undefined
  const key = keyId === null ? undefined : tables.apiKey.get(keyId)
  const byKey = key !== undefined && keyIsLimited(key) ? ofKey : undefined
  const sums = { byAccount, byLimited, byKey }
  if (stateAt(sums, unchargedCapMicros) === undefined) return undefined
  const charged = chargedSince(session, accountId, dayStartsMs(today))
  return stateAt(sums, unchargedCapMicros + Math.floor(charged / 10))
}

const unchargedAtOnceMax = 4

export function unchargedRefusal(
  session: Session,
  h: HoldRequest,
  balance: { readonly held: number; readonly inFlight: number },
): string | undefined {
  const state = unchargedState(session, h.account, h.key)
  if (state === 'spent') return 'uncharged_cap'
  if (state === 'near') return balance.inFlight >= unchargedAtOnceMax ? 'uncharged_busy' : undefined
  if (balance.held >= unchargedCapMicros * unchargedBurstTimes)
    throw new ReportedError('0A000', 'The simulated database does not know bursts of this size.')
  return undefined
}
