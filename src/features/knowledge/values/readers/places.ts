// Countries, languages, and other places: `in Germany`, `US only`, `German companies`, `on the French Wikipedia`.
import { once } from '#platform/once.ts'
import { placed, type SaidValue, type ValueReader } from '../said-value.ts'

/** Whose names of countries and languages are read. */
const speakers = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl'] as const
const shortNames: Readonly<Record<string, string>> = {
  us: 'US',
  usa: 'US',
  'u.s.': 'US',
  'u.s.a.': 'US',
  'united states': 'US',
  'the states': 'US',
  america: 'US',
  uk: 'GB',
  'u.k.': 'GB',
  britain: 'GB',
  'great britain': 'GB',
  england: 'GB',
  uae: 'AE',
  holland: 'NL',
  korea: 'KR',
  'czech republic': 'CZ',
}

interface Names {
  readonly pattern: RegExp
  readonly codes: ReadonlyMap<string, string>
}

const letters = Array.from({ length: 26 }, (_, at) => String.fromCharCode(65 + at))
const pairs = letters.flatMap((one) => letters.map((other) => `${one}${other}`))
/** Codes of no country. */
const others = new Set(['AC', 'CP', 'DG', 'EA', 'EU', 'EZ', 'IC', 'QO', 'TA', 'UN', 'ZZ'])
/** Not the code of a country of the past, as DD. */
const isCurrent = (code: string) => Intl.getCanonicalLocales(`und-${code}`)[0]?.endsWith(code)

/** At the first text that asks for them: a start without them is faster. */
const countryNames = once(() => {
  const regions = pairs.filter(
    (pair) => !others.has(pair) && !pair.startsWith('X') && isCurrent(pair),
  )
  const codes = namesOf('region', regions)
  for (const [name, code] of Object.entries(shortNames)) codes.set(name, code)
  return patternOf(codes)
})
const languageNames = once(() => {
  const spoken = pairs.map((pair) => pair.toLowerCase())
  return patternOf(namesOf('language', spoken), '(?:e[nrms]?|s|a|o)?')
})

/** Language names of the world’s larger languages are also how people say where something is from. */
const originOf = (language: string): string | undefined => {
  if (['en', 'pt', 'ar'].includes(language)) return undefined
  return new Intl.Locale(language).maximize().region
}

function namesOf(type: 'region' | 'language', codes: readonly string[]): Map<string, string> {
  const names = new Map<string, string>()
  for (const speaker of speakers) {
    const display = new Intl.DisplayNames([speaker], { type, fallback: 'none' })
    for (const code of codes) {
      const name = display.of(code)?.toLowerCase()
      if (name !== undefined && name.length > 3 && !names.has(name)) names.set(name, code)
    }
  }
  // Languages also have their own names for themselves.
  if (type === 'language')
    for (const code of codes) {
      const own = new Intl.DisplayNames([code], { type, fallback: 'none' }).of(code)?.toLowerCase()
      if (own !== undefined && /^\p{L}{5,}$/u.test(own) && !names.has(own)) names.set(own, code)
    }
  return names
}

function patternOf(codes: ReadonlyMap<string, string>, ending = ''): Names {
  const names = [...codes.keys()].toSorted((one, other) => other.length - one.length)
  const escaped = names.map((name) => name.replaceAll(/[.()]/g, String.raw`\$&`))
  const pattern = new RegExp(
    String.raw`(?<![\p{L}\d@#/._-])(${escaped.join('|')})${ending}(?![\p{L}\d@/_-])`,
    'giu',
  )
  return { codes, pattern }
}

/** What stands before a country that is meant as a place. */
const inside =
  /(?:\b(?:in|from|within|across|for|at|to|country|countries|region|geo|market|aus|en|au|aux|nel|nella|in der|em|na|no|w|desde|based in|of)[:=]?\s+(?:the\s+|den\s+|der\s+|la\s+|el\s+)?|[,+&/(]\s*|\b(?:and|or|und|et|y|e)\s+(?:the\s+)?)$/iu
const only =
  /^\s*(?:only\b|based\b|[-–]based|companies\b|startups\b|firms\b|market\b|[+&)]|$|[.,;!?])/iu
/** Short names that are also words. */
const isWord = /^(?:us|uk)$/
/** Between the countries of a list. */
const joined = /^\s*(?:,|[+&/]|,?\s*\b(?:and|or|und|oder|et|ou|y|o|e)\b)\s*(?:the\s+)?$/iu
const codePattern = /(?<![\p{L}\d@#/._-])([A-Z]{2})(?![\p{L}\d@/_-])/gu
/** Two letters are a country only behind a word for a place. */
const placeWord =
  /\b(?:in|from|country|countries|geo|region|market|targets?|aus|en|exit)[:=]?\s+(?:the\s+)?$/i

interface CountryMatch {
  readonly match: RegExpMatchArray
  readonly code: string
  readonly isPlaced: boolean
}

export const readCountries: ValueReader = (text) => {
  const matches = findCountries(text).toSorted((one, other) => startOf(one) - startOf(other))
  const found: SaidValue[] = []
  let last: { readonly end: number; readonly isPlaced: boolean } | undefined
  for (const { match, code, isPlaced } of matches) {
    const start = match.index ?? 0
    if (last !== undefined && start < last.end) continue
    const isListed = last?.isPlaced === true && joined.test(text.slice(last.end, start))
    const isMeant = isPlaced || isListed
    last = { end: start + match[0].length, isPlaced: isMeant }
    const before = text.slice(0, start)
    if (isMeant) found.push(placed('country', widened(match, before), { code, isOrigin: false }))
  }
  return [...found, ...readGroups(text, found)]
}

const startOf = ({ match }: CountryMatch) => match.index ?? 0

function findCountries(text: string): CountryMatch[] {
  const { codes, pattern } = countryNames()
  const around = (match: RegExpMatchArray) => ({
    before: text.slice(0, match.index),
    after: text.slice((match.index ?? 0) + match[0].length),
  })
  const named = [...text.matchAll(pattern)].flatMap((match): CountryMatch[] => {
    const said = match[1] ?? ''
    const code = codes.get(said.toLowerCase())
    const { before, after } = around(match)
    const isWritten = !isWord.test(said) || only.test(after) || /\bin(?: the)?\s+$/i.test(before)
    if (code === undefined || !isWritten) return []
    return [{ match, code, isPlaced: inside.test(before) || only.test(after) }]
  })
  const coded = [...text.matchAll(codePattern)].flatMap((match): CountryMatch[] => {
    const code = match[1] ?? ''
    if (!known().has(code)) return []
    const { before, after } = around(match)
    const isInList = /^\s*,\s*[A-Z]{2}\b/.test(after) && /\(\s*$/.test(before)
    return [{ match, code, isPlaced: isInList || placeWord.test(before) }]
  })
  return [...named, ...adjectives(text), ...coded]
}

/** Names for several countries. */
const groups: Readonly<Record<string, readonly string[]>> = {
  benelux: ['BE', 'NL', 'LU'],
  nordics: ['DK', 'FI', 'IS', 'NO', 'SE'],
  'nordic countries': ['DK', 'FI', 'IS', 'NO', 'SE'],
  scandinavia: ['DK', 'NO', 'SE'],
  dach: ['AT', 'CH', 'DE'],
  baltics: ['EE', 'LT', 'LV'],
}
const groupPattern = new RegExp(
  String.raw`(?<!\p{L})(?:(?:in|from|across)\s+)?(?:the\s+)?(${Object.keys(groups).join('|')})(?!\p{L})`,
  'giu',
)

/** Not where its countries are listed: `nordics only (SE, DK, NO)`. */
function readGroups(text: string, found: readonly SaidValue[]): readonly SaidValue[] {
  if (found.length > 1) return []
  return [...text.matchAll(groupPattern)].flatMap((match) =>
    (groups[match[1]?.toLowerCase() ?? ''] ?? []).map((code) =>
      placed('country', match, { code, isOrigin: false }),
    ),
  )
}

const known = once(() => new Set(countryNames().codes.values()))

/** `in Swiss and Austria`: an adjective in place of a name. */
const adjectives = (text: string): CountryMatch[] =>
  [
    ...text.matchAll(
      /(?<=\b(?:in|from|and|or)\s)(Swiss|Dutch|Danish|Polish|Swedish|Czech)(?=\s+(?:and|or)\b|\s*[,.;]|$)/gu,
    ),
  ].flatMap((match): CountryMatch[] => {
    const code = adjectiveCodes[match[0]]
    return code === undefined ? [] : [{ match, code, isPlaced: true }]
  })
const adjectiveCodes: Readonly<Record<string, string>> = {
  Swiss: 'CH',
  Dutch: 'NL',
  Danish: 'DK',
  Polish: 'PL',
  Swedish: 'SE',
  Czech: 'CZ',
}

/** With the preposition before it. */
function widened(match: RegExpMatchArray, before: string): RegExpMatchArray {
  const [lead = ''] =
    /(?:\b(?:based\s+)?(?:in|from|within|across|aus|en|au|nel|nella|em|na)\s+(?:the\s+|der\s+|den\s+|la\s+)?)$/iu.exec(
      before,
    ) ?? []
  const wide: RegExpMatchArray = [`${lead}${match[0]}`]
  wide.index = (match.index ?? 0) - lead.length
  return wide
}

export const readLanguages: ValueReader = (text) => {
  const { codes, pattern } = languageNames()
  return [...text.matchAll(pattern)].flatMap((match): SaidValue[] => {
    const code = codes.get((match[1] ?? '').toLowerCase())
    if (code === undefined) return []
    const origin = originOf(code)
    const language = placed('language', match, { code })
    return origin === undefined || !/^\p{Lu}/u.test(match[0])
      ? [language]
      : [language, placed('country', match, { code: origin, isOrigin: true })]
  })
}

const placePattern =
  /(?<=(?<!\p{L})(?:in|near|around|from|based in|à|a|en|bei|nahe|em|presso)\s)((?!(?:the|a|an|my|our|your|this|that|their|json|pdf)\b)\p{Lu}[\p{L}’'-]+(?:[ -](?:de|del|la|le|am|upon|sur)?[ -]?\p{Lu}[\p{L}’'-]+){0,2}(?:,\s?\p{Lu}[\p{L}]+(?:\s\p{Lu}\p{L}+)?)?|\p{Ll}{4,}(?=\s*(?:$|[,.;!?])))/gu

/** Other words may stand there too: only fields for places ask for them. */
export const readPlaces: ValueReader = (text) =>
  [...text.matchAll(placePattern)].flatMap((match) => {
    const first = placed('place', match, { name: match[0] })
    const further = /^(?:\s+(?:and|or|und|et|y|o)\s+|,\s+)(\p{Lu}[\p{L}’'-]+)/u.exec(
      text.slice(first.end),
    )
    const name = further?.[1]
    if (further === null || name === undefined) return [first]
    const start = first.end
    return [first, { kind: 'place' as const, name, start, end: start + further[0].length }]
  })
