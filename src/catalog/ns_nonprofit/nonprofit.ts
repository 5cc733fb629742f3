import { defineAction, pick, z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { path } from '#core/path.ts'
import { einField, profileUrl } from './lib/ein.ts'
import { pdfsOf, yearObject, yearsOf } from './lib/returns.ts'

export const nonprofit = defineAction('nonprofit', {
  summary: 'Get the tax returns of one US nonprofit, year by year, with links to the returns.',
  notes:
    'Revenue, expenses, pay of officers, other salaries and assets for each year whose return was published as data, newest first; other_returns lists those that are PDFs only. Find the ein with ns_nonprofit/nonprofit_search. For companies use ns_filings/concept.',
  synonyms: [
    'form 990',
    'charity finances',
    'nonprofit revenue',
    'executive compensation',
    'tax return',
    'endowment',
    'salary of the president',
  ],
  questions: [
    'how much does this charity pay its executives?',
    'what was the revenue of ProPublica over the years?',
    'is this foundation growing or shrinking?',
    'where can I read the 990 of this nonprofit?',
  ],
  cacheSeconds: 86_400,
  errors: ['not_found'],
  input: z.strictObject({
    ein: einField,
  }),
  output: z.looseObject({
    provider: z.string(),
    ein: z.string(),
    name: z.string(),
    organization: z.looseObject({}),
    years: z.array(yearObject),
    other_returns: z.array(z.looseObject({ year: z.int(), pdf_url: z.string().nullable() })),
    url: z.url(),
  }),
  price: { cents: 1 },
  example: { input: { ein: '14-2007220' }, cents: 1 },
  takes: { EIN: { fills: (ein) => ({ ein: ein.replace(/\D/g, '') }) } },
  async run({ input, http }) {
    const missing = `ProPublica has no organization with the EIN ${input.ein}. Find it with ns_nonprofit/nonprofit_search.`
    const { status, body } = await http.send({
      method: 'GET',
      path: path`/organizations/${`${Number(input.ein)}.json`}`,
      accept: [404],
    })
    const {
      organization,
      filings_with_data: filings = [],
      filings_without_data: pdfs = [],
    } = body ?? {}
    // For an unknown EIN the registry answers with an unnamed organization.
    if (status === 404 || !organization || /^unknown organization$/i.test(organization.name))
      throw fail('not_found', { message: missing })
    return {
      provider: 'ProPublica Nonprofit Explorer',
      ein: input.ein,
      name: organization.name,
      organization: pick(
        organization,
        'city',
        'state',
        'ntee_code',
        'subsection_code',
        'ruling_date',
      ),
      years: yearsOf(filings),
      other_returns: pdfsOf(pdfs),
      url: profileUrl(input.ein),
    }
  },
})
