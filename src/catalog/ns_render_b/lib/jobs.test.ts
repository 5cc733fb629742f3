import { expect, test } from 'vitest'
import { replayAction } from '#test/run-action.ts'
import { renderB } from '../provider.ts'

const id = '3f2a1b4c-8e9d-4f7a-b6c5-2d1e0f9a8b7c'
const poll = (action: string, path: string, reply: { status: number; body: unknown }) =>
  replayAction(renderB, action, {
    exchanges: [{ request: { method: 'GET', path, query: {} }, reply }],
    input: { id },
  })

test('the pages of a crawl are read with and without an envelope', async () => {
  const page = { markdown: '# Hi', metadata: { statusCode: 200 } }
  const { output } = await poll('crawl_status', `/v1/crawl/${id}`, {
    status: 200,
    body: {
      success: true,
      status: 'completed',
      total: 2,
      completed: 2,
      data: [{ success: true, data: page }, page],
    },
  })
  expect(output).toEqual({ id, status: 'completed', total: 2, completed: 2, data: [page, page] })
})

test.each([
  ['crawl_status', `/v1/crawl/${id}`, { total: 0, completed: 0, data: [] }],
  [
    'extract_status',
    `/v1/extract/${id}`,
    { results: [{ url: 'https://a.example/', status: 'failed' }] },
  ],
])('%s: a job that failed is an answer', async (action, path, state) => {
  const { output } = await poll(action, path, {
    status: 200,
    body: { success: false, status: 'failed', error: 'Every page failed.', ...state },
  })
  expect(output).toEqual({ id, status: 'failed', error: 'Every page failed.', ...state })
})

test.each([
  ['crawl_status', `/v1/crawl/${id}`],
  ['extract_status', `/v1/extract/${id}`],
])('%s: a job that is not there is not found', async (action, path) => {
  const { error } = await poll(action, path, {
    status: 404,
    body: { success: false, error: 'Job not found', errorCode: 'not_found' },
  })
  expect(error).toMatchObject({
    code: 'not_found',
    message: 'There is no job with this id, or it was forgotten. Nothing was charged.',
  })
})
