// The cost and refusal of chats: holds, the daily cap, ceilings, repetitions, prices.

import { writeFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { verify } from '#test/harness.ts'
import {
  chat,
  expectSettled,
  hello,
  labPrice,
  lastTransaction,
  llmConfig,
  shareLlmGateway,
  startLlmGateway,
  textOf,
} from '#test/llm-gateway.ts'
import { pieces, refuses } from '#test/model-upstream.ts'

/** A test lets it count more than its limit, which would make its later holds larger. */
const config = (url: string) => ({
  prices: { ...llmConfig(url).prices, 'lab/one': { ...labPrice, thinks: false } },
})
const shared = shareLlmGateway({ config })
/** The highest cost of `hello` with this limit: its bytes and some overhead as tokens, plus the limit. */
const worst = (maxTokens: number) =>
  Buffer.byteLength(JSON.stringify({ messages: hello })) + 64 + 8 + labPrice.completion * maxTokens

describe('with a cap of the day for twenty calls', () => {
  const maxTokens = 1_000
  const capCents = Math.floor((worst(maxTokens) * 20 + 9_999) / 10_000)
  const capped = shareLlmGateway({ env: { INFERENCE_DAY_CENTS_MAX: String(capCents) } })

  test('of fifty concurrent calls under a cap for twenty, twenty run, and spending never exceeds the cap', async () => {
    const gateway = capped()
    const account = await gateway.account(10_000)
    const runnable = Math.floor((capCents * 10_000) / worst(maxTokens))
    // Each call costs as much as it holds. The rest is little, because it counts as uncharged.
    gateway.upstream.behave('one', async (it) => {
      await delay(20)
      it.answer({ promptTokens: 1_000, completionTokens: maxTokens })
    })
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, place) =>
        chat(gateway, account, {
          model: 'lab/one',
          max_tokens: maxTokens,
          ...(place % 2 === 0 && { stream: true, stream_options: { include_usage: true } }),
        }),
      ),
    )
    const served = replies.filter(({ status }) => status === 200)
    expect(served).toHaveLength(runnable)
    expect(gateway.upstream.asked).toHaveLength(runnable)
    // While a lease holds the rest of the cap for a moment, a call has its tokens counted and holds less than its bytes
    // would.
    const costs = served.map(({ body, events }) => (body ?? events.at(-1)).usage.cost * 1_000_000)
    for (const cost of costs) {
      expect(cost).toBeLessThanOrEqual(worst(maxTokens))
      expect(cost).toBeGreaterThan(labPrice.completion * maxTokens)
    }
    await expectSettled(gateway, account, Math.round(costs.reduce((sum, cost) => sum + cost, 0)))
    for (const refused of replies.filter(({ status }) => status !== 200)) {
      expect(refused.status).toBe(429)
      expect(refused.body.error).toMatchObject({ code: 'rate_limited', type: 'rate_limit_error' })
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    const after = await chat(gateway, account, { model: 'lab/one', max_tokens: maxTokens })
    expect(after.status).toBe(429)
    expect(after.headers.get('x-should-retry')).toBe('false')
    const midnight = 86_400 - (Math.floor(Date.now() / 1_000) % 86_400)
    expect(Math.abs(Number(after.headers.get('retry-after')) - midnight)).toBeLessThan(60)
    // The cap affects neither other accounts nor other actions of this account.
    expect((await chat(gateway, await gateway.account(100), { model: 'lab/two' })).status).toBe(200)
    expect((await account.call('test/echo', { text: 'hi' })).status).toBe(200)
    expect(await verify(gateway)).toMatchObject({ ok: true })
  })

  test('a call that exceeds the cap only because of running calls may be retried soon', async () => {
    const gateway = capped()
    const account = await gateway.account(100)
    let finish = () => {}
    const waiting = new Promise<void>((resolve) => {
      finish = resolve
    })
    gateway.upstream.behave('one', async (it) => {
      pieces(it, 4)
      await waiting
      it.response.end(it.events().slice(4).join(''))
    })
    const running = chat(gateway, account, { model: 'lab/one', max_tokens: 16_000, stream: true })
    await expect.poll(() => gateway.upstream.asked.length).toBe(1)
    const busy = await chat(gateway, account, { model: 'lab/one', max_tokens: 16_000 })
    expect(busy.status).toBe(429)
    expect(busy.headers.get('retry-after')).toBe('1')
    expect(busy.headers.get('x-should-retry')).toBeNull()
    expect(busy.body.error.data).toEqual({ reason: 'inference_busy' })
    finish()
    expect((await running).done).toBe(true)
    await expectSettled(gateway, account, 300)
    gateway.upstream.behave('one', (it) => it.answer())
    expect((await chat(gateway, account, { model: 'lab/one', max_tokens: 16_000 })).status).toBe(
      200,
    )
    await expectSettled(gateway, account, 600)
  })
})

test('a running call holds its highest cost', async () => {
  const gateway = shared()
  const account = await gateway.account(100)
  let heldMicros = 0
  gateway.upstream.behave('one', async (it) => {
    const [row] = await gateway.database.query<{ held: number }>(
      'select held from balance where account_id = $1',
      [account.id],
    )
    heldMicros = row?.held ?? 0
    it.answer()
  })
  await chat(gateway, account, { model: 'lab/one', max_tokens: 16_384 })
  expect(heldMicros).toBe(worst(16_384))
  await expectSettled(gateway, account, 300)
})

test('no caller pays more than the hold, even if the upstream counts more', async () => {
  const gateway = shared()
  const account = await gateway.account(100)
  gateway.upstream.behave('one', (it) =>
    it.answer({ promptTokens: 5_000_000, completionTokens: 9_000_000 }),
  )
  await chat(gateway, account, { model: 'lab/one', max_tokens: 10 })
  await expectSettled(gateway, account, worst(10))
})

test('the balance and the ceiling are checked before anything is sent', async () => {
  const gateway = shared()
  const poor = await gateway.account(1)
  const refused = await chat(gateway, poor, { model: 'lab/one' })
  expect([refused.status, refused.body.error.code]).toEqual([402, 'insufficient_balance'])
  const account = await gateway.account(100)
  const ceiling = await chat(gateway, account, { model: 'lab/one', max_cost_cents: 1 })
  expect([ceiling.status, ceiling.body.error.code]).toEqual([402, 'max_cost_exceeded'])
  expect((await chat(gateway, account, { model: 'lab/one', max_cost_cents: 2 })).status).toBe(200)
  expect(gateway.upstream.asked).toHaveLength(1)
  await expectSettled(gateway, account, 300)
})

test('a key’s own limits apply here too', async () => {
  const gateway = shared()
  const account = await gateway.account(100)
  const { body } = await gateway.request('POST', '/api/v1/keys', {
    key: account.key,
    body: { actions: ['test/echo'] },
  })
  const reply = await chat(
    gateway,
    { ...account, key: body.api_key ?? body.secret },
    { model: 'lab/one' },
  )
  expect([reply.status, reply.body.error.code]).toEqual([403, 'forbidden'])
})

test.each([false, true])(
  'the same Idempotency-Key is answered and paid once (stream: %s)',
  async (stream) => {
    const gateway = shared()
    const account = await gateway.account(100)
    const headers = { 'idempotency-key': `key-${stream}` }
    const ask = (more = {}) =>
      chat(gateway, account, { model: 'lab/one', stream, ...more }, { headers })
    const [first, second] = [await ask(), await ask()]
    expect(second.text).toBe(first.text)
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect(second.headers.get('x-transaction-id')).toBe(first.headers.get('x-transaction-id'))
    expect((await ask({ temperature: 1 })).status).toBe(422)
    expect(gateway.upstream.asked).toHaveLength(1)
    await expectSettled(gateway, account, 300)
  },
)

test('a repetition does not run a running call again, and runs a failed one', async () => {
  const gateway = shared()
  const account = await gateway.account(100)
  const headers = { 'idempotency-key': 'twice' }
  gateway.upstream.behave('one', refuses(400), async (it) => {
    await delay(150)
    it.answer()
  })
  expect((await chat(gateway, account, { model: 'lab/one' }, { headers })).status).toBe(400)
  const both = await Promise.all(
    [0, 1].map(() => chat(gateway, account, { model: 'lab/one' }, { headers })),
  )
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  await expectSettled(gateway, account, 300)
})

test('prices are public: tiers, more than three hundred models, dollars per million tokens', async () => {
  const gateway = shared()
  const { status, body, headers } = await gateway.request('GET', '/api/llm/v1/pricing')
  expect(status).toBe(200)
  expect(body.models.length).toBeGreaterThan(300)
  expect(body.models.find(({ id }: { id: string }) => id === 'lab/one')).toMatchObject({
    ...labPrice,
    available: true,
  })
  expect(body.models.find(({ id }: { id: string }) => id === 'openai/gpt-4o-mini')).toMatchObject({
    prompt: 0.15,
    completion: 0.6,
    available: false,
  })
  expect(body.tiers).toEqual([
    {
      id: 'tollway/cheap',
      models: [
        { id: 'lab/one', available: true },
        { id: 'lab/two', available: true },
      ],
    },
    expect.objectContaining({ id: 'tollway/mid' }),
    expect.objectContaining({ id: 'tollway/best' }),
  ])
  const again = await gateway.request('GET', '/api/llm/v1/pricing', {
    headers: { 'if-none-match': headers.get('etag') ?? '' },
  })
  expect(again.status).toBe(304)
  const models = await gateway.request('GET', '/api/llm/v1/models')
  expect(models.body.data.map(({ id }: { id: string }) => id)).toEqual(
    expect.arrayContaining(['tollway/cheap', 'lab/one']),
  )
  expect((await gateway.request('GET', '/api/llm/v1/models/lab/one')).body).toMatchObject({
    object: 'model',
  })
  expect((await gateway.request('GET', '/api/llm/v1/models/lab/none')).body).toMatchObject({
    error: { code: 'not_found' },
  })
})

test('an Ollama is found by its address and costs nothing', async () => {
  const away = await startLlmGateway({
    config: { upstreams: {}, tiers: {}, prices: {} },
    env: { OLLAMA_BASE_URL: 'http://127.0.0.1:1' },
  })
  const listed: { id: string }[] = (await away.request('GET', '/api/llm/v1/models')).body.data
  // Those of this machine need no upstream.
  expect(listed.filter(({ id }) => !id.startsWith('tollway/'))).toEqual([])
  const local = await startLlmGateway({
    config: (url: string) => ({
      upstreams: {
        ollama: {
          base_url: `${url}/openai/v1`,
          api_key: 'LAB_API_KEY',
          discover: true,
          price: { prompt: 0, completion: 0 },
        },
      },
      tiers: {},
      prices: {},
    }),
  })
  const account = await local.account(0)
  const reply = await chat(local, account, { model: 'ollama/llama3.2:1b' })
  expect(textOf(reply)).not.toBe('')
  expect(local.upstream.asked[0]?.body.model).toBe('llama3.2:1b')
  await expectSettled(local, account, 0)
})

test('a transaction stores the version of the prices of its hold and charge', async () => {
  const gateway = await startLlmGateway()
  const account = await gateway.account(100)
  await chat(gateway, account, { model: 'lab/one' })
  await expectSettled(gateway, account, 300)
  const before = (await lastTransaction(account)).inference.prices
  const config = llmConfig(gateway.upstream.url)
  config.prices['lab/one'] = { prompt: 2, completion: 4 }
  config.prices['lab/two'] = { ...labPrice, cache_read: 0.1 }
  await writeFile(gateway.configPath, JSON.stringify(config))
  const refresh = () =>
    gateway.request('POST', '/api/v1/admin/models/refresh', { key: 'operator-token-of-the-tests' })
  expect((await refresh()).body).toMatchObject({ ok: true })
  await chat(gateway, account, { model: 'lab/one' })
  await expectSettled(gateway, account, 300 + 400)
  expect((await lastTransaction(account)).inference.prices).not.toBe(before)
  // An invalid file changes nothing.
  const nonsense = [
    { ...config, prices: { ...config.prices, 'lab/one': { prompt: 2_000, completion: 4 } } },
    { ...config, prices: { ...config.prices, 'lab/one': { prompt: -1, completion: 4 } } },
    { ...config, prices: { 'lab/two': labPrice } },
    { ...config, unknown: 1 },
    { ...config, prices: { ...config.prices, 'lab/two': { ...labPrice, cache_read: 0.6 } } },
  ]
  for (const wrong of nonsense) {
    await writeFile(gateway.configPath, JSON.stringify(wrong))
    // However often it is asked.
    for (let time = 0; time < 2; time += 1)
      expect((await refresh()).body).toMatchObject({ ok: false, problem: expect.any(String) })
    expect((await chat(gateway, account, { model: 'lab/one' })).body.usage.cost).toBe(0.0004)
  }
})
