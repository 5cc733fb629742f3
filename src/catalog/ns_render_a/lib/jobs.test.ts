import { expect, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { replayAction } from '#test/run-action.ts'
import { renderA } from '../provider.ts'

const url = 'https://example.com/'
const clock = { ...systemClock, sleep: async () => {} }
const page = (markdown: string) => ({ markdown, metadata: { statusCode: 200 } })
const post = (path: string, body: object, reply: object = { success: true, id: 'job' }) => ({
  request: { method: 'POST', path, query: {}, body },
  reply: { status: 200, body: reply },
})
const get = (path: string, body: object, status = 200, query = {}) => ({
  request: { method: 'GET', path, query },
  reply: { status, body },
})
const launch = post('/crawl', { url, limit: 10 })
const run = (
  action: string,
  input: object,
  exchanges: Parameters<typeof replayAction>[2]['exchanges'],
) => replayAction(renderA, action, { exchanges, input, clock })

test('the parts of a crawl are joined into one answer', async () => {
  const next = 'https://api.firecrawl.dev/v2/crawl/job?skip=1'
  const { output } = await run('crawl', { url }, [
    launch,
    get('/crawl/job', { status: 'completed', total: 2, completed: 2, data: [page('a')], next }),
    get('/crawl/job', { status: 'completed', data: [page('b')], next: null }, 200, { skip: '1' }),
  ])
  expect(output).toEqual({
    id: 'job',
    status: 'completed',
    total: 2,
    completed: 2,
    data: [page('a'), page('b')],
  })
})

test('a failed poll does not end a crawl; three in a row do', async () => {
  const broken = get('/crawl/job', { error: 'x' }, 500)
  const done = get('/crawl/job', { status: 'completed', data: [page('a')] })
  expect((await run('crawl', { url }, [launch, broken, broken, done])).output).toMatchObject({
    status: 'completed',
  })
  const { error } = await run('crawl', { url }, [launch, broken, broken, broken])
  expect(error?.code).toBe('upstream_error')
})

test.each([
  { status: 'failed', data: [page('a')] },
  { status: 'completed', data: [] },
])('%o is a failure, not a crawl', async (job) => {
  const { error } = await run('crawl', { url }, [launch, get('/crawl/job', job)])
  expect(error).toMatchObject({ code: 'upstream_error' })
  expect(error?.message).toContain('has read no page')
})

test('a job without an id is a failure', async () => {
  const { error } = await run('crawl', { url }, [
    post('/crawl', { url, limit: 10 }, { success: true }),
  ])
  expect(error?.code).toBe('upstream_error')
})

test.each(['failed', 'cancelled'])('an extraction that is %s is a failure', async (status) => {
  const { error } = await run('extract', { urls: [url], prompt: 'Title' }, [
    post('/extract', { urls: [url], prompt: 'Title' }),
    get('/extract/job', { success: true, status, data: {} }),
  ])
  expect(error).toMatchObject({ code: 'upstream_error' })
})

test('bare addresses and lists from a server of the first version are understood', async () => {
  const map = await run('map', { url }, [
    post('/map', { url, timeout: 60_000 }, { success: true, links: [url] }),
  ])
  expect(map.output).toEqual({ links: [{ url }] })
  const search = await run('search', { query: 'tea' }, [
    post('/search', { query: 'tea', limit: 10 }, { success: true, data: [{ url }] }),
  ])
  expect(search.output).toEqual({ results: [{ url }] })
})
