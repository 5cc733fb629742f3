// Both actions of ns_semantic against a strict server made from the vendor's own OpenAPI document.
import { describe, expect, test } from 'vitest'
import { semantic } from '#catalog/ns_semantic/provider.ts'
import type { CallError } from '#core/errors.ts'
import { runAction } from '#test/run-action.ts'
import { readVendorDocument } from './vendor-document.ts'

const { present, document, objections, requestSchema, startVendor } =
  readVendorDocument('ns_semantic')
const credential = ['x-api-key', 'test-key'] as const

const queries = [
  {},
  ...['auto', 'neural', 'keyword', 'deep-lite', 'deep', 'deep-reasoning'].map((type) => ({ type })),
  ...['news', 'research', 'github', 'people', 'company'].map((category) => ({ category })),
  { numResults: 1 },
  { numResults: 100 },
  { contents: { text: true } },
  { contents: { text: false } },
  { contents: {} },
  { start_published_date: '2026-01-01', end_published_date: '2026-01-31' },
  { start_published_date: '2026-01-01T00:00:00Z', end_published_date: '2026-01-31T23:59:59+01:00' },
  { include_domains: ['arxiv.org', 'paperswithcode.com'] },
  { exclude_domains: ['example.org'], category: 'news' },
].map((input) => ({ query: 'large language models', ...input }))

const reads = [
  { urls: ['https://arxiv.org/abs/2307.06435'], text: true },
  { urls: ['https://arxiv.org/abs/2307.06435'], highlights: true },
  { urls: ['https://arxiv.org/abs/2307.06435'], summary: true },
  { ids: ['https://arxiv.org/abs/2307.06435'], text: true, highlights: true, summary: true },
  {
    urls: ['https://arxiv.org/abs/2307.06435'],
    ids: ['https://arxiv.org/abs/2303.17580'],
    text: true,
  },
  { urls: ['https://arxiv.org/abs/2307.06435'], text: false, highlights: false, summary: true },
]

const cases = [
  ...queries.map((input) => ({ action: 'search', input })),
  ...reads.map((input) => ({ action: 'contents', input })),
]

describe.skipIf(!present)('the vendor’s own document', () => {
  // Its 1.2.0 lacks two types that the vendor's SDK has; where our copy lacks them too, they are laid over it.
  const types = document.paths && requestSchema('/search').allOf[0].properties.type.enum
  for (const type of ['keyword', 'deep-lite']) if (types?.includes(type) === false) types.push(type)

  test.each(cases)(
    'accepts what $action sends for $input, and its reply is understood',
    async ({ action, input }) => {
      const { baseUrl, problems, bodies } = await startVendor({ credential })
      const output = await runAction(semantic, action, { baseUrl, input })
      expect(problems).toEqual([])
      expect(bodies).toHaveLength(1)
      expect(output.results).toHaveLength(1)
      expect(output.results[0]).toMatchObject({
        id: 'https://arxiv.org/abs/2307.06435',
        title: 'A Comprehensive Overview of Large Language Models',
      })
      expect(semantic.actions.find(({ name }) => name === action)?.costUsd?.(output, input)).toBe(
        0.005,
      )
      if (action === 'contents')
        expect(output.statuses).toMatchObject([{ id: 'https://example.com', status: 'success' }])
    },
  )

  test.each([
    [400, 'bad_request'],
    [401, 'upstream_error'],
    [402, 'upstream_error'],
    [429, 'rate_limited'],
    [500, 'upstream_error'],
  ])('its failure %i is %s to our caller, in our words', async (status, code) => {
    for (const { action, input } of [cases[0], cases.at(-1)] as typeof cases) {
      const { baseUrl } = await startVendor({ credential, status })
      const error: CallError = await runAction(semantic, action, { baseUrl, input }).catch(
        (thrown) => thrown,
      )
      expect(error.code).toBe(code)
      expect(error.message).not.toMatch(/INVALID|CREDITS|API_KEY|INTERNAL/)
    }
  })

  test('refuses what this test must be able to catch', () => {
    for (const body of [
      { query: 'tea', unknown: 1 },
      { query: 'tea', category: 'research' },
      { query: 'tea', startPublishedDate: '2026-01-01' },
      { query: 'tea', contents: { texts: true } },
      { query: 'tea', contents: { text: { maxChars: 1 } } },
      { query: 'tea', numResults: 101 },
      {},
    ]) {
      expect(objections(requestSchema('/search'), body), JSON.stringify(body)).not.toEqual([])
    }
  })
})
