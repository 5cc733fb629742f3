// Shared by the web and the news search of the independent index.
import { z } from '#core/action.ts'
import { fail } from '#core/errors.ts'

const wordsMax = 50
const range = /^(\d{4}-\d{2}-\d{2})to(\d{4}-\d{2}-\d{2})$/
const isDate = (text: string) => z.iso.date().safeParse(text).success

/** A period in short, or two dates with the earlier one first. */
function isFreshness(text: string): boolean {
  if (['pd', 'pw', 'pm', 'py'].includes(text)) return true
  const [, from = '', to = ''] = range.exec(text) ?? []
  return isDate(from) && isDate(to) && from <= to
}

export const queryFields = {
  q: z
    .string()
    .trim()
    .min(1)
    .max(400)
    .refine((text) => text.split(/\s+/).length <= wordsMax, {
      message: `has more than ${wordsMax} words`,
    })
    .describe('What to look for; operators such as "exact words", -without and site: work.'),
  offset: z.int().min(0).max(9).optional().describe('Pages to skip.'),
  country: z
    .string()
    .trim()
    .regex(/^([A-Za-z]{2}|ALL)$/, 'must be a two-letter country code such as us')
    .transform((code) => code.toUpperCase())
    .optional()
    .describe('Two-letter code of the country whose results come first.'),
  search_lang: z
    .string()
    .trim()
    .regex(/^[a-z]{2}(-[a-z]{2,4})?$/, 'must be a language code such as en')
    .optional()
    .describe('Language of the results; the index calls Japanese jp, Chinese zh-hans or zh-hant.'),
  freshness: z
    .string()
    .trim()
    .refine(isFreshness, { message: 'must be pd, pw, pm, py or YYYY-MM-DDtoYYYY-MM-DD' })
    .optional()
    .describe('Past day, week, month or year as pd, pw, pm, py, or YYYY-MM-DDtoYYYY-MM-DD.'),
  extra_snippets: z.boolean().optional().describe('Add up to five more excerpts to each result.'),
} as const

/** The index omits sections without results, but never all of them. */
export function readReply<Reply extends object>(reply: Reply): Reply {
  if (Object.keys(reply).length === 0) throw fail('upstream_error')
  return reply
}

/** The documented fields of a result. Other fields that the vendor returns pass through. */
export const indexedPage = z.looseObject({
  url: z.string(),
  title: z.string(),
  description: z.string().nullish(),
  age: z.string().nullish().describe('How old the page is, in words or as a date.'),
  extra_snippets: z.array(z.string()).nullish(),
})

export const queryEcho = z
  .looseObject({ more_results_available: z.boolean().nullish().describe('Whether offset helps.') })
  .nullish()
