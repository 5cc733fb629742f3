// Reads both forms of the answers of EDGAR's company search.
import { plainText } from '../../lib/plain-text.ts'
import { padCik } from './identifiers.ts'

export interface Registrant {
  readonly cik: string
  readonly name: string | null
  readonly state: string | null
  readonly sic: string | null
}

const element = (xml: string, ...names: string[]) => {
  for (const name of names) {
    const content = new RegExp(`<${name}>([^<]*)</${name}>`, 'i').exec(xml)?.[1]
    if (content !== undefined && content.trim() !== '') return plainText(content)
  }
  return null
}

/**
 * The registrants of the Atom form. The head of the feed has a single match with its name. For several matches the feed
 * has lost the names ("ARRAY(0x...)"), so `name` is null and the HTML page must be read.
 */
export function readCompanyFeed(xml: string): Registrant[] {
  const found = [...xml.matchAll(/<company-info[^>]*>(.*?)<\/company-info>/gis)].flatMap(
    ([, info = '']) => {
      const cik = element(info, 'cik') ?? /CIK=(\d{1,10})/i.exec(info)?.[1]
      if (cik === undefined || cik === null) return []
      return {
        cik: padCik(cik),
        name: element(info, 'conformed-name'),
        state: element(info, 'state-location', 'state'),
        sic: element(info, 'assigned-sic', 'sic'),
      }
    },
  )
  const [only] = found
  if (found.length !== 1 || only === undefined || only.name !== null) return found
  const title = new RegExp(`<title>([^<(]+)\\(${only.cik}\\)`).exec(xml)?.[1]
  return [{ ...only, name: title === undefined ? null : plainText(title) }]
}

const row =
  /<tr[^>]*>\s*<td[^>]*>\s*<a[^>]*CIK=(\d{1,10})[^>]*>[^<]*<\/a>\s*<\/td>\s*<td[^>]*>(.*?)<\/td>/gis
const heading = /class="companyName">(.*?)<acronym[^>]*>CIK<\/acronym>.*?CIK=(\d{1,10})/is

/** Names by CIK, from the HTML page. The cell of a name also holds the industry. */
export function readCompanyPage(html: string): ReadonlyMap<string, string> {
  const rows = [...html.matchAll(row)].map(([, cik = '', cell = '']) => ({ cik, cell }))
  const [, cell, cik] = heading.exec(html) ?? []
  if (cell !== undefined && cik !== undefined) rows.push({ cik, cell })
  return new Map(
    rows.map((found) => [padCik(found.cik), plainText(found.cell.replace(/SIC:.*/is, ''))]),
  )
}
