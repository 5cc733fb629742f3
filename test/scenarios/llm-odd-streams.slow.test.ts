// Streams that are nearly as they should be: of several choices, without an end, of models that break off again and again.
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { chat, expectSettled, hello, shareLlmGateway } from '../llm-gateway.ts'
import type { Behaviour, Exchange, Json } from '../model-upstream.ts'

const shared = shareLlmGateway()

const chunk = (choices: Json[], more: Json = {}) =>
  `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm', choices, ...more })}\n\n`
const says = (index: number, content: string) =>
  chunk([{ index, delta: { role: 'assistant', content }, finish_reason: null }])
const ends = (index: number, reason = 'stop') =>
  chunk([{ index, delta: {}, finish_reason: reason }])
const usage = chunk([], { usage: { prompt_tokens: 100, completion_tokens: 50 } })
const sends =
  (...events: string[]): Behaviour =>
  (it: Exchange) => {
    it.openStream()
    it.response.end(events.join(''))
  }

test('of two choices both arrive whole at a client that puts them together', async () => {
  const gateway = shared()
  const account = await gateway.account(100)
  gateway.upstream.behave(
    'one',
    sends(
      says(0, 'a'),
      says(1, 'b'),
      ends(0),
      says(1, 'c'),
      ends(1, 'length'),
      usage,
      'data: [DONE]\n\n',
    ),
  )
  const openai = new OpenAI({
    baseURL: `${gateway.url}/api/llm/v1`,
    apiKey: account.key,
    maxRetries: 0,
  })
  const { choices } = await openai.chat.completions
    .stream({ model: 'lab/one', messages: hello as never, n: 2 })
    .finalChatCompletion()
  expect(choices.map(({ message, finish_reason }) => [message.content, finish_reason])).toEqual([
    ['a', 'stop'],
    ['bc', 'length'],
  ])
  await expectSettled(gateway, account, 300)
})

test.each([
  ['one of two choices did not end', [says(0, 'a'), says(1, 'b'), ends(0)]],
  ['[DONE] comes without an end', [says(0, 'a'), 'data: [DONE]\n\n']],
])('a stream broke off if %s', async (_name, events) => {
  const gateway = shared()
  const account = await gateway.account(100)
  gateway.upstream.behave('one', sends(...events))
  const reply = await chat(gateway, account, { model: 'lab/one', stream: true, n: 2 })
  expect(reply.events.at(-1)).toMatchObject({ ok: false, error: { code: 'upstream_error' } })
  expect(reply.done).toBe(false)
  await expectSettled(gateway, account, 0)
})
