// Times in the time zone and the language of the reader.

let zone: string | undefined

/**
 * The name of the reader's time zone: `Europe/Berlin`. It is dear to find, and each request for sums by day needs it.
 */
export function timeZone(): string {
  zone ??= Intl.DateTimeFormat().resolvedOptions().timeZone
  return zone
}

/** A format is dear to make, so the first page makes those alone that it uses. */
function createFormat(options: Intl.DateTimeFormatOptions): (date: Date) => string {
  let format: Intl.DateTimeFormat | undefined
  return (date) => {
    format ??= new Intl.DateTimeFormat(undefined, options)
    return format.format(date)
  }
}

const full = createFormat({ dateStyle: 'medium', timeStyle: 'long' })
const short = createFormat({ dateStyle: 'medium', timeStyle: 'short' })
const day = createFormat({ month: 'short', day: 'numeric', timeZone: 'UTC' })

export const showTime = (iso: string) => short(new Date(iso))
/** With seconds and the time zone. */
export const showFullTime = (iso: string) => full(new Date(iso))
/** A day as YYYY-MM-DD. */
export const showDay = (date: string) => day(new Date(`${date}T00:00:00Z`))

const two = (value: number) => String(value).padStart(2, '0')

/** YYYY-MM-DD in the reader's time zone. */
export function dayOf(date: Date): string {
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** YYYY-MM-DDTHH:MM in the reader's time zone, as browsers write it in a form. */
export function localTime(iso: string): string {
  const date = new Date(iso)
  return `${dayOf(date)}T${two(date.getHours())}:${two(date.getMinutes())}`
}

/** The last days up to today, the oldest first. Daylight saving makes some of them 23 or 25 hours long. */
export function lastDays(count: number, now: Date): string[] {
  return Array.from({ length: count }, (_, index) =>
    dayOf(new Date(now.getFullYear(), now.getMonth(), now.getDate() - (count - 1 - index))),
  )
}

/** Midnight in the reader's time zone, so many days ago. */
export const startOfDay = (daysAgo: number, now: Date) =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo)

export function showDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`
  const minutes = Math.floor(ms / 60_000)
  return minutes < 60
    ? `${minutes} min ${Math.floor((ms % 60_000) / 1_000)} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

export function showBytes(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB']
  let size = bytes
  let unit = 0
  while (size >= 1_000 && unit < units.length - 1) {
    size /= 1_000
    unit++
  }
  return `${unit === 0 ? size : size.toFixed(1)} ${units[unit]}`
}
