import { z } from '#core/action.ts'
import { normalizeUrl, urlCharactersMax } from '#core/web-address.ts'
import { cikText } from '../../ns_filings/lib/identifiers.ts'

/** Parameters of ns_filings/filings, which checks them. Here they are optional. */
export const historyFilters = {
  forms: z.string().trim().max(300).optional().describe('Form types, comma-separated: 10-K,8-K.'),
  startdt: z.iso.date().optional().describe('First day of filing.'),
  enddt: z.iso.date().optional().describe('Last day of filing.'),
  limit: z.int().min(1).max(5_000).optional().describe('Rows to return.'),
  offset: z.int().min(0).optional().describe('Rows to skip.'),
}
export const historyNames = ['forms', 'startdt', 'enddt', 'limit', 'offset'] as const

/** All parameters of all endpoints. */
export const parameters = {
  cik: z
    .string()
    .trim()
    .max(20)
    .pipe(cikText)
    .optional()
    .describe('Central Index Key of a registrant: 320193.'),
  latitude: z.number().min(-90).max(90).optional().describe('Degrees north.'),
  longitude: z.number().min(-180).max(180).optional().describe('Degrees east.'),
  url: z
    .string()
    .trim()
    .max(urlCharactersMax)
    .transform((text) => normalizeUrl(text))
    .optional()
    .describe('Address of a page.'),
  name: z.string().trim().max(100).optional().describe('Name of a person or an organization.'),
  ...historyFilters,
}

export type Parameters = {
  readonly [Name in keyof typeof parameters]?: z.output<(typeof parameters)[Name]>
}
