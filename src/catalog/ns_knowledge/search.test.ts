import { expect, test } from 'vitest'
import { replayAction } from '../../../test/run-action.ts'
import { knowledge } from './provider.ts'

test('a language that Wikidata does not know is the caller’s to mend', async () => {
  const { error } = await replayAction(knowledge, 'search', {
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
        reply: {
          status: 200,
          body: {
            error: { code: 'badvalue', info: 'Unrecognized value for parameter "language".' },
          },
        },
      },
    ],
    input: { q: 'Mercury', lang: 'xx-none' },
  })
  expect(error).toMatchObject({
    code: 'bad_request',
    message: expect.stringMatching(/language/),
  })
})
