import { expect, test } from 'vitest'
import { replayAction } from '#test/run-action.ts'
import { knowledge } from './provider.ts'

const failing = (code: string) =>
  replayAction(knowledge, 'search', {
    exchanges: [
      {
        request: {
          method: 'GET',
          host: { host: 'www.wikidata.org' },
          path: '/w/api.php',
          query: {
            action: 'wbsearchentities',
            format: 'json',
            search: 'Mercury',
            language: 'xx-none',
            uselang: 'xx-none',
            type: 'item',
            limit: '10',
          },
        },
        reply: { status: 200, body: { error: { code, info: 'In its own words.' } } },
      },
    ],
    input: { q: 'Mercury', lang: 'xx-none' },
  })

test('a language that Wikidata does not know is the caller’s mistake', async () => {
  const { error } = await failing('badvalue')
  expect(error).toMatchObject({
    code: 'bad_request',
    message: expect.stringMatching(/language/),
  })
})

test('a failure in the body is not reported as a late answer', async () => {
  const { error } = await failing('internal_api_error_DBQueryError')
  expect(error).toMatchObject({
    code: 'upstream_error',
    message: expect.not.stringMatching(/in time/),
  })
})
