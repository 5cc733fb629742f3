// What chats cost the operator beyond their charge counts for the cap of the day, also where no count of tokens says
// it.
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { verify } from '#test/harness.ts'
import {
  chat,
  expectSettled,
  hello,
  labPrice,
  lastTransaction,
  shareLlmGateway,
  shortTimeouts,
  startLlmGateway,
} from '#test/llm-gateway.ts'
import { silence } from '#test/model-upstream.ts'
import { until } from '#test/until.ts'

const shared = shareLlmGateway({ env: { UNCHARGED_DAY_CENTS_MAX: '100' } })

async function start(gateway = shared()) {
  const account = await gateway.account(1_000)
  const counted = async () => {
    const [row] = await gateway.database.query<{ micros: number }>(
      'select coalesce(sum(micros), 0)::bigint as micros from uncharged_day where account_id = $1',
      [account.id],
    )
    return row?.micros ?? 0
  }
  return { gateway, account, counted }
}

/** Prompts of all surfaces are shorter than this. */
const promptMicrosMax = 50
const tokensMax = 1_000
const waitMs = 500
/** Of the tokens that a model which was never measured writes in that time. */
const writtenMicros = (100 * waitMs * labPrice.completion) / 1_000

test.for<[string, object, Record<string, string>]>([
  ['chat/completions', { messages: hello, max_tokens: tokensMax }, {}],
  ['chat/completions', { messages: hello, max_tokens: tokensMax, stream: true }, {}],
  [
    'chat/completions',
    { messages: hello, max_tokens: tokensMax },
    { 'idempotency-key': 'left-early' },
  ],
  ['messages', { messages: hello, max_tokens: tokensMax }, {}],
  ['messages', { messages: hello, max_tokens: tokensMax, stream: true }, {}],
  ['responses', { input: 'Hello', max_output_tokens: tokensMax }, {}],
  ['responses', { input: 'Hello', max_output_tokens: tokensMax, stream: true }, {}],
])(
  'a caller that leaves %s %o before the first content pays nothing, and what the model has written by then counts',
  async ([path, body, headers]) => {
    const { gateway, account, counted } = await start()
    const asked = Promise.withResolvers<void>()
    gateway.upstream.behave('three', () => asked.resolve())
    const left = new AbortController()
    const gone = fetch(`${gateway.url}/api/llm/v1/${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${account.key}`,
        'content-type': 'application/json',
        ...headers,
      },
      body: JSON.stringify({ model: 'lab/three', ...body }),
      signal: left.signal,
    }).catch(() => {})
    await asked.promise
    await delay(waitMs)
    left.abort()
    await gone
    await until(async () => (await counted()) > 0)
    expect(await counted()).toBeGreaterThanOrEqual(writtenMicros)
    expect(await counted()).toBeLessThanOrEqual(promptMicrosMax + tokensMax * labPrice.completion)
    await expectSettled(gateway, account, 0)
    expect(await verify(gateway)).toMatchObject({ ok: true })
  },
)

test('what counts for a chat that was left is at most its max_tokens', async () => {
  const { gateway, account, counted } = await start()
  const asked = Promise.withResolvers<void>()
  gateway.upstream.behave('three', () => asked.resolve())
  const left = new AbortController()
  const ask = { model: 'lab/three', max_tokens: 10 }
  const gone = chat(gateway, account, ask, { signal: left.signal }).catch(() => {})
  await asked.promise
  await delay(waitMs)
  left.abort()
  await gone
  await until(async () => (await counted()) > 0)
  const prompt = Math.floor(Buffer.byteLength(JSON.stringify({ messages: hello })) / 6)
  expect(await counted()).toBe(prompt + 10 * labPrice.completion)
  await expectSettled(gateway, account, 0)
})

test('a response in the background that is cancelled is free, and what its model has written by then counts', async () => {
  const { gateway, account, counted } = await start()
  gateway.upstream.behave('three', silence)
  const { body } = await gateway.request('POST', '/api/llm/v1/responses', {
    key: account.key,
    body: {
      model: 'lab/three',
      input: 'Hello',
      background: true,
      max_output_tokens: tokensMax,
    },
  })
  await until(async () => gateway.upstream.asked.length === 1)
  await delay(waitMs)
  const address = `/api/llm/v1/responses/${body.id}/cancel`
  const cancelled = await gateway.request('POST', address, { key: account.key })
  expect(cancelled.body).toMatchObject({ id: body.id, status: 'cancelled' })
  await expectSettled(gateway, account, 0)
  expect(await counted()).toBeGreaterThanOrEqual(writtenMicros)
  expect(await counted()).toBeLessThanOrEqual(promptMicrosMax + tokensMax * labPrice.completion)
})

test.each([
  ['one', false],
  ['two', true],
])(
  'a model that counts more than max_tokens without a word of reasoning costs its caller the hold once, and the rest counts (lab/%s, stream: %s)',
  async (model, stream) => {
    const { gateway, account, counted } = await start()
    const spent = async () => {
      const [row] = await gateway.database.query<{ micros: number }>(
        'select coalesce(sum(charged), 0)::bigint as micros from call where account_id = $1',
        [account.id],
      )
      return row?.micros ?? 0
    }
    gateway.upstream.behave(model, (it) => it.answer({ completionTokens: 8_050 }))
    const whole = 100 + 8_050 * labPrice.completion
    const ask = { model: `lab/${model}`, max_tokens: 60, stream }
    await chat(gateway, account, ask)
    await until(async () => (await spent()) > 0)
    const first = await spent()
    expect(first).toBeLessThan(whole)
    expect(await counted()).toBe(whole - first)
    await chat(gateway, account, ask)
    await expectSettled(gateway, account, first + whole)
    expect(await counted()).toBe(whole - first)
  },
)

test.each([
  ['lab/three', false],
  ['lab/three', true],
  ['claude/one', false],
  ['claude/one', true],
  ['answers/one', false],
  ['answers/one', true],
  ['gemini/one', false],
  ['gemini/one', true],
])(
  'a count of zeros for an answer with content does not count (%s, stream: %s)',
  async (model, stream) => {
    const { gateway, account } = await start()
    const said = { promptTokens: 0, completionTokens: 0, tokens: ['x'.repeat(600)] }
    gateway.upstream.behave(model.split('/')[1] ?? '', (it) => it.answer(said))
    await chat(gateway, account, { model, stream })
    const prompt = Math.floor(Buffer.byteLength(JSON.stringify({ messages: hello })) / 6)
    await expectSettled(gateway, account, prompt + 100 * labPrice.completion)
    expect((await lastTransaction(account)).inference).toMatchObject({
      prompt_tokens: prompt,
      completion_tokens: 100,
      estimated: true,
    })
  },
)

test.each([false, true])(
  'an answer without content whose count is 0 costs its prompt (stream: %s)',
  async (stream) => {
    const { gateway, account } = await start()
    gateway.upstream.behave('three', (it) => it.answer({ completionTokens: 0, tokens: [] }))
    await chat(gateway, account, { model: 'lab/three', stream })
    await expectSettled(gateway, account, 100)
    expect((await lastTransaction(account)).inference).toMatchObject({ estimated: false })
  },
)

test('what a model has cost that timed out counts, although another one has answered', async () => {
  const { gateway, account, counted } = await start(
    await startLlmGateway({ config: { timeouts: shortTimeouts } }),
  )
  const writtenMicros = (100 * shortTimeouts.answer_ms * labPrice.completion) / 1_000
  let expected = 0
  for (const stream of [false, true]) {
    gateway.upstream.behave('one', silence)
    const { status } = await chat(gateway, account, {
      model: 'tollway/cheap',
      max_tokens: tokensMax,
      stream,
    })
    expect(status).toBe(200)
    expected += writtenMicros
    await until(async () => (await counted()) >= expected)
    const { inference, ...told } = await lastTransaction(account)
    expect(inference).toMatchObject({ model: 'lab/two' })
    expect(inference.uncharged_micros).toBeGreaterThanOrEqual(writtenMicros)
    expect(told).toMatchObject({ status: 'succeeded' })
  }
  await expectSettled(gateway, account, 600)
  expect(await verify(gateway)).toMatchObject({ ok: true })
})
