// Moments as people type them.
import { UsageError } from '../usage-error.ts'

const minuteMs = 60_000
const dayMs = 86_400_000
const unitsMs: Readonly<Record<string, number>> = {
  m: minuteMs,
  h: 60 * minuteMs,
  d: dayMs,
  w: 7 * dayMs,
}
const days: Readonly<Record<string, number>> = { yesterday: -1, today: 0, tomorrow: 1 }

/**
 * ISO 8601 of a time, of a date, of `yesterday`, or of `7d`, which is seven days ago or ahead. Days begin at midnight
 * of UTC, as those of limits do. Throws UsageError.
 */
export function timeOf(
  option: string,
  text: string | undefined,
  { direction, now = new Date() }: { readonly direction: 'past' | 'future'; readonly now?: Date },
): string | undefined {
  if (text === undefined) return undefined
  const moment = momentOf(text.trim().toLowerCase(), direction, now)
  if (moment !== undefined && !Number.isNaN(moment.getTime())) return moment.toISOString()
  const examples =
    direction === 'past'
      ? 'such as 2026-11-01 or 2026-11-01T14:00:00Z, today, yesterday, or 7d for seven days ago'
      : 'such as 2026-12-01 or 2026-12-01T14:00:00Z, tomorrow, or 30d for thirty days from now'
  throw new UsageError(
    `--${option} takes a date or a time, ${examples} (m, h, d or w), and not "${text}".`,
  )
}

function momentOf(text: string, direction: 'past' | 'future', now: Date): Date | undefined {
  if (text === 'now') return now
  const day = Object.hasOwn(days, text) ? days[text] : undefined
  if (day !== undefined) return new Date(Math.floor(now.getTime() / dayMs + day) * dayMs)
  const [, count, unit = ''] = /^[-+]?(\d{1,5}) ?(m|h|d|w)[a-z]*( ago)?$/.exec(text) ?? []
  if (count !== undefined) {
    const sign = direction === 'past' ? -1 : 1
    return new Date(now.getTime() + sign * Number(count) * (unitsMs[unit] ?? 0))
  }
  const [, date, clock, zone = 'z'] =
    /^(\d{4}-\d{2}-\d{2})(?:[t ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(z|[-+]\d{2}:\d{2})?)?$/.exec(
      text,
    ) ?? []
  if (date === undefined) return undefined
  const moment = new Date(`${date}T${clock ?? '00:00'}${zone.toUpperCase()}`)
  // 2026-02-31 is read as the third of March.
  return new Date(`${date}T00:00Z`).toJSON()?.startsWith(date) ? moment : undefined
}
