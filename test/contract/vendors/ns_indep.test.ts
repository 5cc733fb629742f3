// Both actions of ns_indep against a strict server made from an OpenAPI document of the vendor's search.
import { expect, test } from 'vitest'
import { indep } from '#catalog/ns_indep/provider.ts'
import { describeContract } from './vendor-contract.ts'
import { readVendorDocument } from './vendor-document.ts'

const vendor = readVendorDocument('ns_indep')
const page = { url: 'https://example.org/', title: 'Tea', description: 'Of tea.' }
const shared = [
  {},
  { count: 1, offset: 9, country: 'us', search_lang: 'en' },
  { freshness: 'pd', extra_snippets: true },
  { freshness: '2026-01-01to2026-01-31' },
]

describeContract(indep, vendor, {
  credential: ['x-subscription-token', 'test-key'],
  replies: { 'GET /web/search': [{ type: 'search', web: { results: [page] } }] },
  cases: [
    ...[...shared, { count: 20, result_filter: 'web, news' }].map((input) => ({
      action: 'search',
      input: { q: 'tea', ...input },
      answer: { web: { results: [page] } },
    })),
    ...[...shared, { count: 50 }].map((input) => ({
      action: 'news',
      input: { q: 'tea', ...input },
      answer: { results: [{ title: 'text', age: 'text', breaking: false }] },
    })),
  ],
  failures: [
    ['search', 400, 'bad_request'],
    ['search', 401, 'upstream_error'],
    ['search', 422, 'bad_request'],
    ['news', 403, 'upstream_error'],
    ['news', 429, 'rate_limited'],
  ],
})

test.runIf(vendor.present)('refuses what this test must be able to catch', () => {
  const { parameters } = vendor.document.paths['/web/search'].get
  const refused = (query: object) =>
    vendor.queryObjections(parameters, new URLSearchParams({ ...query }))
  expect(refused({ q: 'tea' })).toEqual([])
  for (const query of [
    {},
    { q: 'tea', query: 'x' },
    { q: 'tea', count: '21' },
    { q: 't', offset: '10' },
  ])
    expect(refused(query), JSON.stringify(query)).not.toEqual([])
})
