// The period that a question asks a figure or a report for.
import type { Slots } from './slots.ts'

export interface Period {
  /** Fiscal years. None: the newest. */
  readonly years: readonly number[]
  /** From 1 to 4. */
  readonly quarter?: number
  /** A quarter is asked for, this one or the newest. */
  readonly isQuarterly: boolean
}

const quarterNames = ['first', 'second', 'third', 'fourth']
const shortYear = /\bFY\s?['’]?(\d{2})\b/gi
const yearsMax = 30

export function readPeriod({
  text,
  slots,
  now,
}: {
  readonly text: string
  readonly slots: Pick<Slots, 'years'>
  readonly now: number
}): Period {
  const named = /\b(first|second|third|fourth) (?:fiscal )?quarter\b/i.exec(text)?.[1]
  const numbered = /\bq([1-4])\b/i.exec(text)?.[1]
  const quarter =
    numbered === undefined
      ? named && quarterNames.indexOf(named.toLowerCase()) + 1
      : Number(numbered)
  const short = [...text.matchAll(shortYear)].map(([, digits]) => 2_000 + Number(digits))
  return {
    years: widen(text, [...new Set([...slots.years, ...short])], now),
    ...(quarter && { quarter }),
    isQuarterly: Boolean(quarter) || /\bquarter(?:ly)?\b/i.test(text),
  }
}

/** "since 2020" and "2019 to 2022" are all years of that time. */
function widen(text: string, years: readonly number[], now: number): readonly number[] {
  const [first, last] = [Math.min(...years), Math.max(...years)]
  const isOpen = years.length === 1 && /\bsince\b/i.test(text)
  const isRange = years.length === 2 && /\d{4}\s*(?:to|-|–|through|until|and)\s*\d{4}/i.test(text)
  const end = isOpen ? new Date(now).getUTCFullYear() : last
  if (!(isOpen || (isRange && !/\d{4}\s*and/i.test(text)))) return years
  return Array.from({ length: Math.min(yearsMax, end - first + 1) }, (_, at) => end - at)
}
