import { expect, test } from 'vitest'
import { replayAction } from '#test/run-action.ts'
import { archive } from '../provider.ts'

const read = (reply: { status: number; text: string; headers?: Record<string, string> }) =>
  replayAction(archive, 'fetch', {
    exchanges: [
      {
        request: {
          method: 'GET',
          host: { host: 'web.archive.org' },
          path: '/web/20200101000000id_/https://example.com/',
          query: {},
        },
        reply,
      },
    ],
    input: { url: 'example.com', timestamp: '20200101000000' },
  })

test.each([403, 429, 451, 502, 503, 520])(
  'a page that answered %i then is a capture all the same',
  async (status) => {
    const headers = { 'memento-datetime': 'Wed, 01 Jan 2020 00:00:00 GMT' }
    const { output } = await read({ status, text: 'As it was', headers })
    expect(output).toMatchObject({ status, content: 'As it was' })
  },
)

test.each([500, 503])(
  'an archive that answers %i itself is down, and says nothing of the page',
  async (status) => {
    const { error } = await read({ status, text: 'Service unavailable' })
    expect(error).toMatchObject({ code: 'upstream_error' })
  },
)
