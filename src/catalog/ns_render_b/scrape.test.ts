import { expect, test } from 'vitest'
import { replayAction } from '#test/run-action.ts'
import { renderB } from './provider.ts'
import { scrape } from './scrape.ts'

const url = 'https://example.com/'
const send = (input: object, body: object) =>
  replayAction(renderB, 'scrape', {
    exchanges: [
      {
        request: {
          method: 'POST',
          path: '/v1/scrape',
          query: {},
          body: { url, formats: ['markdown'], ...body },
        },
        reply: { status: 200, body: { success: true, warning: 'Thin.', data: { markdown: 'Hi' } } },
      },
    ],
    input: { url, ...input },
  })

test.each<[object, object]>([
  [{}, {}],
  [{ url: 'example.com#top' }, {}],
  [{ renderJs: null }, { renderJs: null }],
  [
    { renderJs: true, stealth: true, country: 'DE', onlyMainContent: false },
    { renderJs: true, stealth: true, country: 'de', onlyMainContent: false },
  ],
  [{ waitFor: 2_000 }, { waitFor: 2_000, deadlineMs: 22_000 }],
  [{ waitFor: 60_000 }, { waitFor: 60_000, deadlineMs: 60_000 }],
  [
    { jsonSchema: { type: 'object' } },
    {
      jsonSchema: { type: 'object' },
      formats: ['markdown', 'json'],
    },
  ],
  [
    { formats: ['json'], jsonSchema: {} },
    { formats: ['json'], jsonSchema: {} },
  ],
])('%o becomes %o', async (input, body) => {
  const { output, error } = await send(input, body)
  expect(error).toBeUndefined()
  expect(output).toEqual({ markdown: 'Hi', warning: 'Thin.' })
})

test('the format json needs a schema', () => {
  expect(scrape.input.safeParse({ url, formats: ['json'] }).error?.issues).toMatchObject([
    { message: 'The format json needs jsonSchema' },
  ])
})

test('a reply without a page is a failure', async () => {
  const { error } = await replayAction(renderB, 'scrape', {
    exchanges: [
      {
        request: {
          method: 'POST',
          path: '/v1/scrape',
          query: {},
          body: { url, formats: ['markdown'] },
        },
        reply: { status: 200, body: { success: true } },
      },
    ],
    input: { url },
  })
  expect(error?.code).toBe('upstream_error')
})
