// Unusual streams: with several choices, without an end, or from models that keep breaking off.
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { llmSettings } from '#features/models/llm/routing/settings.ts'
import { OpenAI } from '#oracles/openai.ts'
import type { TestAccount } from '#test/harness.ts'
import {
  chat,
  expectSettled,
  hello,
  type LlmGateway,
  labPrice,
  lastTransaction,
  shareLlmGateway,
  startLlmGateway,
  textOf,
} from '#test/llm-gateway.ts'
import {
  type Behaviour,
  breaksAfter,
  type Exchange,
  type Json,
  late,
  sentence,
  silence,
} from '#test/model-upstream.ts'

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

test('a client that joins two choices receives both in full', async () => {
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

test('the replay of a stream that its caller left is marked as incomplete', async () => {
  const gateway = shared()
  const account = await gateway.account(100)
  gateway.upstream.behave('one', breaksAfter(5, silence))
  const left = new AbortController()
  const headers = { 'idempotency-key': 'left', authorization: `Bearer ${account.key}` }
  const body = { model: 'lab/one', messages: hello, stream: true }
  const reply = await fetch(`${gateway.url}/api/llm/v1/chat/completions`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
    signal: left.signal,
  })
  await reply.body?.getReader().read()
  left.abort()
  await expect.poll(() => gateway.upstream.asked[0]?.abandoned).toBe(true)
  await expect.poll(async () => (await lastTransaction(account)).status).toBe('succeeded')
  const again = await chat(gateway, account, body, { headers })
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  expect(sentence.join('')).toMatch(textOf(again))
  expect(again.done).toBe(false)
  expect(again.events.at(-1)).toMatchObject({ ok: false, error: { code: 'client_closed_request' } })
})

describe('the books', () => {
  const durable = shareLlmGateway({ env: { INFERENCE_DURABLE: 'on' } })
  afterEach(() => durable().database.query('drop function refuse cascade'))

  test.each([false, true])(
    'a call that the books refuse to end is an error, and no stream without end (stream: %s)',
    async (stream) => {
      const gateway = durable()
      const account = await gateway.account(100)
      await gateway.database.query(
        `create function refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$`,
      )
      await gateway.database.query(
        `create trigger refuse before update on call for each row execute function refuse()`,
      )
      const reply = await chat(gateway, account, { model: 'lab/one', stream })
      expect(reply.status).toBe(stream ? 200 : 500)
      expect(reply.body ?? reply.events.at(-1)).toMatchObject({ error: { code: 'upstream_error' } })
      expect(reply.done).toBe(false)
    },
  )
})

const impatient = shareLlmGateway({
  config: {
    timeouts: {
      first_token_ms: 250,
      first_token_last_ms: 10_000,
      thinking_ms: 10_000,
      keep_alive_ms: 20,
    },
    timeouts_by_model: { 'lab/thr*': { first_token_ms: 10_000 } },
    prices: Object.fromEntries(
      ['lab/one', 'lab/two', 'lab/three', 'lab/thinking'].map((slug) => [slug, labPrice]),
    ),
    tiers: {
      cheap: ['lab/one', 'lab/two'],
      mid: ['lab/thinking', 'lab/two'],
      best: ['lab/three', 'lab/two'],
    },
  },
})

test('a stream that a keep-alive opened names its model once it is known', async () => {
  const gateway = impatient()
  const account = await gateway.account(100)
  gateway.upstream.behave('one', silence)
  const { headers, text, trailers } = await askRaw(gateway, account, 'tollway/cheap')
  expect(text).toMatch(/^: keep-alive\n\n/)
  expect(text).toContain(': x-model lab/two, x-attempts 2\n\ndata: ')
  expect(text).not.toContain('lab/one')
  expect([headers['x-model'], headers['x-attempts']]).toEqual([undefined, undefined])
  expect(trailers).toEqual({ 'x-model': 'lab/two', 'x-attempts': '2' })
  expect(headers['x-transaction-id']).toBe((await lastTransaction(account)).transaction_id)
})

test('a stream that falls back after a timeout has its headers with the default settings', async () => {
  const { timeouts } = llmSettings.parse({})
  expect(timeouts.keep_alive_ms).toBeGreaterThan(timeouts.first_token_ms)
  const gateway = await startLlmGateway({ config: { timeouts: { first_token_ms: 250 } } })
  const account = await gateway.account(100)
  gateway.upstream.behave('one', silence)
  const reply = await chat(gateway, account, { model: 'tollway/cheap', stream: true })
  expect([reply.headers.get('x-model'), reply.headers.get('x-attempts')]).toEqual(['lab/two', '2'])
})

test('the last model of a call is named even if a keep-alive opened the stream', async () => {
  const gateway = impatient()
  const account = await gateway.account(100)
  gateway.upstream.behave('one', late(200))
  const reply = await chat(gateway, account, { model: 'lab/one', stream: true })
  expect(reply.text).toMatch(/^: keep-alive\n\n/)
  expect([reply.headers.get('x-model'), reply.headers.get('x-attempts')]).toEqual(['lab/one', '1'])
})

test.each([
  ['its name says so', 'thinking', 'mid', {}],
  ['the caller asks for it', 'one', 'cheap', { reasoning_effort: 'high' }],
  ['the operator says so', 'three', 'best', {}],
])('a model that thinks for long is not given up if %s', async (_why, name, tier, body) => {
  const gateway = impatient()
  const account = await gateway.account(100)
  gateway.upstream.behave(name, late(1_000))
  const reply = await chat(gateway, account, { model: `tollway/${tier}`, stream: true, ...body })
  expect([reply.done, reply.events[0].model]).toEqual([true, `lab/${name}`])
  expect(reply.text.match(/: keep-alive/g)?.length).toBeGreaterThan(1)
  expect(gateway.upstream.asked).toHaveLength(1)
})

/** Reads the trailers, which fetch does not show. */
async function askRaw(gateway: LlmGateway, { key }: TestAccount, model: string) {
  const asked = request(`${gateway.url}/api/llm/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
  })
  asked.end(JSON.stringify({ model, messages: hello, stream: true }))
  const [reply] = (await once(asked, 'response')) as [IncomingMessage]
  let text = ''
  for await (const piece of reply.setEncoding('utf8')) text += piece
  return { headers: reply.headers, text, trailers: reply.trailers }
}
