import { z } from '#core/action.ts'
import { membersOf } from '#core/input/members.ts'
import { defineSource, mapList } from '../../source.ts'
import { code, day, needed, pageNumber, rowsUpTo, text } from '../../source-fields.ts'

const fields = [
  'publication-number',
  'publication-date',
  'notice-title',
  'buyer-name',
  'buyer-country',
  'deadline-receipt-tender-date-lot',
  'links',
]

export const euTenders = defineSource({
  summary: 'Public tenders of the European Union and its members: title, buyer and deadline.',
  synonyms: [
    'public procurement europe',
    'ted notices',
    'calls for tender',
    'government tenders eu',
  ],
  source: 'TED, Publications Office of the European Union',
  attribution: 'Source: TED, © European Union.',
  host: 'api.ted.europa.eu',
  pacing: [{ requests: 1, windowMs: 1_000 }],
  rememberSeconds: 0,
  input: z.strictObject({
    q: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .regex(/^[^"\\]*$/, 'must be words without quotation marks')
      .describe('Words to look for.'),
    buyer_country: code(/^[A-Z]{3}$/, 'the three letters of a country: DEU')
      .optional()
      .describe('Country of the buyer, by its ISO code of three letters: DEU.'),
    from: day.optional().describe('First day.'),
    to: day.optional().describe('Last day.'),
    page: pageNumber,
    limit: rowsUpTo(100, 20),
  }),
  row: z.object({
    id: needed.describe('Publication number.'),
    title: text.describe('Title, in English where there is one.'),
    published: text.describe('Day of publication.'),
    buyer: text.describe('Who buys.'),
    buyer_country: text.describe('Country of the buyer.'),
    deadline: text.describe('Last day for tenders.'),
    url: text.describe('The notice.'),
  }),
  example: { q: 'satellite', buyer_country: 'DEU', from: '2026-09-01', limit: 2 },
  async read({ input: { q, buyer_country: country, from, to, page, limit }, ask }) {
    const asked = [
      `FT ~ "${q}"`,
      ...(country === undefined ? [] : [`buyer-country IN (${country})`]),
      ...(from === undefined ? [] : [`publication-date >= ${dense(from)}`]),
      ...(to === undefined ? [] : [`publication-date <= ${dense(to)}`]),
    ]
    const body = await ask.post('/v3/notices/search', {
      query: `${asked.join(' AND ')} SORT BY publication-date DESC`,
      fields,
      page,
      limit,
      scope: 'ALL',
      paginationMode: 'PAGE_NUMBER',
    })
    const total = body?.totalNoticeCount ?? null
    return {
      total,
      next_page: total !== null && page * limit < total ? page + 1 : null,
      items: mapList(body?.notices, (notice) => ({
        id: notice['publication-number'],
        title: inEnglish(notice['notice-title']),
        published: dayOf(notice['publication-date']),
        buyer: inEnglish(notice['buyer-name']),
        buyer_country: firstOf(notice['buyer-country']),
        deadline: dayOf(firstOf(notice['deadline-receipt-tender-date-lot'])),
        url: inEnglish(notice.links?.html),
      })),
    }
  },
})

const dense = (date: string) => date.replaceAll('-', '')
const firstOf = (value: unknown) => (Array.isArray(value) ? value[0] : value)
/** A day carries its time zone: 2016-11-23+01:00. */
const dayOf = (value: unknown) => (typeof value === 'string' ? value.slice(0, 10) : null)

/** Texts come by language, in letters of either case. */
function inEnglish(texts: unknown): unknown {
  if (typeof texts !== 'object' || texts === null) return texts
  const byLanguage = membersOf(texts)
  return firstOf(byLanguage.eng ?? byLanguage.ENG ?? Object.values(byLanguage)[0])
}
