import { coreOfName, readingsOfName, wordsOfName } from '#core/companies/company-name.ts'
import type { Registrant } from './company-search.ts'
import { padCik } from './identifiers.ts'

/** An entry of the list of traded companies. A company has one entry per class of shares. */
interface Listed {
  readonly cik_str: number
  readonly ticker: string
  readonly title: string
}

type Found = Registrant & { readonly tickers: readonly string[] }

/** A shorter name in the middle of a question is a word more often than a company. */
const nameLettersMin = 3
/** A shorter ticker in the middle of a question is one only in capitals. */
const tickerLettersMin = 4
/** More companies whose names begin with the same word are not told apart by it. */
const namesakesMax = 3

/** A company of the list, with what its name is compared by. */
interface Row extends Listed {
  readonly bareTicker: string
  readonly words: readonly string[]
  /** The beginnings of the name that end with a word, without spaces. */
  readonly beginnings: ReadonlySet<string>
  readonly core: readonly string[]
  readonly joinedCore: string
  readonly spacedCore: string
}

type Tickers = Readonly<Record<string, Listed>>

/** The list has ten thousand companies and is remembered for hours. */
const prepared = new WeakMap<Tickers, readonly Row[]>()

function rowsOf(tickers: Tickers): readonly Row[] {
  const known = prepared.get(tickers)
  if (known !== undefined) return known
  const rows = Object.values(tickers).map((each) => {
    const words = wordsOfName(each.title)
    const core = coreOfName(each.title)
    return {
      ...each,
      words,
      core,
      bareTicker: bare(each.ticker),
      beginnings: new Set(words.map((_, at) => words.slice(0, at + 1).join(''))),
      joinedCore: core.join(''),
      spacedCore: ` ${core.join(' ')} `,
    }
  })
  prepared.set(tickers, rows)
  return rows
}

const bare = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

/**
 * Whether every word of the question begins a word of the name, in the same order: "gold sachs" finds Goldman Sachs.
 */
function isNamed(asked: readonly string[], words: readonly string[]): boolean {
  let place = 0
  return asked.every((word) => {
    while (place < words.length && words[place]?.startsWith(word) !== true) place += 1
    place += 1
    return place <= words.length
  })
}

/** The companies that a name or a ticker means, the likeliest first. The list begins with the most valuable ones. */
function findNamed(q: string, rows: readonly Row[]): readonly Row[] {
  const readings = readingsOfName(q).filter((words) => words.length > 0)
  if (readings.length === 0) return []
  const joined = readings.map((words) => words.join(''))
  const isCapital = q === q.toUpperCase()
  const ticker = bare(q)
  const holders = new Set(
    rows.filter(({ bareTicker }) => bareTicker === ticker).map(({ cik_str }) => cik_str),
  )
  const isHolder = ({ cik_str }: Row) => holders.has(cik_str)
  const tiers: readonly ((each: Row) => boolean)[] = [
    (each) => isCapital && isHolder(each),
    // Spaces do not count: "JP Morgan" is JPMORGAN.
    ({ joinedCore }) => joined.includes(joinedCore),
    (each) => isHolder(each) || joined.some((beginning) => each.beginnings.has(beginning)),
    ({ words }) => readings.some((asked) => isNamed(asked, words)),
  ]
  return [...new Set(tiers.flatMap((isIn) => rows.filter(isIn)))]
}

/** The companies that a question speaks of: "revenue of apple last year" names Apple Inc. */
function findMentioned(question: string, rows: readonly Row[]): readonly Row[] {
  const texts = readingsOfName(question).map((words) => ` ${words.join(' ')} `)
  const capitals = new Set(
    [...question.matchAll(/\p{Lu}[\p{L}\p{N}'’.&-]*/gu)].flatMap(([word]) =>
      readingsOfName(word).flat(),
    ),
  )
  const isProper = ({ core }: Row) => core.every((word) => capitals.has(word))
  const named = rows
    .filter(({ joinedCore }) => joinedCore.length >= nameLettersMin)
    .filter(({ spacedCore }) => texts.some((text) => text.includes(spacedCore)))
    .toSorted(
      (one, other) =>
        Number(isProper(other)) - Number(isProper(one)) || other.core.length - one.core.length,
    )
  if (named.length > 0) return named
  const tokens = new Set(question.match(/[\p{L}\p{N}.]+/gu) ?? [])
  const held = rows.filter(
    ({ ticker }) =>
      (ticker.length > 1 && tokens.has(ticker)) ||
      (ticker.length >= tickerLettersMin && tokens.has(ticker.toLowerCase())),
  )
  if (held.length > 0) return held
  const begun = [...capitals].map((word) => rows.filter(({ words }) => words[0] === word))
  const isClear = (found: readonly Row[]) =>
    found.length > 0 && new Set(found.map(({ cik_str }) => cik_str)).size <= namesakesMax
  return begun.find(isClear) ?? []
}

/**
 * First the traded companies of that name or ticker, then the other search results, each once. A question that is not a
 * name finds the companies that it mentions.
 */
export function mergeRegistrants(
  q: string,
  tickers: Tickers,
  registrants: readonly Registrant[],
): Found[] {
  const rows = rowsOf(tickers)
  const named = findNamed(q, rows)
  const isQuestion = named.length === 0 && registrants.length === 0
  const chosen = new Set(
    (isQuestion ? findMentioned(q, rows) : named).map(({ cik_str }) => cik_str),
  )
  const classes = Map.groupBy(
    rows.filter(({ cik_str }) => chosen.has(cik_str)),
    ({ cik_str }) => cik_str,
  )
  const traded = [...chosen].flatMap((cik) =>
    (classes.get(cik) ?? []).map(({ title, ticker }) => ({
      cik: padCik(cik),
      name: title,
      state: null,
      sic: null,
      tickers: [ticker],
    })),
  )
  const merged = new Map<string, Found>()
  for (const entity of [...traded, ...registrants.map((found) => ({ ...found, tickers: [] }))]) {
    const known = merged.get(entity.cik)
    merged.set(entity.cik, {
      cik: entity.cik,
      name: known?.name ?? entity.name,
      state: known?.state ?? entity.state,
      sic: known?.sic ?? entity.sic,
      tickers: [...(known?.tickers ?? []), ...entity.tickers],
    })
  }
  return [...merged.values()]
}
