// Bounds, durations, sizes, and counts.
import { placed, type SaidValue, type ValueReader } from '../said-value.ts'
import { numberPattern, readNumber } from './numbers.ts'

const pattern = (source: string) => new RegExp(source, 'giu')
const currency = String.raw`(?:US?\$|\$|€|£|USD|EUR)`
const money = `(?:dollars?|usd|euros?|eur|pounds?|gbp|bucks|revenue|arr|salary)`
const amount = String.raw`(${currency}\s?)?${numberPattern}(?:\s*(${currency}|${money})(?!\p{L}))?`
const noun = String.raw`(?:\s+(?:full[- ]time\s+)?(\p{L}[\p{L}-]+))?`
const least = `(?:over|above|north of|upwards of|exceeding|starting at|more than|greater than|at least|min(?:imum)?(?: of)?|>=?|mindestens|über|au moins|plus de|mehr als|al menos|más de|mais de|almeno)`
const most = `(?:under|below|south of|capped at|not above|not more than|less than|fewer than|at most|no more than|max(?:imum)?(?: of)?|up to|<=?|höchstens|unter|weniger als|au plus|moins de|como máximo|menos de)`

const between = pattern(
  String.raw`(?:between\s+|from\s+)?${amount}\s*(?:-|–|to|and|bis|à|a)\s*${amount}${noun}`,
)
const bounded = pattern(String.raw`(?<!\p{L})(?:(${least})|(${most}))\s*${amount}${noun}`)
/** `2 million dollars upwards`, `50 employees or more`. */
const suffixed = pattern(
  String.raw`(?:from\s+)?${amount}${noun}\s+(?:(upwards?|or more|and (?:up|more|above)|minimum|at least|plus|and over)|(or less|or fewer|at most|maximum|max|and below))(?!\p{L})`,
)
const plus = pattern(String.raw`${numberPattern}\+${noun}`)

/** What is counted by them is what a call shall return, and no bound of it. */
const isReturned =
  /^(?:results?|rows?|hits?|items?|pages?|posts?|tweets?|articles?|captures?|recalls?|papers?|seconds?|secs?|minutes?|mins?|hours?|days?|weeks?|cents?|c|ct|of|per)$/i

export const readBounds: ValueReader = (text) => {
  const found: SaidValue[] = []
  const add = (
    match: RegExpMatchArray,
    said: { least?: number | undefined; most?: number | undefined },
    isMoney: boolean,
    counted: string,
  ) => {
    const start = match.index ?? 0
    const isTaken = found.some((one) => start < one.end && one.start < start + match[0].length)
    if (isTaken || isReturned.test(counted)) return
    const isLarge = Math.max(said.least ?? 0, said.most ?? 0) >= largeFrom
    if (!isMoney && counted === '' && !isLarge) return
    const whole = trimmed(match, isMoney || isLarge ? '' : counted)
    found.push(
      placed('bound', whole, {
        noun: counted.toLowerCase(),
        isMoney: isMoney || (isLarge && !isPeople.test(counted)),
        ...(said.least !== undefined && { least: said.least }),
        ...(said.most !== undefined && { most: said.most }),
      }),
    )
  }
  for (const match of text.matchAll(between)) {
    const [, sign, low = '', word, otherSign, high = '', otherWord, counted = ''] = match
    const least = readScaled(low, high)
    const isMoney = [sign, word, otherSign, otherWord].some((each) => each !== undefined)
    add(match, { least, most: readNumber(high) }, isMoney, counted)
  }
  for (const match of text.matchAll(suffixed)) {
    const [, sign, number = '', word, counted = '', atLeast] = match
    const value = readNumber(number)
    const said = atLeast === undefined ? { most: value } : { least: value }
    add(match, said, sign !== undefined || word !== undefined, counted)
  }
  for (const match of text.matchAll(bounded)) {
    const [, atLeast, , sign, number = '', word, counted = ''] = match
    const value = readNumber(number)
    const said = atLeast === undefined ? { most: value } : { least: value }
    add(match, said, sign !== undefined || word !== undefined, counted)
  }
  for (const match of text.matchAll(plus))
    add(match, { least: readNumber(match[1] ?? '') }, false, match[2] ?? '')
  return found
}

const largeFrom = 10_000
const isPeople = /^(?:employees?|people|staff|followers?|heads?|mitarbeiter|employés|empleados)$/i

/** Without the noun, which may belong to what follows. */
function trimmed(match: RegExpMatchArray, kept: string): RegExpMatchArray {
  if (kept !== '') return match
  const short: RegExpMatchArray = [match[0].replace(/(?<=[\d$€£kmbn])\s+\p{L}[\p{L}-]+$/iu, '')]
  short.index = match.index ?? 0
  return short
}

/** `5 to 10k`: the size is said once. */
function readScaled(low: string, high: string): number | undefined {
  const [, size = ''] = /([a-z]+)$/i.exec(high) ?? []
  return readNumber(/[a-z]$/i.test(low) || size === '' ? low : `${low}${size}`) ?? readNumber(low)
}

const timeUnits: readonly (readonly [pattern: string, seconds: number])[] = [
  ['ms|milliseconds?|millisekunden', 0.001],
  ['s|secs?|seconds?|sekunden?|secondes?|segundos?|second[oi]', 1],
  ['mins?|minutes?|minuten?|minutos?|minut[oi]', 60],
  ['h|hrs?|hours?|stunden?|heures?|horas?|or[ae]', 3_600],
  ['days?|tage?|jours?|d[ií]as?|giorn[oi]', 86_400],
]
const timeUnit = timeUnits.map(([each]) => each).join('|')
const durations = pattern(
  String.raw`${numberPattern}[\s-]*(${timeUnit})(?![\p{L}\d])|(?<!\p{L})(an? hour|half an hour|a minute|a day)(?!\p{L})`,
)
const wordedSeconds: Readonly<Record<string, number>> = {
  'a hour': 3_600,
  'an hour': 3_600,
  'half an hour': 1_800,
  'a minute': 60,
  'a day': 86_400,
}

export const readDurations: ValueReader = (text) =>
  [...text.matchAll(durations)].flatMap((match) => {
    const [, number = '', unit = '', worded] = match
    if (worded !== undefined)
      return [placed('duration', match, { seconds: wordedSeconds[worded.toLowerCase()] ?? 60 })]
    const value = readNumber(number)
    const size = timeUnits.find(([each]) => new RegExp(`^(?:${each})$`, 'iu').test(unit))?.[1]
    if (value === undefined || size === undefined) return []
    return [placed('duration', match, { seconds: value * size })]
  })

const sizes =
  /(?<![\p{L}\d])(\d{3,4})\s?[x×]\s?(\d{3,4})(?!\d)|\b(?:width(?: of)?|wide)\s*[:=]?\s*(\d{3,4})\b|\b(\d{3,4})\s*(?:px|pixels?)?\s*wide\b|\b(?:height(?: of)?|high)\s*[:=]?\s*(\d{3,4})\b|\b(\d{3,4})\s*(?:px|pixels?)?\s*(?:high|tall)\b/giu

export const readSizes: ValueReader = (text) =>
  [...text.matchAll(sizes)].map((match) => {
    const [, across, down, wide, isWide, high, isHigh] = match
    const width = across ?? wide ?? isWide
    const height = down ?? high ?? isHigh
    return placed('size', match, {
      ...(width !== undefined && { width: Number(width) }),
      ...(height !== undefined && { height: Number(height) }),
    })
  })

const ratios =
  /(?<![\d:])(1:1|16:9|9:16|4:3|3:4|4:5|5:4|3:2|2:3|21:9)(?![\d:])|\b(vertical|portrait|hochkant|hochformat|upright|landscape|horizontal|widescreen|querformat|square|quadratisch|carré|cuadrado|vertikal)\b/giu
const wordedRatios: Readonly<Record<string, string>> = {
  vertical: '9:16',
  portrait: '9:16',
  hochkant: '9:16',
  hochformat: '9:16',
  upright: '9:16',
  vertikal: '9:16',
  square: '1:1',
  quadratisch: '1:1',
  carré: '1:1',
  cuadrado: '1:1',
}

export const readRatios: ValueReader = (text) =>
  [...text.matchAll(ratios)].map((match) =>
    placed('ratio', match, {
      ratio: match[1] ?? wordedRatios[match[2]?.toLowerCase() ?? ''] ?? '16:9',
    }),
  )

const orders: readonly (readonly [RegExp, 'date' | 'citations' | 'amount', 'asc' | 'desc'])[] = [
  [
    /\b(?:most|highly) cited(?: ones?)?(?: first| on top)?\b|\bles plus cités(?: d[’']abord)?\b|\bmeistzitierte\p{L}*(?: zuerst)?|\bmás citados?(?: primero)?|\b(?:by|order by|sorted by) citations?\b/giu,
    'citations',
    'desc',
  ],
  [/\bleast cited(?: first)?\b/giu, 'citations', 'asc'],
  [
    /\b(?:newest|latest|most recent|recent|last edited|last updated|edited last|updated last)(?: ones?)? (?:first|on top)\b|\b(?:order|sort)(?:ed)?(?: by)? (?:the )?(?:newest|latest|most recent)(?: first)?|\bneueste\p{L}* zuerst\b|\ble plus récent d[’']abord\b|\bmás recientes? primero\b|\b(?:sort|order)(?:ed)? by date\b/giu,
    'date',
    'desc',
  ],
  [
    /\boldest(?: ones?)? (?:first|on top)\b|\bälteste\p{L}* zuerst\b|\bchronological(?:ly)?\b|\b(?:order|sort)(?:ed)?(?: by)? (?:the )?oldest(?: first)?/giu,
    'date',
    'asc',
  ],
  [
    /\b(?:largest|biggest|highest)(?: \p{L}+)? (?:first|on top)\b|\btop to bottom\b|\b(?:sort|order)(?:ed)? by (?:amount|size)\b/giu,
    'amount',
    'desc',
  ],
  [/\b(?:smallest|lowest|cheapest)(?: \p{L}+)? first\b/giu, 'amount', 'asc'],
]

export const readOrders: ValueReader = (text) =>
  orders.flatMap(([each, by, direction]) =>
    [...text.matchAll(each)].map((match) => placed('order', match, { by, direction })),
  )

const pageRanges =
  /\b(?:pages?|seiten?|páginas?|pagin[ae])\s+(?:from\s+|von\s+)?(\d{1,5})\s*(?:-|–|to|until|till|through|bis|à|a|and|und)\s*(?:page\s+)?(\d{1,5})\b/giu

export const readPageRanges: ValueReader = (text) =>
  [...text.matchAll(pageRanges)].flatMap((match) => {
    const [first, last] = [Number(match[1]), Number(match[2])]
    return first <= last ? [placed('pages', match, { first, last })] : []
  })

const variables =
  /\b(?:variable|env|environment variable)\s+([A-Za-z_][A-Za-z0-9_]{0,60})\s+(?:to|as|=|is)\s+("[^"]{0,200}"|'[^']{0,200}'|[^\s"',;)]+)/g
const assignments =
  /(?<![\w./?&=])([A-Za-z_][A-Za-z0-9_]{0,60})=("[^"]{0,200}"|'[^']{0,200}'|[^\s"',;)]+)/g

export const readAssignments: ValueReader = (text) =>
  [...text.matchAll(variables), ...text.matchAll(assignments)].map((match) =>
    placed('assignment', match, {
      name: match[1] ?? '',
      value: (match[2] ?? '').replace(/^["']|["'.?!]+$/g, ''),
    }),
  )

/** `the latest filing`: one. */
const latest =
  /\b(?:the|its|their|his|her)\s+(?:latest|newest|most recent|last)(?=\s+(?:[\w-]+\s+)?(?:10-[KQ]|8-K|20-F|S-1|filing|report|post|tweet|deal|round|message|recall|opinion|docket|release|one)\b(?!s))/giu

const readLatest: ValueReader = (text) =>
  [...text.matchAll(latest)].map((match) => placed('count', match, { count: 1, noun: '' }))

/** How many of what: not a year, a version, or what is measured. */
const counts = pattern(
  String.raw`(?:\b(?:the\s+)?(?:top|first|last|latest|newest|best|at most|up to|no more than|max(?:imum)?(?: of)?|limit(?:ed)?(?: to)?|only|about|höchstens|maximal|au maximum|als máximo)\s+)?${numberPattern}(?![\d]|\s*(?:%|px|¢|\$|€|ct?\b|cents?\b|years?\b|[ap]\.?m\b|[x×:/]\s?\d)|-[\p{L}\d])(?:\s+((?:[\p{L}-]+\s+){0,2}?)(\p{L}[\p{L}-]{2,}))?`,
)
const measured =
  /^(?:euros?|dollars?|usd|eur|north|south|east|west|degrees?|dimensions?|percent|mb|gb|kb|characters?|words?|tokens?|employees?|staff|am|pm|st|nd|rd|th|pixels?|wide|high|or|and|until|to|bis|till|cfr)$/i
/** A number in these words is a name or a place in a row. */
const numbered =
  /(?:\b(?:phase|page|pages|version|v|no|number|nr|chapter|part|section|article|step|round|series|level|title|form|jordan|iphone|act|model|cik|room|gate|flight|day|class|covid|from page|top-p|temperature|seed|depth|skip|skip the first|offset|number)\s*[#.:]?\s*|[#$€£¥]\s?|[\p{L}\d][-–/.])$/iu
const inName =
  /(?<!^|[.!?:]\s)(?<!\p{L})(?!(?:Give|Show|Top|Find|Get|Max|Maximum|Last|First|Take|List|Limit|Only|Return|Up)\b)\p{Lu}[\p{L}\d-]+\s$/u
const countMax = 100_000

export const readCounts: ValueReader = (text, today) => [
  ...readNumbers(text, today),
  ...readLatest(text, today),
]

const readNumbers: ValueReader = (text) =>
  [...text.matchAll(counts)].flatMap((match) => {
    const [said, number = '', , counted = ''] = match
    const value = readNumber(number)
    const at = (match.index ?? 0) + said.indexOf(number)
    if (value === undefined || !Number.isInteger(value) || value < 1 || value > countMax) return []
    if (numbered.test(text.slice(0, at)) || measured.test(counted)) return []
    // `Gel-Kayano 14` is a name.
    if (counted === '' && inName.test(text.slice(0, at))) return []
    if (/^\d+\s?[kmb]/i.test(number)) return []
    const isWorded = !/\d/.test(number)
    const isLarge = value >= 10
    if (isWorded && !isLarge && (value < 2 ? !/only|top|first/i.test(said) : counted === ''))
      return []
    // A year, unless something is counted by it.
    if (value >= 1900 && value <= 2100 && !/s$/i.test(counted)) return []
    const end = said.indexOf(number) + number.length
    const short: RegExpMatchArray = [said.slice(0, end)]
    short.index = match.index ?? 0
    return [placed('count', short, { count: value, noun: counted.toLowerCase() })]
  })
