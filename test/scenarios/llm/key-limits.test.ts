// Limits of a key beside its amounts: language models, calls per minute and tokens per minute.
import { expect, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { chat, expectSettled, hello, shareLlmGateway, startLlmGateway } from '#test/llm-gateway.ts'
import { refuses } from '#test/model-upstream.ts'

let aheadMs = 0
const clock = { ...systemClock, now: () => Date.now() + aheadMs }
const shared = shareLlmGateway({ clock })

async function keyWith(limits: object) {
  const gateway = shared()
  const account = await gateway.account(1_000)
  const { status, body } = await gateway.request('POST', '/api/v1/keys', {
    key: account.key,
    body: limits,
  })
  expect([status, body]).toMatchObject([201, limits])
  const change = (changed: object) =>
    gateway.request('PATCH', `/api/v1/keys/${body.key_id}`, { key: account.key, body: changed })
  return { gateway, account, limited: { ...account, key: body.api_key }, body, change }
}

test('a key uses the models that it lists, by name, by beginning, or by tier', async () => {
  const { gateway, limited, account, change } = await keyWith({
    models: ['lab/one', 'claude/*', 'tollway/cheap'],
  })
  const ask = async (body: object) => {
    const { status, headers, body: answer } = await chat(gateway, limited, body)
    return [status, headers.get('x-model') ?? answer.error.code]
  }
  expect(await ask({ model: 'lab/one' })).toEqual([200, 'lab/one'])
  expect(await ask({ model: 'claude/two' })).toEqual([200, 'claude/two'])
  expect(await ask({ model: 'lab/two' })).toEqual([403, 'forbidden'])
  expect(await ask({ model: 'lab/one', models: ['lab/two'] })).toEqual([403, 'forbidden'])
  // A listed tier is used as a whole; of another one only the listed models.
  gateway.upstream.behave('one', (it) => (it.wire === 'openai' ? it.refuse(503) : it.answer()))
  expect(await ask({ model: 'tollway/cheap' })).toEqual([200, 'lab/two'])
  gateway.upstream.behave('one', refuses(503))
  expect((await ask({ model: 'tollway/best' }))[0]).toBe(500)
  expect(new Set(gateway.upstream.asked.map(({ model }) => model)).has('three')).toBe(false)
  await change({ models: ['lab/three'] })
  expect(await ask({ model: 'lab/three' })).toEqual([200, 'lab/three'])
  const { body } = await chat(gateway, limited, { model: 'tollway/cheap' })
  expect(body.error).toMatchObject({ code: 'forbidden', data: { limit: 'models' } })
  expect(body.error.message).toContain('Its models are lab/three.')
  await change({ models: null })
  gateway.upstream.reset()
  expect(await ask({ model: 'lab/one' })).toEqual([200, 'lab/one'])
  await expectSettled(gateway, account, 5 * 300)
})

test('a key counts the tokens of its own models only, so no text reaches another vendor', async () => {
  const { gateway, limited } = await keyWith({ models: ['lab/*'] })
  const count = async (model: string) => {
    const { status, body } = await gateway.request('POST', '/api/llm/v1/messages/count_tokens', {
      key: limited.key,
      body: { model, messages: hello },
    })
    return [status, body.error?.code ?? body.model]
  }
  expect(await count('lab/one')).toEqual([200, 'lab/one'])
  expect(await count('claude/one')).toEqual([403, 'forbidden'])
  expect(gateway.upstream.asked).toHaveLength(0)
})

test('the vendors’ own actions keep to the models of a key too', async () => {
  const gateway = await startLlmGateway({
    config: (url: string) => ({
      upstreams: {
        lab: {
          base_url: `${url}/openai/v1`,
          api_key: 'LAB_API_KEY',
          serves: ['openai/*', 'anthropic/*'],
          whole_slug: true,
        },
      },
      tiers: undefined,
      prices: undefined,
    }),
  })
  const account = await gateway.account(1_000)
  const { body } = await gateway.request('POST', '/api/v1/keys', {
    key: account.key,
    body: { models: ['openai/gpt-4o*'] },
  })
  const run = async (action: string, model: string, more: object = { max_tokens: 10 }) => {
    const input = { model, messages: hello, ...more }
    const reply = await gateway.request('POST', `/api/run/${action}`, {
      key: body.api_key,
      body: input,
    })
    return [reply.status, reply.body.error]
  }
  expect(await run('ns_llm_b/chat', 'gpt-4o-mini')).toEqual([200, undefined])
  expect(await run('ns_router/chat', 'openai/gpt-4o-mini')).toEqual([200, undefined])
  expect(await run('ns_llm_b/chat', 'gpt-4.1-nano')).toEqual([403, 'forbidden'])
  expect(await run('ns_router/chat', 'anthropic/claude-haiku-4.5')).toEqual([403, 'forbidden'])
  expect(await run('ns_llm_a/messages', 'claude-haiku-4-5')).toEqual([403, 'forbidden'])
  expect(gateway.upstream.asked).toHaveLength(2)
})

test('calls beyond requests_per_minute are refused, chats on a lease and other calls alike', async () => {
  const { gateway, limited, account, body } = await keyWith({ requests_per_minute: 60 })
  const echo = () =>
    gateway.request('POST', '/api/run/test/echo', { key: limited.key, body: { text: 'a' } })
  expect((await echo()).status).toBe(200)
  for (let call = 0; call < 59; call += 1)
    expect((await chat(gateway, limited, { model: 'lab/one' })).status).toBe(200)
  const leases = await gateway.database.query('select turn from lease where key_id = $1', [
    body.key_id,
  ])
  expect(leases).toEqual([{ turn: expect.any(Number) }])
  const refused = await chat(gateway, limited, { model: 'lab/one' })
  expect([refused.status, refused.body.error]).toMatchObject([
    429,
    {
      code: 'rate_limited',
      data: { limit: 'requests_per_minute', most: 60, used: 60, resets_at: expect.any(String) },
    },
  ])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60)
  expect(await echo()).toMatchObject({
    status: 429,
    body: { error: 'rate_limited', data: { limit: 'requests_per_minute' } },
  })
  // The account's other keys go on.
  expect((await chat(gateway, account, { model: 'lab/one' })).status).toBe(200)
  aheadMs += 60_000
  expect((await chat(gateway, limited, { model: 'lab/one' })).status).toBe(200)
  expect(gateway.upstream.asked).toHaveLength(61)
})

test('tokens_per_minute counts what chats used, and reserves what they may use', async () => {
  const { gateway, limited, account, change } = await keyWith({ tokens_per_minute: 1_000 })
  const ask = (maxTokens: number) =>
    chat(gateway, limited, { model: 'lab/one', max_tokens: maxTokens })
  // Each uses 150 tokens, and reserves more.
  for (let call = 0; call < 4; call += 1) expect((await ask(300)).status).toBe(200)
  const refused = await ask(500)
  expect([refused.status, refused.body.error.data]).toMatchObject([
    429,
    { limit: 'tokens_per_minute', most: 1_000, used: 600 },
  ])
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
  expect((await ask(200)).status).toBe(200)
  // A failed chat gives back what it reserved.
  gateway.upstream.behave('one', refuses(400))
  for (let call = 0; call < 4; call += 1) expect((await ask(200)).status).toBe(400)
  gateway.upstream.reset()
  const huge = await ask(1_000)
  expect([huge.status, huge.body.error.data]).toMatchObject([400, { limit: 'tokens_per_minute' }])
  await change({ tokens_per_minute: 5_000 })
  expect((await ask(1_000)).status).toBe(200)
  await expectSettled(gateway, account, 6 * 300)
})

test('a key shows these limits, and one with such a limit is a limited key', async () => {
  const limits = { models: ['tollway/cheap'], requests_per_minute: 60, tokens_per_minute: 9_000 }
  const { gateway, limited, body, change } = await keyWith(limits)
  const read = () => gateway.request('GET', `/api/v1/keys/${body.key_id}`, { key: limited.key })
  expect((await read()).body).toMatchObject(limits)
  const other = await gateway.request('POST', '/api/v1/keys', { key: limited.key, body: {} })
  expect([other.status, other.body.error]).toEqual([403, 'forbidden'])
  const changed = await change({ tokens_per_minute: null, requests_per_minute: 5 })
  expect(changed.body).toMatchObject({
    models: ['tollway/cheap'],
    requests_per_minute: 5,
    tokens_per_minute: null,
  })
})

test.each([
  [{ models: [] }, 'models'],
  [{ models: ['lab/on'] }, 'Did you mean lab/one?'],
  [{ models: ['lab one'] }, 'models'],
  [{ models: ['a*b'] }, 'models'],
  [{ requests_per_minute: 0 }, 'requests_per_minute'],
  [{ requests_per_minute: 1.5 }, 'requests_per_minute'],
  [{ tokens_per_minute: -1 }, 'tokens_per_minute'],
])('%o is not a limit', async (limits, told) => {
  const gateway = shared()
  const { key } = await gateway.account(1)
  const { status, body } = await gateway.request('POST', '/api/v1/keys', { key, body: limits })
  expect([status, body.error]).toEqual([400, 'bad_request'])
  expect(JSON.stringify(body)).toContain(told)
})
