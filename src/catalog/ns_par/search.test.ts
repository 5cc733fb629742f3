import { expect, test } from 'vitest'
import { replayAction } from '#test/run-action.ts'
import { par } from './provider.ts'

test.each(['query', 'search'])('%s carries the search terms', async (name) => {
  const wanted = 'when was the United Nations founded?'
  const { output, error } = await replayAction(par, 'search', {
    exchanges: [
      {
        request: {
          method: 'POST',
          path: '/v1/search',
          query: {},
          body: { objective: wanted, search_queries: [wanted] },
        },
        reply: { status: 200, body: { search_id: 's', results: [] } },
      },
    ],
    input: { [name]: wanted },
  })
  expect([output, error]).toEqual([{ search_id: 's', results: [] }, undefined])
})

test.each([{}, { query: 'tea', search: 'tea' }])('%o is refused', async (input) => {
  const { error } = await replayAction(par, 'search', { exchanges: [], input })
  expect(error?.name).toBe('ZodError')
})
