// Both actions of ns_rag against a strict server made from the pages of the vendor's API reference.
import { expect, test } from 'vitest'
import { rag } from '#catalog/ns_rag/provider.ts'
import { describeContract } from './vendor-contract.ts'
import { readVendorDocument } from './vendor-document.ts'

const vendor = readVendorDocument('ns_rag')
const countries = ['fr', 'US', 'France', 'cz', 'TR', 'ba', 'mm', 'tt', 'cg', 'gb', 'de', 'jp', 'br']
const url = 'https://en.wikipedia.org/wiki/Artificial_intelligence'

describeContract(rag, vendor, {
  credential: ['authorization', 'Bearer test-key'],
  cases: [
    ...[
      {},
      { max_results: 20, include_answer: true, include_raw_content: 'markdown' },
      ...['general', 'news', 'finance'].map((topic) => ({ topic })),
      ...['day', 'week', 'month', 'year'].map((time_range) => ({ time_range })),
      { include_domains: ['example.org'], exclude_domains: ['example.com'] },
      ...countries.map((country) => ({ country })),
    ].map((input) => ({
      action: 'search',
      input: { query: 'tea', ...input },
      answer: { results: [{ title: 'Lionel Messi Facts | Britannica' }] },
    })),
    ...[{ urls: [url] }, { urls: [url, 'example.com', 'example.org'], format: 'text' }].map(
      (input) => ({ action: 'extract', input, answer: { results: [{ url }] } }),
    ),
  ],
  failures: [
    ['search', 400, 'bad_request'],
    ['search', 401, 'upstream_error'],
    ['search', 429, 'rate_limited'],
    ['search', 432, 'upstream_error'],
    ['extract', 433, 'upstream_error'],
    ['extract', 500, 'upstream_error'],
  ],
})

test.runIf(vendor.present)('refuses what this test must be able to catch', () => {
  const schema = vendor.requestSchema('/search')
  expect(vendor.objections(schema, { query: 'tea' })).toEqual([])
  for (const body of [
    { query: 'tea', country: 'fr' },
    { query: 'tea', numResults: 3 },
    { query: 'tea', max_results: 21 },
    { query: 'tea', topic: 'sports' },
    {},
  ])
    expect(vendor.objections(schema, body), JSON.stringify(body)).not.toEqual([])
})
