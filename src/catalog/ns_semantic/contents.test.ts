import { expect, test } from 'vitest'
import { quotePrice } from '#core/price.ts'
import { replayAction } from '#test/run-action.ts'
import { contents } from './contents.ts'
import { semantic } from './provider.ts'

const urls = (count: number) =>
  Array.from({ length: count }, (_, page) => `https://example.org/${page}`)
const all = { text: true, highlights: true, summary: true }

test.each([
  [{ urls: urls(1), text: true }, 1],
  [{ urls: urls(3), ...all }, 1],
  [{ urls: urls(10), text: true }, 1],
  [{ urls: urls(11), text: true }, 2],
  [{ urls: urls(6), text: true, summary: true }, 2],
  [{ urls: urls(6), text: true, summary: false }, 1],
  [{ urls: urls(5), ids: urls(5), text: true, highlights: true }, 2],
  [{ ids: urls(100), ...all }, 30],
])('%# a tenth of a cent per target and field, in whole cents: %o', (input, cents) => {
  expect(quotePrice(contents.price, contents.input.parse(input)).micros).toBe(cents * 10_000)
})

test.each([
  { text: true },
  { urls: [], ids: [], text: true },
  { urls: urls(1) },
  { urls: urls(1), text: false },
  { urls: urls(101), text: true },
  { urls: urls(60), ids: urls(60), text: true },
  { urls: [''], text: true },
])('%# needs a target, a field, and no more than 100 targets', (input) => {
  expect(contents.input.safeParse(input).success).toBe(false)
})

test('a page that is not in the index is listed in statuses, and the true cost is known', async () => {
  const failed = {
    id: 'https://example.org/0',
    status: 'error',
    error: { tag: 'CRAWL_NOT_FOUND', httpStatusCode: 404 },
  }
  const { output } = await replayAction(semantic, 'contents', {
    exchanges: [
      {
        request: {
          method: 'POST',
          path: '/contents',
          query: {},
          body: { urls: urls(1), highlights: true, summary: {}, livecrawl: 'never' },
        },
        reply: {
          status: 200,
          body: { results: [], statuses: [failed], costDollars: { total: 0.002 } },
        },
      },
    ],
    input: { ids: urls(1), highlights: true, summary: true },
  })
  expect(output).toMatchObject({ results: [], statuses: [failed] })
  expect(contents.costUsd?.(output, {})).toBe(0.002)
})
