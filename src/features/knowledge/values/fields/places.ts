// Where, and in which language.
import {
  type Filled,
  type FillFields,
  type InputField,
  inForm,
  schemaOfOne,
  takesSeveral,
} from '../field.ts'
import { isOf, type SaidOf } from '../said-value.ts'
import { threeLettersOf } from './country-codes.ts'

const countryName = /countr|^geo$|^locations?$|^geo_location$|^proxies$|^headquarters$/i
const english = new Intl.DisplayNames(['en'], { type: 'region' })

/** How a field writes a country. Undefined: it takes none. */
function writeCountry({ name, schema }: InputField): ((code: string) => unknown) | undefined {
  if (!countryName.test(name)) return undefined
  if (schema.properties?.country !== undefined) return (code) => ({ country: code })
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
  const [place] = places.filter(({ start, end }) =>
    countries.every((country) => country.end <= start || end <= country.start),
  )
  const field = fields.find(
    ({ name, schema }) => placeName.test(name) && schemaOfOne(schema).pattern === undefined,
  )
  if (place === undefined || field === undefined) return []
  return [{ name: field.name, value: inForm(field.schema, [place.name]), from: [place] }]
}

const recognised: Readonly<Record<string, string>> = {
  en: 'eng', de: 'deu', fr: 'fra', es: 'spa', it: 'ita', pt: 'por', nl: 'nld',
  pl: 'pol', ru: 'rus', ja: 'jpn', zh: 'chi_sim', ko: 'kor', ar: 'ara', tr: 'tur',
} // biome-ignore format: a table

export const fillLanguages: FillFields = (fields, { text, values }) => {
  const [language] = values.filter(isOf('language'))
  const field = fields.find(({ name }) =>
    /^(?:lang|language|search_lang|ocr_languages)$/.test(name),
  )
  if (language === undefined || field === undefined) return []
  // `the language` of a search is said with a word for it: elsewhere it is where something is from.
  const { start, end, code } = language
  const around = `${text.slice(Math.max(0, start - 12), start)}|${text.slice(end, end + 14)}`
  const isSaid =
    field.name !== 'search_lang' ||
    /\b(?:in|auf|en|language|lang)\b[^|]*\||\|\s*(?:language|results?|pages?|version)/i.test(around)
  if (!isSaid) return []
  const value = field.name === 'ocr_languages' ? recognised[code] && [recognised[code]] : code
  return value === undefined ? [] : [{ name: field.name, value, from: [language] }]
}
