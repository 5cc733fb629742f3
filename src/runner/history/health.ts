// How well each action does: whether it is available, and how its calls of the last day have ended.
import type { Catalog } from '#core/catalog.ts'
import { errorTable } from '#core/errors.ts'
import type { Clock } from '#core/ports.ts'
import type { UsageRow, UsageSums } from './usage.ts'

/** `unknown`: too few calls to tell. */
export type HealthStatus = 'healthy' | 'degraded' | 'failing' | 'unknown' | 'unavailable'

export interface ActionHealth {
  /** `service/action` */
  readonly id: string
  readonly status: HealthStatus
  /** Why it is unavailable. */
  readonly reason?: string | undefined
  readonly calls: number
  readonly failedCalls: number
  /** How often each error ended a call, the most frequent first. */
  readonly errors: readonly { readonly error: string; readonly calls: number }[]
  /** Of successful calls today and yesterday (UTC). Undefined without any. */
  readonly p50Ms?: number | undefined
  readonly p95Ms?: number | undefined
}

export interface HealthReport {
  /** In the order of the catalog. */
  actions(): Promise<readonly ActionHealth[]>
}

const dayMs = 86_400_000
/** A report is given again for this time. */
const freshMs = 10_000
const rowsMax = 10_000
/** With fewer calls, the share that failed says little. */
const callsLeast = 5
const degradedShare = 0.1
const failingShare = 0.5

export function createHealthReport({
  catalog,
  usage,
  clock,
}: {
  catalog: Pick<Catalog, 'entries'>
  usage: Pick<UsageSums, 'ofActions' | 'durations'>
  clock: Clock
}): HealthReport {
  let latest: { readonly at: number; readonly report: Promise<readonly ActionHealth[]> } | undefined

  async function read() {
    const now = clock.now()
    const time = { from: new Date(now - dayMs), until: new Date(now) }
    const [{ rows }, durations] = await Promise.all([
      usage.ofActions({ ...time, timeZone: 'UTC', by: ['action', 'error'], limit: rowsMax }),
      usage.durations('action', time),
    ])
    const rowsOf = Map.groupBy(rows, ({ action = '' }) => action)
    const took = new Map(durations.map(({ name, p50Ms, p95Ms }) => [name, { p50Ms, p95Ms }]))
    return catalog.entries.map(({ id, mode, reason }) => {
      const found = rowsOf.get(id) ?? []
      const status = mode === 'unavailable' ? ('unavailable' as const) : judge(found)
      return { id, status, reason, ...countEndings(found), ...took.get(id) }
    })
  }

  return {
    actions() {
      if (latest === undefined || clock.now() - latest.at >= freshMs) {
        const report = read()
        latest = { at: clock.now(), report }
        report.catch(() => {
          latest = undefined
        })
      }
      return latest.report
    },
  }
}

/** Failures that a caller causes, such as a parameter that finds nothing, say nothing about the action. */
export function judge(rows: readonly Pick<UsageRow, 'error' | 'calls'>[]): HealthStatus {
  const sum = (some: typeof rows) => some.reduce((all, { calls }) => all + calls, 0)
  const failed = sum(rows.filter(({ error = '' }) => error !== '' && isOurs(error)))
  const succeeded = sum(rows.filter(({ error }) => error === ''))
  const judged = failed + succeeded
  if (judged < callsLeast) return 'unknown'
  const share = failed / judged
  if (share >= failingShare) return 'failing'
  return share >= degradedShare ? 'degraded' : 'healthy'
}

/** The caller was not to blame. A code that is no longer known counts as ours. */
const isOurs = (error: string) =>
  !Object.hasOwn(errorTable, error) || errorTable[error as keyof typeof errorTable].status >= 500

function countEndings(rows: readonly UsageRow[]) {
  const errors = rows
    .flatMap(({ error = '', calls }) => (error === '' ? [] : [{ error, calls }]))
    .toSorted((a, b) => b.calls - a.calls)
  return {
    calls: rows.reduce((all, { calls }) => all + calls, 0),
    failedCalls: errors.reduce((all, { calls }) => all + calls, 0),
    errors,
  }
}
