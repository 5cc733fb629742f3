// Since when: a first and last day, so many days, or a span that the action names.
import {
  type FieldSchema,
  type Filled,
  type FillFields,
  type InputField,
  isNumeric,
} from '../field.ts'
import { daysBetween } from '../readers/periods.ts'
import { isOf, type SaidOf } from '../said-value.ts'

type SaidPeriod = SaidOf<'period'>

const fromName =
  /^(?:date_gte|start_?date|startdt|from_?date|filed_after|posted_at_gte|start_published_date|from|date_?from|date_start|startdatetime)$/i
const toName =
  /^(?:date_lte|end_?date|enddt|to_?date|filed_before|posted_at_lte|end_published_date|to|date_?to|date_end|enddatetime)$/i

/** How a field writes a day. Undefined: it takes no day. */
function writeDay(schema: FieldSchema): ((day: string) => string) | undefined {
  const digits = (day: string) => day.replaceAll('-', '')
  if (schema.format === 'date') return (day) => day
  if (schema.pattern === String.raw`^\d{14}$`) return (day) => `${digits(day)}000000`
  if (schema.pattern?.startsWith(String.raw`^\d{4}(\d{2})`)) return digits
  if (schema.pattern === String.raw`^\d{8}$`) return digits
  for (const each of schema.anyOf ?? []) {
    const write = writeDay(each)
    if (write !== undefined) return write
  }
  return undefined
}

interface Spans {
  readonly fits: (field: InputField) => boolean
  /** Undefined if the field has no value for this period. */
  readonly write: (field: InputField, period: SaidPeriod) => unknown
}

const texts = (schema: FieldSchema) =>
  (schema.enum ?? []).filter((value) => typeof value === 'string')
const weekDays = 7
const monthDays = 30
const yearDays = 365
const tolerance = 1.15

/** The shortest span that holds so many days. */
const spanOfDays = (days: number, spans: readonly (readonly [number, string])[]) =>
  spans.find(([size]) => days <= size * tolerance)?.[1]

const ranges = [
  [1, 'day'],
  [weekDays, 'week'],
  [monthDays, 'month'],
  [yearDays, 'year'],
] as const

/** Fields that name a span by themselves, the most exact first. */
const spans: readonly Spans[] = [
  {
    fits: ({ schema }) => texts(schema).includes('last_7d'),
    write: ({ schema }, { named, days, to }) => {
      if (named !== undefined && texts(schema).includes(named)) return named
      if (days === undefined || to !== undefined) return undefined
      const exact = [7, 14, 30, 60, 90].includes(days) ? `last_${days}d` : undefined
      return exact ?? { 180: 'last_6m', 365: 'last_1y', 730: 'last_2y' }[days]
    },
  },
  {
    fits: ({ name, schema }) => isNumeric(schema) && /days$/i.test(name),
    write: ({ schema: { minimum = 1, maximum = Number.MAX_SAFE_INTEGER } }, { days, to }) =>
      days === undefined || to !== undefined
        ? undefined
        : Math.min(maximum, Math.max(minimum, days)),
  },
  {
    fits: ({ schema }) => schema.pattern?.includes('(min|h|d|w|m') === true,
    write: (_, { days, to }) => (days === undefined || to !== undefined ? undefined : `${days}d`),
  },
  {
    fits: ({ name }) => name === 'freshness',
    write: (_, { days, from, to }) => {
      const near = [1, weekDays, monthDays, yearDays].find((size) => size === days)
      if (near !== undefined && to === undefined)
        return { 1: 'pd', 7: 'pw', 30: 'pm', 365: 'py' }[near]
      return from === undefined ? undefined : { from, to }
    },
  },
]

/** Coarse ones, which may hold more than was asked for. */
const coarse: readonly Spans[] = [
  {
    fits: ({ schema }) => texts(schema).includes('week') && texts(schema).includes('year'),
    write: (_, { days, to }) =>
      days === undefined || to !== undefined ? undefined : spanOfDays(days, ranges),
  },
  {
    fits: ({ schema }) => texts(schema).includes('qdr:w'),
    write: (_, { days, to }) => {
      const range = days === undefined || to !== undefined ? undefined : spanOfDays(days, ranges)
      return range && `qdr:${range[0]}`
    },
  },
]

const keywordPeriods: readonly (readonly [number, string])[] = [
  [1, 'now 1-d'],
  [7, 'now 7-d'],
  [30, 'today 1-m'],
  [90, 'today 3-m'],
  [365, 'today 12-m'],
  [1_825, 'today 5-y'],
]

export const fillPeriods: FillFields = (fields, { text, values }) => {
  const periods = values.filter(isOf('period'))
  const filled: Filled[] = []
  for (const period of periods) filled.push(...fillPeriod(fields, period, text, filled))
  return filled
}

function fillPeriod(
  fields: readonly InputField[],
  period: SaidPeriod,
  text: string,
  before: readonly Filled[],
): readonly Filled[] {
  const open = fields.filter(({ name }) => before.every((one) => one.name !== name))
  const founded = fillFounded(open, period, text)
  if (founded.length > 0) return founded
  const bySpan = fillSpan(spans, open, period)
  if (bySpan !== undefined) return [bySpan]
  const days = fillDays(open, period)
  if (days.length > 0) return days
  const byRange = fillSpan(coarse, open, period)
  if (byRange !== undefined) return [byRange]
  const filter = fillFilter(open, period)
  return filter.length > 0 ? filter : fillDay(open, period)
}

function fillSpan(kinds: readonly Spans[], fields: readonly InputField[], period: SaidPeriod) {
  for (const { fits, write } of kinds) {
    const field = fields.find(fits)
    const value = field && write(field, period)
    if (field === undefined || value === undefined) continue
    const days = typeof value === 'object' ? toDays(period) : value
    return { name: field.name, value: days, from: [period] }
  }
  return undefined
}

/** `2024-01-01to2024-06-30`. An open end is far ahead. */
const toDays = ({ from = '1970-01-01', to = '2100-01-01' }: SaidPeriod) => `${from}to${to}`

function fillDays(fields: readonly InputField[], period: SaidPeriod): readonly Filled[] {
  const place = (names: RegExp, day: string | undefined): readonly Filled[] => {
    if (day === undefined) return []
    const field = fields.find(({ name, schema }) => names.test(name) && writeDay(schema))
    const write = field && writeDay(field.schema)
    return field && write ? [{ name: field.name, value: write(day), from: [period] }] : []
  }
  return [...place(fromName, period.from), ...place(toName, period.to)]
}

/** OpenAlex filters works by their day. */
function fillFilter(fields: readonly InputField[], period: SaidPeriod): readonly Filled[] {
  const field = fields.find(
    ({ name, schema }) => name === 'filter' && /OpenAlex/.test(schema.description ?? ''),
  )
  if (field === undefined || fields.every(({ name }) => name !== 'per_page')) return []
  const filters = [
    period.from && `from_publication_date:${period.from}`,
    period.to && `to_publication_date:${period.to}`,
  ].filter((filter) => filter !== undefined)
  return [{ name: field.name, value: filters.join(','), from: [period] }]
}

function fillDay(fields: readonly InputField[], period: SaidPeriod): readonly Filled[] {
  const { from, to, days } = period
  const byKeyword = fields.find(
    ({ name, schema }) => name === 'date' && schema.format === undefined,
  )
  if (byKeyword !== undefined) {
    const near = to === undefined ? keywordPeriods.find(([size]) => size === days)?.[1] : undefined
    const value = near ?? (from !== undefined && to !== undefined ? `${from} ${to}` : undefined)
    if (value !== undefined) return [{ name: byKeyword.name, value, from: [period] }]
  }
  const day = fields.find(
    ({ name, schema }) => /^(?:date|timestamp|day)$/.test(name) && writeDay(schema),
  )
  const write = day && writeDay(day.schema)
  if (day === undefined || write === undefined || from === undefined) return []
  const isOneDay = from === to
  // A moment may be only its year: the archive has few captures of most days.
  const isYear = to !== undefined && daysBetween(from, to) >= yearDays - 1
  if (!isOneDay && day.schema.format === 'date') return []
  const value = isYear && day.name === 'timestamp' ? from.slice(0, 4) : write(from)
  return [{ name: day.name, value, from: [period] }]
}

/** `founded since 2020`. */
function fillFounded(
  fields: readonly InputField[],
  period: SaidPeriod,
  text: string,
): readonly Filled[] {
  if (
    !/\b(?:founded|started|gegründet|fondées?|fundadas?)\s+(?:\p{L}+\s+)?$/iu.test(
      text.slice(0, period.start),
    )
  )
    return []
  const place = (name: string, day: string | undefined): readonly Filled[] =>
    day !== undefined && fields.some((field) => field.name === name)
      ? [{ name, value: Number(day.slice(0, 4)), from: [period] }]
      : []
  return [...place('founded_year_min', period.from), ...place('founded_year_max', period.to)]
}
