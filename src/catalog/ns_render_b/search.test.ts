import { expect, test } from 'vitest'
import { replayAction } from '#test/run-action.ts'
import { renderB } from './provider.ts'

const page = { url: 'https://example.com/', title: 'Example' }
const picture = { ...page, imageUrl: 'https://example.com/a.png' }

const search = (input: object, data: unknown) =>
  replayAction(renderB, 'search', {
    exchanges: [
      {
        request: {
          method: 'POST',
          path: '/v1/search',
          query: {},
          body: { query: 'tea', limit: 5, ...input },
        },
        reply: { status: 200, body: { success: true, data } },
      },
    ],
    input: { query: 'tea', ...input },
  })

test.each([
  ['a list', [page]],
  ['a list one level deeper', { results: [page], answer: null }],
  ['a group', { web: [page] }],
  ['a group one level deeper', { results: { web: [page] } }],
])('%s is a list of results that name their source', async (_shape, data) => {
  const { output } = await search({}, data)
  expect(output).toEqual({ results: [{ ...page, source: 'web' }] })
})

test('result groups are joined, and every parameter is passed on unchanged', async () => {
  const { output } = await search(
    {
      sources: ['web', 'images'],
      tbs: 'qdr:w',
      scrapeOptions: { formats: ['markdown', 'links'], onlyMainContent: false },
    },
    { web: [page], images: [picture] },
  )
  expect(output.results).toEqual([
    { ...page, source: 'web' },
    { ...picture, source: 'images' },
  ])
})

test('an empty list is an answer, and a missing list is a failure', async () => {
  expect((await search({}, [])).output).toEqual({ results: [] })
  expect((await search({}, undefined)).error?.code).toBe('upstream_error')
})
