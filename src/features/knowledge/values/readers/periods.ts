// Days and periods: `on 2015-06-01`, `since 2022`, `in March 2024`, `the last 3 weeks`, `this year`, `in Q3`.
import { type DaysInWords, placed, type SaidValue, type ValueReader } from '../said-value.ts'
import { numberPattern, readNumber } from './numbers.ts'

const monthNames: readonly (readonly string[])[] = [
  ['january', 'jan', 'januar', 'janvier', 'enero', 'janeiro', 'gennaio', 'januari'],
  ['february', 'feb', 'februar', 'février', 'febrero', 'fevereiro', 'febbraio', 'februari'],
  ['march', 'mar', 'märz', 'mars', 'marzo', 'março', 'maart'],
  ['april', 'apr', 'avril', 'abril', 'aprile'],
  ['may', 'mai', 'mayo', 'maio', 'maggio', 'mei'],
  ['june', 'jun', 'juni', 'juin', 'junio', 'junho', 'giugno'],
  ['july', 'jul', 'juli', 'juillet', 'julio', 'julho', 'luglio'],
  ['august', 'aug', 'août', 'agosto', 'augustus'],
  ['september', 'sept', 'sep', 'septembre', 'septiembre', 'setembro', 'settembre'],
  ['october', 'oct', 'oktober', 'okt', 'octobre', 'octubre', 'outubro', 'ottobre'],
  ['november', 'nov', 'novembre', 'noviembre', 'novembro'],
  ['december', 'dec', 'dezember', 'dez', 'décembre', 'diciembre', 'dezembro', 'dicembre'],
]
const monthOf = new Map(monthNames.flatMap((names, at) => names.map((name) => [name, at + 1])))
const month = `(?:${[...monthOf.keys()].toSorted((one, other) => other.length - one.length).join('|')})`
const year = String.raw`(?:19|20)\d\d`
/** A day, a month or a year. */
const moment = String.raw`(?:\d{4}-\d{2}(?:-\d{2})?|\d{1,2}[./]\d{1,2}[./]${year}|(?:the\s+)?\d{1,2}(?:st|nd|rd|th)?\.?\s+(?:of\s+|de\s+)?${month}\.?,?(?:\s+(?:de\s+)?${year})?|${month}\.?\s+\d{1,2}(?:st|nd|rd|th)?(?:,?\s+${year})?(?!\d)|${month}\.?,?(?:\s+(?:of\s+|de\s+)?${year})?|[qh][1-4](?:\s+(?:of\s+)?${year}|\s+this\s+(?:year|yr))?|(?:last|this)\s+(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)|${year}年\d{1,2}月\d{1,2}日|${year}|(?:last\s+|this\s+)?(?:spring|summer|autumn|fall|winter))`

const since =
  '(?:since|from|after|starting(?: in| from)?|as of|newer than|later than|filed after|published after|seit|ab|depuis|dès|à partir de|desde|a partir de|sinds|vanaf|dal|da|od)'
const until =
  "(?:until|till|up to|through|not later than|bis(?: zum)?|jusqu[’'](?:en|au)|hasta|até|tot|fino al)"
const before = '(?:before|prior to|older than|vor(?: dem)?|avant|antes de|voor|prima del)'
const within = '(?:in|on|during|of|at|from|for|across|dated|throughout|im|am|en|le|no|em|nel|il|op)'

const units: readonly (readonly [pattern: string, days: number])[] = [
  ['hours?|hrs?|stunden?|heures?|horas?|ore|uur', 1 / 24],
  ['days?|tagen?|tage|jours?|d[ií]as?|giorn[oi]|dagen?', 1],
  ['weeks?|wks?|wochen?|semaines?|semanas?|settiman[ae]|we(?:ek|ken)', 7],
  ['fortnights?', 14],
  ['months?|monate?n?|mois|mes(?:es)?|m[eê]s(?:es)?|mesi|mese|maand(?:en)?', 30],
  ['quarters?|quartale?|trimestres?', 90],
  ['years?|yrs?|jahre?n?|ans?|années?|a[ñn]os?|anos?|ann[oi]|jaar', 365],
]
const unit = `(?:${units.map(([pattern]) => pattern).join('|')})`
const back =
  '(?:last|past|previous|recent|(?:no|not|nothing|none) older than|newer than|within(?: the last)?|letzten?r?|vergangenen?|derni[eè]re?s?|[uú]ltim[oa]s?|passad[oa]s?|ultim[oiae]|degli ultimi|afgelopen|laatste)'

/** The calendar around today. */
const calendar: readonly (readonly [pattern: RegExp, named: string])[] = [
  [/\b(?:today|heute|aujourd[’']hui|hoy|hoje|oggi|vandaag)\b/giu, 'today'],
  [/\b(?:yesterday|gestern|hier|ayer|ontem|ieri|gisteren)(?![\p{L}’'])/giu, 'yesterday'],
  [
    /\b(?:this week|diese woche|cette semaine|esta semana|questa settimana|deze week)\b/giu,
    'this_week',
  ],
  [
    /\b(?:this month|diesen monat|ce mois(?:-ci)?|este mes|este mês|questo mese|deze maand)\b/giu,
    'this_month',
  ],
  [/\b(?:this quarter|dieses quartal|ce trimestre)\b/giu, 'this_quarter'],
  [
    /\b(?:(?:so far )?this year|year to date|ytd|dieses jahr|cette année|este año|este ano|quest[’']anno|dit jaar)\b/giu,
    'this_year',
  ],
]

export const readPeriods: ValueReader = (text, today) => {
  const saidYears = new Set(text.match(/(?<![\d./-])(?:19|20)\d\d(?![\d./-])/g) ?? [])
  const [onlyYear] = saidYears.size === 1 ? saidYears : []
  const found: SaidValue[] = []
  const taken = (match: RegExpMatchArray) =>
    found.some(
      ({ start, end }) => (match.index ?? 0) < end && start < (match.index ?? 0) + match[0].length,
    )
  const add = (match: RegExpMatchArray, period: DaysInWords | undefined) => {
    if (period !== undefined && !taken(match)) found.push(placed('period', match, period))
  }
  for (const match of text.matchAll(ranges)) {
    const day = onlyYear === undefined ? today : `${onlyYear}-12-31`
    const from = spanOf(match[1] ?? match[3] ?? '', day)
    const to = spanOf(match[2] ?? match[4] ?? '', day)
    if (from && to && from.from <= to.to) add(match, { from: from.from, to: to.to })
  }
  for (const match of text.matchAll(lookingBack)) {
    const count = match[1] === undefined ? 1 : (readNumber(match[1]) ?? 1)
    add(match, periodBack(count, match[2] ?? '', today))
  }
  for (const match of text.matchAll(numbersBack))
    add(match, periodBack(readNumber(match[1] ?? '') ?? 1, match[2] ?? '', today))
  for (const [pattern, named] of calendar)
    for (const match of text.matchAll(pattern)) add(match, namedPeriod(named, today))
  for (const match of text.matchAll(younger)) add(match, { from: `${match[1]}-01-01` })
  for (const match of text.matchAll(opened)) {
    const span = spanOf(match[1] ?? '', today)
    if (span) add(match, { from: span.from })
  }
  for (const match of text.matchAll(closed)) {
    const span = spanOf(match[1] ?? '', today)
    if (span) add(match, { to: span.to })
  }
  for (const match of text.matchAll(earlier)) {
    const span = spanOf(match[1] ?? '', today)
    if (span) add(match, { to: dayAfter(span.from, -1) })
  }
  for (const match of text.matchAll(single)) add(match, spanOf(match[1] ?? '', today))
  return found
}

const pattern = (source: string) => new RegExp(source, 'giu')
const ranges = pattern(
  String.raw`(?:\bbetween\s+(${moment})\s+and\s+(${moment})|\b(?:from|von|de|desde|du|dal)?\s*(?<![\p{L}\d])(${moment})\s*(?:-|–|to|until|till|through|bis|à|au|a|al|tot)\s*(${moment})(?![\p{L}\d-]))`,
)
const lookingBack = pattern(
  String.raw`(?:\b(?:in|from|over|of|during|within|for)\s+)?(?:(?:the|den|der|des|les|la|los|las|dos|das|degli|delle|de|il|gli|nell|in)\s+)*(?<!\p{L})${back}\s+(?:${numberPattern}\s+)?(${unit})(?!\p{L})`,
)
/** `3 derniers jours`, `2 weeks ago`. */
const numbersBack = pattern(
  String.raw`(?:${numberPattern})\s+(?:derni[eè]re?s|[uú]ltim[oa]s|ultimi)\s+(${unit})(?!\p{L})`,
)
/** `2021 or younger`. */
const younger = pattern(
  String.raw`(?<![\p{L}\d])(${year})\s+(?:or|and)\s+(?:younger|newer|later|after|onwards?)(?!\p{L})`,
)
const opened = pattern(
  String.raw`(?<!\p{L})${since}\s+(?:the\s+|year\s+)*(${moment})(?:\s+of this year)?(?![\p{L}\d-])`,
)
const closed = pattern(
  String.raw`(?<!\p{L})${until}\s+(?:the\s+|year\s+)*(${moment})(?:\s+of this year)?(?![\p{L}\d-])`,
)
const earlier = pattern(
  String.raw`(?<!\p{L})${before}\s+(?:the\s+|year\s+)*(${moment})(?:\s+of this year)?(?![\p{L}\d-])`,
)
/** A bare year is a period only behind a preposition, and a bare season never. */
const single = pattern(
  String.raw`(?:(?<!\p{L})${within}\s+(?:the\s+|year\s+)?(?=(?:\d|[qh][1-4]|last\s|this\s|${month}))|(?<![\p{L}\d./-])(?=[qh][1-4](?![\p{L}\d])|last\s+\p{L}+day|\d{4}-\d{2}-\d{2}|\d{1,2}(?:st|nd|rd|th)?\.?\s+(?:of\s+)?${month}|${month}\.?\s+\d|${month}\s+${year}|${year}年|\d{1,2}[./]\d{1,2}[./]${year}))(${moment})(?![\p{L}\d-])`,
)

function periodBack(count: number, said: string, today: string): DaysInWords | undefined {
  const [found, size] = units.find(([each]) => new RegExp(`^(?:${each})$`, 'iu').test(said)) ?? []
  if (found === undefined || size === undefined) return undefined
  const days = Math.max(1, Math.round(count * size))
  const named =
    count === 1 ? { 7: 'last_week', 30: 'last_month', 90: 'last_quarter' }[size] : undefined
  return { days, from: dayAfter(today, -days), ...(named !== undefined && { named }) }
}

function namedPeriod(named: string, today: string): DaysInWords {
  const [thisYear = '', thisMonth = ''] = today.split('-')
  const weekday = (new Date(today).getUTCDay() + 6) % 7
  const quarter = String(Math.floor((Number(thisMonth) - 1) / 3) * 3 + 1).padStart(2, '0')
  const from =
    {
      yesterday: dayAfter(today, -1),
      this_week: dayAfter(today, -weekday),
      this_month: `${thisYear}-${thisMonth}-01`,
      this_quarter: `${thisYear}-${quarter}-01`,
      this_year: `${thisYear}-01-01`,
    }[named] ?? today
  const days = daysBetween(from, today) + 1
  return { named, from, days, ...(named === 'yesterday' && { to: from }) }
}

interface Span {
  readonly from: string
  readonly to: string
}

/** The first and last day of a moment. Undefined if there is no such day. */
function spanOf(said: string, today: string): Span | undefined {
  const text = said
    .trim()
    .toLowerCase()
    .replace(/^the\s+/, '')
  const thisYear = today.slice(0, 4)
  const [, isoYear, isoMonth, isoDay] = /^(\d{4})-(\d{2})(?:-(\d{2}))?$/.exec(text) ?? []
  if (isoYear !== undefined && isoMonth !== undefined)
    return isoDay === undefined ? monthSpan(isoYear, isoMonth) : daySpan(isoYear, isoMonth, isoDay)
  const [, cjkYear = '', cjkMonth, cjkDay = ''] =
    /^(\d{4})年(\d{1,2})月(\d{1,2})日$/.exec(text) ?? []
  if (cjkMonth !== undefined) return daySpan(cjkYear, cjkMonth, cjkDay)
  const [, day, numbered, dotted] = /^(\d{1,2})[./](\d{1,2})[./](\d{4})$/.exec(text) ?? []
  if (day !== undefined && numbered !== undefined && dotted !== undefined)
    return daySpan(dotted, numbered, day) ?? daySpan(dotted, day, numbered)
  if (/^\d{4}$/.test(text)) return { from: `${text}-01-01`, to: `${text}-12-31` }
  const [, quarter, ofYear = thisYear] =
    /^q([1-4])(?:\s+(?:of\s+)?(\d{4}))?(?:\s+this\s+(?:year|yr))?$/.exec(text) ?? []
  if (quarter !== undefined) {
    const first = Number(quarter) * 3 - 2
    const last = monthSpan(ofYear, String(first + 2))
    return last && { from: `${ofYear}-${String(first).padStart(2, '0')}-01`, to: last.to }
  }
  const [, half, ofHalf = thisYear] = /^h([12])(?:\s+(?:of\s+)?(\d{4}))?/.exec(text) ?? []
  if (half !== undefined)
    return half === '1'
      ? { from: `${ofHalf}-01-01`, to: `${ofHalf}-06-30` }
      : { from: `${ofHalf}-07-01`, to: `${ofHalf}-12-31` }
  const weekday = weekdays.indexOf(/^(?:last|this)\s+(\p{L}+day)$/u.exec(text)?.[1] ?? '')
  if (weekday !== -1) return lastWeekday(weekday, today)
  const season = /(spring|summer|autumn|fall|winter)$/.exec(text)?.[1]
  if (season !== undefined) return seasonSpan(season, today)
  const name = /\p{L}{3,}/u.exec(text.replace(/^\d{1,2}(?:st|nd|rd|th)\b/, ''))?.[0] ?? ''
  const number = monthOf.get(name)
  if (number === undefined) return undefined
  const saidYear = /\d{4}/.exec(text)?.[0]
  const saidDay = /(?<!\d)\d{1,2}(?!\d)/.exec(text)?.[0]
  // A month without a year is the last one that has begun.
  const past = number > Number(today.slice(5, 7)) ? String(Number(thisYear) - 1) : thisYear
  return saidDay === undefined
    ? monthSpan(saidYear ?? past, String(number))
    : daySpan(saidYear ?? past, String(number), saidDay)
}

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

/** The last one before today. */
function lastWeekday(weekday: number, today: string): Span {
  const back = (new Date(today).getUTCDay() - weekday + 7) % 7 || 7
  const day = dayAfter(today, -back)
  return { from: day, to: day }
}

const seasonMonths: Readonly<Record<string, number>> = {
  spring: 3,
  summer: 6,
  autumn: 9,
  fall: 9,
  winter: 12,
}

/** The last one that has begun, in the north. */
function seasonSpan(season: string, today: string): Span {
  const first = seasonMonths[season] ?? 1
  const thisYear = Number(today.slice(0, 4))
  const begun = first <= Number(today.slice(5, 7)) ? thisYear : thisYear - 1
  const from = `${begun}-${String(first).padStart(2, '0')}-01`
  const end = new Date(Date.UTC(begun, first + 2, 0))
  return { from, to: end.toISOString().slice(0, 10) }
}

function daySpan(saidYear: string, saidMonth: string, saidDay: string): Span | undefined {
  const day = `${saidYear}-${saidMonth.padStart(2, '0')}-${saidDay.padStart(2, '0')}`
  const time = Date.parse(`${day}T00:00:00Z`)
  const isReal = Number.isFinite(time) && new Date(time).toISOString().startsWith(day)
  return isReal ? { from: day, to: day } : undefined
}

function monthSpan(saidYear: string, saidMonth: string): Span | undefined {
  const first = daySpan(saidYear, saidMonth, '1')
  if (first === undefined) return undefined
  const end = new Date(Date.UTC(Number(saidYear), Number(saidMonth), 0))
  return { from: first.from, to: end.toISOString().slice(0, 10) }
}

const dayMs = 86_400_000

const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)

export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / dayMs)
