// All actions of ns_par against a strict server made from the vendor's own OpenAPI document.
import { expect, test } from 'vitest'
import { par } from '#catalog/ns_par/provider.ts'
import { describeContract } from './vendor-contract.ts'
import { readVendorDocument } from './vendor-document.ts'

const vendor = readVendorDocument('ns_par')
const input = 'What are quantum sensors good for?'
const run = {
  run_id: 'trun_1',
  interaction_id: 'trun_1',
  status: 'completed',
  is_active: false,
  processor: 'pro',
  created_at: null,
  modified_at: null,
}
const output = { type: 'text', content: 'For fields.', basis: [] }

describeContract(par, vendor, {
  credential: ['x-api-key', 'test-key'],
  replies: {
    'GET /v1/tasks/runs/{run_id}': [run],
    'GET /v1/tasks/runs/{run_id}/result': [{ run, output }],
  },
  cases: [
    ...[
      { query: input },
      { objective: input },
      { search_queries: ['quantum sensors'] },
      { query: 'sensors', objective: input, search_queries: ['a', 'b'] },
    ].map((asked) => ({
      action: 'search',
      input: asked,
      answer: { results: [{ title: 'Sample webpage title' }] },
    })),
    ...[{ urls: ['example.com'] }, { urls: ['example.com'], objective: input }].map((asked) => ({
      action: 'extract',
      input: asked,
      answer: { results: [{ title: 'Example Title' }] },
    })),
    ...['pro', 'ultra'].map((processor) => ({
      action: 'task',
      input: { input, processor },
      answer: { status: 'queued' },
    })),
    {
      action: 'task-status',
      input: { run_id: 'trun_1' },
      answer: { status: 'completed', output },
    },
  ],
  failures: [
    ['search', 422, 'bad_request'],
    ['extract', 429, 'rate_limited'],
    ['task', 401, 'upstream_error'],
    ['task', 402, 'upstream_error'],
    ['task', 403, 'upstream_error'],
    ['task-status', 404, 'not_found'],
  ],
})

test.runIf(vendor.present)('refuses what this test must be able to catch', () => {
  for (const [address, body] of [
    ['/v1/search', { query: 'tea' }],
    ['/v1/search', { objective: 'tea' }],
    ['/v1/extract', { urls: ['https://example.com/'], formats: [] }],
    ['/v1/tasks/runs', { input: 'tea' }],
  ] as const)
    expect(vendor.objections(vendor.requestSchema(address), body)).not.toEqual([])
})
