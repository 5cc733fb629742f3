import { expect, test } from 'vitest'
import { replayAction } from '#test/run-action.ts'
import { press } from '../provider.ts'

const news = (text: string) =>
  replayAction(press, 'news', {
    exchanges: [
      {
        request: {
          method: 'GET',
          path: '/api/v2/doc/doc',
          query: { query: 'tea', mode: 'artlist', format: 'json', maxrecords: '75' },
        },
        reply: { status: 200, text },
      },
    ],
    input: { query: 'tea' },
  })

test('an answer with invalid JSON in one headline is readable', async () => {
  const { output } = await news(
    String.raw`{"articles": [{"url": "https:\/\/a.example/1", "title": "It\'s tea \"time\" \\ caf\u00e9"}, ` +
      '{"url": "https://a.example/2", "title": "Two\u0002 and\tthree"}]}\r\n',
  )
  expect(output).toMatchObject({
    count: 2,
    articles: [
      { url: 'https://a.example/1', title: String.raw`It's tea "time" \ café` },
      { url: 'https://a.example/2', title: 'Two  and three' },
    ],
  })
})

test.each(['', '{}'])('no article is an empty list: %j', async (text) => {
  expect((await news(text)).output).toMatchObject({ count: 0, articles: [] })
})

test('a truncated answer is a failure', async () => {
  const { error } = await news('{"articles": [{"url": "https://a.example/1", "title": "Te')
  expect(error).toMatchObject({ code: 'upstream_error' })
})
