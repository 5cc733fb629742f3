import {
  coreOfName,
  isSameName,
  readingsOfName,
  wordsOfName,
} from '#core/companies/company-name.ts'
import type { Registrant } from './company-search.ts'
import { padCik } from './identifiers.ts'

/** An entry of the list of traded companies. A company has one entry per class of shares. */
export interface Listed {
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

/**
 * Whether every word of the question begins a word of the name, in the same order: "gold sachs" finds Goldman Sachs.
 */
function isNamed(asked: readonly string[], name: string): boolean {
  let rest = wordsOfName(name)
  return asked.every((word) => {
    const place = rest.findIndex((candidate) => candidate.startsWith(word))
    rest = rest.slice(place + 1)
    return place !== -1
  })
}

/** Whether the name begins with these whole words. Spaces do not count. */
function begins(asked: readonly string[], name: string): boolean {
  const wanted = asked.join('')
  let start = ''
  for (const word of wordsOfName(name)) {
    start += word
    if (start.length >= wanted.length) break
  }
  return start === wanted
}

const bare = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

/** The companies that a name or a ticker means, the likeliest first. The list begins with the most valuable ones. */
function findNamed(q: string, listed: readonly Listed[]): readonly Listed[] {
  const readings = readingsOfName(q).filter((words) => words.length > 0)
  if (readings.length === 0) return []
  const holders = listed.filter(({ ticker }) => bare(ticker) === bare(q))
  const isCapital = q === q.toUpperCase()
  const isHolder = ({ cik_str }: Listed) => holders.some((holder) => holder.cik_str === cik_str)
  const tiers: readonly ((each: Listed) => boolean)[] = [
    (each) => isCapital && isHolder(each),
    ({ title }) => isSameName(q, title),
    (each) => isHolder(each) || readings.some((words) => begins(words, each.title)),
    ({ title }) => readings.some((words) => isNamed(words, title)),
  ]
  return [...new Set(tiers.flatMap((isIn) => listed.filter(isIn)))]
}

/** The companies that a question speaks of: "revenue of apple last year" names Apple Inc. */
function findMentioned(question: string, listed: readonly Listed[]): readonly Listed[] {
  const texts = readingsOfName(question).map((words) => ` ${words.join(' ')} `)
  const capitals = new Set(
    [...question.matchAll(/\p{Lu}[\p{L}\p{N}'’.&-]*/gu)].flatMap(([word]) =>
      readingsOfName(word).flat(),
    ),
  )
  const named = listed
    .map((each) => ({ each, core: coreOfName(each.title) }))
    .filter(({ core }) => core.join('').length >= nameLettersMin)
    .filter(({ core }) => texts.some((text) => text.includes(` ${core.join(' ')} `)))
    .map((found) => ({ ...found, isProper: found.core.every((word) => capitals.has(word)) }))
    .toSorted(
      (one, other) =>
        Number(other.isProper) - Number(one.isProper) || other.core.length - one.core.length,
    )
  if (named.length > 0) return named.map(({ each }) => each)
  const tokens = new Set(question.match(/[\p{L}\p{N}.]+/gu) ?? [])
  const held = listed.filter(
    ({ ticker }) =>
      (ticker.length > 1 && tokens.has(ticker)) ||
      (ticker.length >= tickerLettersMin && tokens.has(ticker.toLowerCase())),
  )
  if (held.length > 0) return held
  const begun = [...capitals].map((word) => listed.filter(({ title }) => begins([word], title)))
  const isClear = (found: readonly Listed[]) =>
    found.length > 0 && new Set(found.map(({ cik_str }) => cik_str)).size <= namesakesMax
  return begun.find(isClear) ?? []
}

/**
 * First the traded companies of that name or ticker, then the other search results, each once. A question that is not a
 * name finds the companies that it mentions.
 */
export function mergeRegistrants(
  q: string,
  listed: readonly Listed[],
  registrants: readonly Registrant[],
): Found[] {
  const named = findNamed(q, listed)
  const isQuestion = named.length === 0 && registrants.length === 0
  const chosen = new Set(
    (isQuestion ? findMentioned(q, listed) : named).map(({ cik_str }) => cik_str),
  )
  const traded = [...chosen].flatMap((cik) =>
    listed
      .filter(({ cik_str }) => cik_str === cik)
      .map(({ title, ticker }) => ({
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
