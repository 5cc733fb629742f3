import { expect, test } from 'vitest'
import { replayAction } from '#test/run-action.ts'
import { renderA } from './provider.ts'

const row = { url: 'https://example.com/', title: 'Example' }

test.each([
  ['the vendor', { web: [row] }, [row]],
  ['a server of its first version', [row], [row]],
  ['a server that has found nothing', {}, []],
])('%s is read', async (_who, data, results) => {
  const { output } = await replayAction(renderA, 'search', {
    exchanges: [
      {
        request: { method: 'POST', path: '/search', query: {}, body: { query: 'tea', limit: 10 } },
        reply: { status: 200, body: { success: true, data } },
      },
    ],
    input: { query: 'tea' },
  })
  expect(output).toEqual({ results })
})
