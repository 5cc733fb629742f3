import { expect, test } from 'vitest'
import { replayAction } from '#test/run-action.ts'
import { semantic } from './provider.ts'
import { search } from './search.ts'

const sent = async (input: object, body: object) => {
  const { error } = await replayAction(semantic, 'search', {
    exchanges: [
      {
        request: {
          method: 'POST',
          path: '/search',
          query: {},
          headers: { 'x-api-key': 'test-key' },
          body: { query: 'tea', type: 'auto', numResults: 10, ...body },
        },
        reply: { status: 200, body: { results: [] } },
      },
    ],
    input: { query: 'tea', ...input },
  })
  return error
}

test('a day becomes its first or last moment, and moments stay unchanged', async () => {
  expect(
    await sent(
      { start_published_date: '2026-01-01', end_published_date: '2026-01-31' },
      {
        startPublishedDate: '2026-01-01T00:00:00.000Z',
        endPublishedDate: '2026-01-31T23:59:59.999Z',
      },
    ),
  ).toBeUndefined()
  const moment = '2026-01-01T08:00:00+02:00'
  expect(
    await sent({ start_published_date: moment }, { startPublishedDate: moment }),
  ).toBeUndefined()
})

test('research becomes the vendor’s research paper', async () => {
  expect(await sent({ category: 'research' }, { category: 'research paper' })).toBeUndefined()
})

test.each(['people', 'company'])('%s takes no date and no exclude_domains', (category) => {
  for (const filter of [
    { start_published_date: '2026-01-01' },
    { end_published_date: '2026-01-01' },
    { exclude_domains: ['example.org'] },
  ]) {
    const { error } = search.input.safeParse({ query: 'tea', category, ...filter })
    expect(error?.issues).toMatchObject([
      {
        path: Object.keys(filter),
        message: `is not supported with category ${category}: leave it out`,
      },
    ])
  }
  expect(
    search.input.safeParse({ query: 'tea', category, include_domains: ['linkedin.com'] }).success,
  ).toBe(true)
})

test.each([
  { query: '' },
  { query: 'tea', numResults: 101 },
  { query: 'tea', numResults: 0 },
  { query: 'tea', type: 'fast' },
  { query: 'tea', category: 'research paper' },
  { query: 'tea', start_published_date: 'yesterday' },
  { query: 'tea', contents: { text: true, summary: true } },
])('%o is refused', (input) => {
  expect(search.input.safeParse(input).success).toBe(false)
})
