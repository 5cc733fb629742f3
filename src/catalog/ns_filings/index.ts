import { defineAction, z } from '#core/action.ts'
import { explain, fail } from '#core/errors.ts'
import { path } from '#core/path.ts'
import { readLine, readLines } from './lib/index-lines.ts'

const noFilings = (date: string) =>
  `EDGAR has no filings for ${date}: weekends, federal holidays and days whose index is not out yet have none.`

export const index = defineAction('index', {
  summary: 'List every SEC filing of one business day, by form type.',
  notes:
    'A filing with several filers is listed once for each. Weekends and holidays have no index: 404 means that there were no filings. The index of a day is out at about 10 pm Eastern time. For one registrant use ns_filings/filings.',
  synonyms: [
    'daily index',
    'filings today',
    'new filings',
    'edgar feed',
    'form d list',
    'all filings of a day',
    'filed yesterday',
  ],
  questions: [
    'what was filed with the SEC on 15 September?',
    'who raised money last week?',
    'which companies filed a form D on that day?',
  ],
  cacheSeconds: 3_600,
  errors: ['not_found'],
  input: z.strictObject({ date: z.iso.date().describe('One business day: 2026-09-15.') }),
  output: z.looseObject({
    provider: z.string(),
    date: z.string(),
    total: z.int(),
    unread_lines: z
      .int()
      .describe('Lines of the index whose form is new and that are missing here.'),
    filings: z.array(
      z.looseObject({
        form: z.string(),
        company: z.string(),
        cik: z.string(),
        date: z.string(),
        accession: z.string(),
        file: z.string().describe('Path of the complete submission below sec.gov/Archives.'),
      }),
    ),
  }),
  check({ date }) {
    const weekday = new Date(date).getUTCDay()
    if (weekday === 0 || weekday === 6) throw fail('not_found', { message: noFilings(date) })
  },
  price: { cents: 1 },
  example: { input: { date: '2020-03-18' }, cents: 1 },
  async run({ input, http }) {
    const [year = '', month = ''] = input.date.split('-')
    const quarter = Math.ceil(Number(month) / 3)
    const name = `form.${input.date.replaceAll('-', '')}.idx`
    const text: string = await http
      .get(path`/Archives/edgar/daily-index/${year}/${`QTR${quarter}`}/${name}`, {
        host: { host: 'www' },
        as: 'text',
      })
      .catch(explain('not_found', noFilings(input.date)))
    const lines = readLines(text)
    const filings = lines.flatMap(readLine)
    return {
      provider: 'SEC EDGAR',
      date: input.date,
      total: filings.length,
      unread_lines: lines.length - filings.length,
      filings,
    }
  },
})
