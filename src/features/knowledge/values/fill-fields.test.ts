import { expect, test } from 'vitest'
import { providers } from '#catalog/providers.ts'
import { inputSchemaOf } from '#core/catalog.ts'
import type { FieldSchema } from './field.ts'
import { fillFields } from './fill-fields.ts'
import { readValues } from './read-values.ts'

const today = '2026-11-28'

function fill(id: string, text: string): Record<string, unknown> {
  const [service, name] = id.split('/')
  const action = providers
    .find((provider) => provider.id === service)
    ?.actions.find((one) => one.name === name)
  if (action === undefined) throw new Error(`There is no ${id}.`)
  const { properties } = inputSchemaOf(action) as { properties: Record<string, FieldSchema> }
  const { max_cost_cents: _, ...own } = properties
  const fields = { properties: own, saidAs: action.saidAs }
  return Object.fromEntries(
    fillFields(fields, readValues(text, today)).map((one) => [one.name, one.value]),
  )
}

test.each([
  [
    'ns_jobs/jobs',
    'jobs for rust developers in Germany posted in the last week',
    { job_country_code_or: ['DE'], posted_at_max_age_days: 7 },
  ],
  ['ns_filings/filings', 'forms 10-K and 10-Q only', { forms: '10-K,10-Q' }],
  [
    'ns_company/lookalikes',
    'companies like gong.io, 50, US only',
    { limit: 50, locations: ['USA'] },
  ],
  [
    'ns_signals/funding',
    'series b last month, us + uk',
    { round: 'Series B', date_preset: 'last_month', countries: 'US,GB' },
  ],
  [
    'ns_signals/investors',
    'seed investors, ticket 250k to 1m',
    { ticket_size_min: 250_000, ticket_size_max: 1_000_000 },
  ],
  [
    'ns_archive/snapshots',
    'at most 200 captures between 2009-03-01 and 2011-12-31',
    { limit: 200, from: '20090301', to: '20111231' },
  ],
  ['ns_press/news', 'news of the last 3 days', { timespan: '3d' }],
  [
    'ns_scholar/works',
    '20 works since 2022, most cited first',
    { per_page: 20, filter: 'from_publication_date:2022-01-01', sort: 'cited_by_count:desc' },
  ],
  [
    'ns_courts/cases',
    'courts ca9 and ca5, filed after 2023-07-01, most cited first',
    { court: 'ca9 ca5', filed_after: '2023-07-01', order_by: 'citeCount desc' },
  ],
  ['ns_fedrules/search', 'proposed rules only, 40 documents', { type: 'PRORULE', per_page: 40 }],
  [
    'ns_drugs/search',
    'medicines of labeler Bayer in form tablet',
    { labeler: 'Bayer', dosage_form: 'TABLET' },
  ],
  [
    'ns_assembler/create_project',
    'a project in 4:5, 24 fps, 4k',
    { format: { aspectRatio: '4:5', fps: 24, resolution: '4k' } },
  ],
  ['ns_flights/flights', 'flights LIS-GRU', { dep_iata: 'LIS', arr_iata: 'GRU' }],
  ['ns_nonprofit/nonprofit_search', 'in Vermont, the second page', { state: 'VT', page: 1 }],
  [
    'ns_rag/search',
    'only nature.com and science.org, without pinterest.com',
    { include_domains: ['nature.com', 'science.org'], exclude_domains: ['pinterest.com'] },
  ],
  ['ns_encyclopedia/search', 'in der deutschen Wikipedia', { lang: 'de' }],
])('%s: %s', (id, text, values) => {
  expect(fill(id, text)).toMatchObject(values)
})

test('a field keeps its limits, and says so', () => {
  const { properties } = { properties: { limit: { type: 'integer', minimum: 1, maximum: 10 } } }
  const [filled] = fillFields({ properties }, readValues('get 50 posts', today))
  expect(filled).toMatchObject({ value: 10, note: expect.stringContaining('not 50') })
})

test('a word is taken by one field alone', () => {
  const filled = fill('ns_signals/acquisitions', 'acquisitions by Salesforce this year, over 100m')
  expect(filled).toEqual({
    acquiring_company: 'Salesforce',
    date_preset: 'this_year',
    amount_min: 100_000_000,
  })
})
