// Where, and in which language.

import { identifierPatterns } from '#core/identifier.ts'
import {
  type Filled,
  type FillFields,
  type InputField,
  inForm,
  schemaOfOne,
  takesSeveral,
} from '../field.ts'
import { isOf, placeOf, type Said, type SaidOf } from '../said-value.ts'
import { stateCodes, threeLettersOf } from './country-codes.ts'

const countryName = /countr|^geo$|^locations?$|^geo_location$|^headquarters$/i
const english = new Intl.DisplayNames(['en'], { type: 'region' })

/** How a field writes a country. Undefined: it takes none. */
function writeCountry({ name, schema }: InputField): ((code: string) => unknown) | undefined {
  if (!countryName.test(name)) return undefined
  const { pattern = '', type, description = '' } = schemaOfOne(schema)
  if (/\[A-Z\]\{3\}/.test(pattern)) return threeLettersOf
  if (/\[A-Z(?:a-z)?\]\{2\}/.test(pattern)) return (code) => code
  if (type !== 'string' || pattern !== '') return undefined
  if (/codes?/i.test(`${description} ${schema.description}`)) return (code) => code
  return (code) => english.of(code)
}

export const fillCountries: FillFields = (fields, { values }) => {
  const countries = values.filter(isOf('country'))
  const named = countries.filter(({ isOrigin }) => !isOrigin)
  const origins = countries.filter(({ isOrigin }) => isOrigin)
  return named.length > 0 ? fillWith(fields, named) : fillWith(fields, origins)
}

function fillWith(
  fields: readonly InputField[],
  countries: readonly SaidOf<'country'>[],
): readonly Filled[] {
  const isOrigin = countries[0]?.isOrigin === true
  const ordered = isOrigin
    ? fields.toSorted(
        (one, other) => Number(/^company/.test(other.name)) - Number(/^company/.test(one.name)),
      )
    : fields
  for (const field of ordered) {
    const write = writeCountry(field)
    if (write === undefined || countries.length === 0) continue
    // Where pages come from is not where a company is from.
    if (isOrigin && !/countries|company|^country$|locations/.test(field.name)) continue
    const written = [...new Set(countries.map(({ code }) => write(code)))].filter(
      (value) => value !== undefined,
    )
    if (written.length === 0) continue
    const { name, schema } = field
    const isJoined = !takesSeveral(schema) && /with commas/.test(schema.description ?? '')
    const value = isJoined ? written.join(',') : inForm(schema, written)
    const from = isJoined || takesSeveral(schema) ? countries : countries.slice(0, 1)
    return [{ name, value, from }]
  }
  return []
}

const placeName = /^(?:locations?|geo_location|headquarters|place|city)$/i

/** Cities and regions, which a country’s field does not take. */
export const fillPlaces: FillFields = (fields, { values }) => {
  const places = values.filter(isOf('place'))
  const countries = values.filter(isOf('country'))
  const open = places.filter(({ start, end }) =>
    countries.every((country) => country.end <= start || end <= country.start),
  )
  const field = fields.find(
    ({ name, schema }) => placeName.test(name) && schemaOfOne(schema).pattern === undefined,
  )
  const [place] = open
  if (place === undefined || field === undefined) return []
  const from = takesSeveral(field.schema) ? open : [place]
  return [
    {
      name: field.name,
      value: inForm(
        field.schema,
        from.map(({ name }) => name),
      ),
      from,
    },
  ]
}

const recognised: Readonly<Record<string, string>> = {
  en: 'eng', de: 'deu', fr: 'fra', es: 'spa', it: 'ita', pt: 'por', nl: 'nld',
  pl: 'pol', ru: 'rus', uk: 'ukr', cs: 'ces', sv: 'swe', da: 'dan', fi: 'fin', nb: 'nor', hu: 'hun', el: 'ell', ja: 'jpn', zh: 'chi_sim', ko: 'kor', ar: 'ara', tr: 'tur',
} // biome-ignore format: a table

export const fillLanguages: FillFields = (fields, { text, values }) => {
  const languages = values.filter(isOf('language'))
  const [language] = languages
  const field = fields.find(({ name }) =>
    /^(?:lang|language|search_lang|ocr_languages)$/.test(name),
  )
  if (language === undefined || field === undefined) return []
  // `the language` of a search is said with a word for it: elsewhere it is where something is from.
  const { start, end, code } = language
  const around = `${text.slice(Math.max(0, start - 12), start)}|${text.slice(end, end + 14)}`
  const isSaid =
    /^(?:lang|ocr_languages)$/.test(field.name) ||
    /\b(?:in|auf|en|language|lang)\b[^|]*\||\|\s*(?:language|results?|pages?|version)/i.test(around)
  if (!isSaid) return []
  if (field.name !== 'ocr_languages') return [{ name: field.name, value: code, from: [language] }]
  const written = languages.flatMap((each) => recognised[each.code] ?? [])
  return written.length === 0 ? [] : [{ name: field.name, value: written, from: languages }]
}

const statePattern = new RegExp(
  String.raw`(?<!\p{L})(?:in\s+)?(?:the\s+)?(?:state\s+(?:of\s+)?)?(${[...stateCodes.keys()].join('|')})(?!\p{L})|\b(?:in|state)\s+([A-Z]{2})\b`,
  'iu',
)

/** A state of the United States, by its two letters. */
export const fillStates: FillFields = (fields, { plain }) => {
  const field = fields.find(({ name, schema }) => name === 'state' && schema.pattern !== undefined)
  const match = field && statePattern.exec(plain)
  if (!match || field === undefined) return []
  const code = match[2] ?? stateCodes.get(match[1]?.toLowerCase() ?? '')
  return code === undefined ? [] : [{ name: field.name, value: code, from: [placeOf(match)] }]
}

const leavesOut =
  /\b(?:not|no|without|except|exclud\w+|leave out|ignor\w+|skip|but not|ohne|sans|sin|senza)\b/gi
const keepsTo = /\b(?:only|on|from|at|in|site|within|trust|restrict\w*|limit\w*|nur|seulement)\b/gi
const reach = 60

/** Where the last of such words stands before a place. -1: nowhere near. */
const lastOf = (pattern: RegExp, before: string): number =>
  [...before.slice(-reach).matchAll(pattern)].at(-1)?.index ?? -1

/** Sites to keep to, and sites to leave out. */
export const fillDomains: FillFields = (fields, { text }) => {
  const kept = fields.find(({ name }) => /^(?:include_?domains|domains)$/i.test(name))
  const leftOut = fields.find(({ name }) => /^(?:exclude_?domains|blacklisted)$/i.test(name))
  if (kept === undefined && leftOut === undefined) return []
  const wanted: Said[] = []
  const unwanted: Said[] = []
  const pattern = new RegExp(identifierPatterns.domain.source, 'gi')
  for (const match of text.matchAll(pattern)) {
    if (/[@/]$/.test(text.slice(0, match.index))) continue
    const before = text.slice(0, match.index)
    const [out, only] = [lastOf(leavesOut, before), lastOf(keepsTo, before)]
    if (out > only) unwanted.push(placeOf(match))
    else if (only >= 0 || /^\s*only\b/i.test(text.slice(match.index + match[0].length)))
      wanted.push(placeOf(match))
  }
  const fill = (field: InputField | undefined, places: readonly Said[]): readonly Filled[] => {
    if (field === undefined || places.length === 0) return []
    const hosts = places.map(({ start, end }) => text.slice(start, end).toLowerCase())
    const value = takesSeveral(field.schema) ? hosts : hosts.join(',')
    return [{ name: field.name, value, from: places }]
  }
  return [...fill(kept, wanted), ...fill(leftOut, unwanted)]
}

const route = /(?<![\p{L}\d])([A-Z]{3})\s*(?:-|–|→|to|nach|a)\s*([A-Z]{3})(?![\p{L}\d])/u

/** `LIS-GRU`: from one airport to another. */
export const fillRoutes: FillFields = (fields, { plain }) => {
  const has = (name: string) => fields.some((field) => field.name === name)
  const match = has('dep_iata') ? route.exec(plain) : null
  if (match === null) return []
  return [
    { name: 'dep_iata', value: match[1], from: [placeOf(match)] },
    { name: 'arr_iata', value: match[2], from: [placeOf(match)] },
  ]
}
