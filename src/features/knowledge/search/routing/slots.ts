// What a question says besides its subject: names, years, countries, and how new the answer must be.
import { readIdentifiers, type SearchIdentifier } from './identifiers.ts'

export interface Slots {
  readonly identifiers: readonly SearchIdentifier[]
  /** Quoted texts and names in capitals, in order. */
  readonly entities: readonly string[]
  readonly years: readonly number[]
  /** Countries by their English names. */
  readonly places: readonly string[]
  /** The oldest acceptable answer, in days. Undefined if the question does not ask for recent ones. */
  readonly recencyDays?: number
}

/** A later number is not a year. */
const yearsAheadMax = 1
const entitiesMax = 8
/** For words such as "latest" that name no period. */
const recentDays = 30
const unitDays: Readonly<Record<string, number>> = { hour: 1 / 24, day: 1, week: 7, month: 31 }
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const periods: readonly (readonly [RegExp, number])[] = [
  [
    /\b(?:right now|live updates|today|tonight|this (?:morning|afternoon|evening))\b|今日|今天|오늘|сегодня|heute|aujourd.hui|\bhoy\b|\boggi\b/i,
    1,
  ],
  [
    /\b(?:yesterday|last (?:night|evening)|overnight)\b|昨日|昨天|昨夜|어제|вчера|gestern|\bhier\b|\bayer\b|\bieri\b|\bontem\b/i,
    2,
  ],
  [/\b(?:this|past|last) week\b|本周|最近一周/i, 7],
  [/\b(?:this|past|last) month\b|今月|本月/i, 31],
  [
    /\b(?:latest|breaking|newest|most recent|recent(?:ly)?|fresh|lately)\b|最新|最近|최신|последн|neueste|aktuell|derni[eè]re?s nouvelles|últimas? noticias|ultime notizie/i,
    recentDays,
  ],
]
const countries = countryNames()

export const isRecent = (question: string): boolean =>
  periods.some(([pattern]) => pattern.test(question)) || countedPeriod(question) !== undefined

/** `now` is in milliseconds of Unix time. */
export function readSlots(question: string, now: number): Slots {
  const days = recencyOf(question, now)
  return {
    identifiers: readIdentifiers(question).found,
    entities: entitiesOf(question),
    years: yearsOf(question, now),
    places: [...countries].filter(([, pattern]) => pattern.test(question)).map(([name]) => name),
    ...(days !== undefined && { recencyDays: days }),
  }
}

function recencyOf(question: string, now: number): number | undefined {
  const since = /\bsince (?:last )?(\w+day)\b/i.exec(question)?.[1]?.toLowerCase() ?? ''
  if (weekdays.includes(since)) {
    return ((new Date(now).getUTCDay() - weekdays.indexOf(since) + 7) % 7 || 7) + 1
  }
  return countedPeriod(question) ?? periods.find(([pattern]) => pattern.test(question))?.[1]
}

/** "past 48 hours", "last 3 days". */
function countedPeriod(question: string): number | undefined {
  const counted = /\b(?:past|last|previous|within) (\d{1,3}) (hour|day|week|month)s?\b/i.exec(
    question,
  )
  if (counted === null) return undefined
  const [, count = '', unit = ''] = counted
  return Math.ceil(Number(count) * (unitDays[unit.toLowerCase()] ?? 1))
}

function yearsOf(question: string, now: number): number[] {
  const thisYear = new Date(now).getUTCFullYear()
  const years = [...question.matchAll(/\b(?:FY\s?)?((?:19|20)\d{2})\b/gi)].map(([, year]) =>
    Number(year),
  )
  if (/\blast (?:fiscal )?year\b/i.test(question)) years.push(thisYear - 1)
  if (/\bthis (?:fiscal )?year\b/i.test(question)) years.push(thisYear)
  return [...new Set(years)].filter((year) => year <= thisYear + yearsAheadMax)
}

function entitiesOf(question: string): string[] {
  const quoted = [...question.matchAll(/["“‘']([^"”’']{3,80})["”’']/g)].map(([, text = '']) => text)
  const rest = question.replaceAll(/["“‘'][^"”’']{3,80}["”’']/g, ' ')
  // The first word of a sentence has a capital for another reason, unless a second one follows.
  const named = [
    ...rest.matchAll(
      /\p{Lu}[\p{L}\d&.'’-]*(?:[ ](?:(?:of|the|for|and|de|&)[ ])?\p{Lu}[\p{L}\d&.'’-]*)*/gu,
    ),
  ]
    .filter(
      ({ 0: name, index }) => !/(?:^|[.?!]\s+)$/.test(rest.slice(0, index)) || name.includes(' '),
    )
    .map(([name]) => name.replace(/['’]s$|[.'’-]+$/, ''))
  return [...new Set([...quoted, ...named])].filter((name) => name.length > 1).slice(0, entitiesMax)
}

/** By the names that the runtime knows, so there is no list of them here. */
function countryNames(): ReadonlyMap<string, RegExp> {
  const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const known = letters
    .flatMap((first) => letters.map((second) => names.of(first + second)))
    .filter((name) => name !== undefined && /^[\p{L} .'’-]+$/u.test(name)) as string[]
  return new Map(
    [...new Set(known)].map((name) => [name, new RegExp(`\\b${name.replaceAll('.', '\\.')}\\b`)]),
  )
}
