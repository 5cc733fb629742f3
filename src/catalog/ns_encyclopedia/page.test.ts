import { expect, test } from 'vitest'
import { replayAction } from '#test/run-action.ts'
import { encyclopedia } from './provider.ts'

const ask = (
  title: string,
  reply: { status: number; body?: unknown; headers?: Record<string, string> },
  lang = 'en',
) =>
  replayAction(encyclopedia, 'page', {
    exchanges: [
      {
        request: {
          method: 'GET',
          host: { lang },
          path: '/w/api.php',
          query: {
            action: 'query',
            format: 'json',
            prop: 'extracts',
            explaintext: '1',
            redirects: '1',
            titles: title,
          },
        },
        reply,
      },
    ],
    input: { title, lang },
  })

test('a redirect is followed and reported', async () => {
  const { output } = await ask('Menlo Park, New Jersey', {
    status: 200,
    body: {
      query: {
        redirects: [{ from: 'Menlo Park, New Jersey', to: 'Edison, New Jersey' }],
        pages: {
          125414: { pageid: 125414, ns: 0, title: 'Edison, New Jersey', extract: 'Edison is' },
        },
      },
    },
  })
  expect(output).toMatchObject({
    title: 'Edison, New Jersey',
    redirected_from: 'Menlo Park, New Jersey',
    url: 'https://en.wikipedia.org/wiki/Edison%2C_New_Jersey',
  })
})

test.each([
  ['missing', { pages: { '-1': { ns: 0, title: 'Purpleberry', missing: '' } } }],
  ['impossible', { pages: { '-1': { title: 'Purpleberry', invalidreason: 'x', invalid: '' } } }],
  ['of another wiki', { interwiki: [{ title: 'Purpleberry', iw: 'fr' }] }],
])('a page that is %s is not found', async (_name, query) => {
  const { error } = await ask('Purpleberry', { status: 200, body: { query } })
  expect(error).toMatchObject({
    code: 'not_found',
    message: expect.stringContaining('no page "Purpleberry"'),
  })
})

test('an edition that does not exist is the caller’s mistake', async () => {
  const { error } = await ask(
    'Tea',
    { status: 301, headers: { location: 'https://incubator.wikimedia.org/' }, body: null },
    'qq',
  )
  expect(error).toMatchObject({
    code: 'bad_request',
    message: 'There is no Wikipedia with the language code "qq".',
  })
})

test.each([
  ['maxlag', 'rate_limited'],
  ['internal_api_error_DBQueryError', 'upstream_error'],
])('the error %s, told with status 200, is %s', async (code, expected) => {
  const { error } = await ask('Tea', {
    status: 200,
    body: { error: { code, info: 'vendor text' } },
  })
  expect(error?.code).toBe(expected)
  expect(error?.message).not.toContain('vendor text')
})

test.each([
  { lang: 'EN' },
  { lang: 'en.evil.org/' },
  { lang: '..' },
  { title: 'A|B' },
  { title: ' ' },
])('%o is refused', async (input) => {
  const { error } = await replayAction(encyclopedia, 'page', {
    exchanges: [],
    input: { title: 'Tea', ...input },
  })
  expect(error?.name).toBe('ZodError')
})
