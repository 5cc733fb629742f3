// A chat in the common format: its request, its answer and its cost.
import { expect, test } from 'vitest'
import {
  chat,
  expectSettled,
  hello,
  lastTransaction,
  shareLlmGateway,
  textOf,
} from '#test/llm-gateway.ts'
import { sentence } from '#test/model-upstream.ts'

const shared = shareLlmGateway()

test.each(['lab/one', 'claude/one'])('%s answers, and its tokens are charged', async (model) => {
  const gateway = shared()
  const account = await gateway.account(100)
  const reply = await chat(gateway, account, { model })
  expect(reply.status).toBe(200)
  expect(reply.body).toMatchObject({
    object: 'chat.completion',
    model,
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant' } }],
    usage: { prompt_tokens: 100, completion_tokens: 50, total_tokens: 150, cost: 0.0003 },
  })
  expect(textOf(reply)).toBe(sentence.join(''))
  expect(reply.headers.get('x-model')).toBe(model)
  expect(reply.headers.get('x-attempts')).toBe('1')
  expect(reply.headers.get('ratelimit-limit')).toBe('100000')
  await expectSettled(gateway, account, 300)
  expect(await lastTransaction(account)).toMatchObject({
    transaction_id: reply.headers.get('x-transaction-id'),
    action: 'llm/chat',
    inference: {
      requested: model,
      model,
      prompt_tokens: 100,
      completion_tokens: 50,
      estimated: false,
      prices: expect.any(String),
      latency_ms: expect.any(Number),
    },
    timeline: [{ event: 'hold' }, { event: 'hop', ok: true, action: model }, { event: 'settle' }],
  })
})

test.each(['lab/one', 'claude/one'])('%s streams, and costs the same', async (model) => {
  const gateway = shared()
  const account = await gateway.account(100)
  const reply = await chat(gateway, account, { model, stream: true })
  expect(reply.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(textOf(reply)).toBe(sentence.join(''))
  expect(reply.done).toBe(true)
  expect(new Set(reply.events.map((event) => event.model))).toEqual(new Set([model]))
  expect(reply.events.some((event) => 'usage' in event)).toBe(false)
  await expectSettled(gateway, account, 300)
  expect((await lastTransaction(account)).inference).toMatchObject({
    stream: true,
    first_token_ms: expect.any(Number),
  })
})

test('the usage comes last if it is requested', async () => {
  const gateway = shared()
  const account = await gateway.account(100)
  const { events } = await chat(gateway, account, {
    model: 'lab/one',
    stream: true,
    stream_options: { include_usage: true },
  })
  expect(events.at(-1)).toMatchObject({
    id: 'chatcmpl-1',
    choices: [],
    usage: {
      prompt_tokens: 100,
      completion_tokens: 50,
      cost: 0.0003,
      completion_tokens_details: { reasoning_tokens: 7 },
    },
  })
  expect(events.filter((event) => 'usage' in event)).toHaveLength(1)
})

test('unknown fields are dropped, and known ones are passed on', async () => {
  const gateway = shared()
  const account = await gateway.account(100)
  await chat(gateway, account, {
    model: 'lab/one',
    seed: 7,
    temperature: 0.5,
    user: 'u',
    metadata: { a: '1' },
    store: true,
    session_id: 'x',
    max_cost_cents: 5,
    messages: hello,
  })
  expect(gateway.upstream.asked[0]?.body).toEqual({
    model: 'one',
    max_tokens: 4096,
    messages: hello,
    seed: 7,
    temperature: 0.5,
    user: 'u',
  })
})

test('a tier answers by its first model', async () => {
  const gateway = shared()
  const account = await gateway.account(100)
  const reply = await chat(gateway, account, { model: 'tollway/best' })
  expect(reply.body.model).toBe('claude/one')
})

test('the transaction and the price of a chat can be read as soon as it is answered, also under load', async () => {
  const gateway = shared()
  const account = await gateway.account(100)
  for (let call = 1; call <= 12; call += 1) {
    const reply = await chat(gateway, account, { model: 'lab/one', stream: call % 2 === 0 })
    const id = reply.headers.get('x-transaction-id')
    const found = await account.get(`/api/v1/transactions/${id}`)
    expect(found.body).toMatchObject({ status: 'succeeded', charged_usd: '0.000300' })
    if (call % 4 === 0) {
      const seen = await account.get('/api/v1/account')
      expect(seen.body).toMatchObject({ held_usd: '0.000000', calls_in_flight: 0 })
      expect(seen.body.balance_usd).toBe((1 - call * 0.0003).toFixed(6))
    }
  }
})
