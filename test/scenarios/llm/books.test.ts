// What clients of model routers read about their key, their credits and their chats.
import { expect, test } from 'vitest'
import { chat, expectSettled, hello, shareLlmGateway } from '#test/llm-gateway.ts'
import { formats, refuses, saidOf } from '#test/model-upstream.ts'

const shared = shareLlmGateway()

async function limitedKey(key: string, limits: object): Promise<string> {
  const { body } = await shared().request('POST', '/api/v1/keys', { key, body: limits })
  return body.api_key
}

const read = async (key: string, address: string) =>
  await shared().request('GET', `/api/llm/v1/${address}`, { key })

test('a key reads what it has spent, and the limit of which the least is left', async () => {
  const gateway = shared()
  const account = await gateway.account(100)
  await chat(gateway, account, { model: 'lab/one' })
  const limited = await limitedKey(account.key, {
    name: 'bot',
    max_cents_per_day: 10,
    max_cents_per_month: 50,
    expires_at: '2099-01-01T00:00:00Z',
  })
  await chat(gateway, { ...account, key: limited }, { model: 'lab/one' })
  await chat(gateway, { ...account, key: limited }, { model: 'lab/one' })
  await expectSettled(gateway, account, 900)
  // What a lease still holds counts as spent until it is given back.
  await expect
    .poll(async () => (await read(limited, 'key')).body)
    .toEqual({
      data: expect.objectContaining({
        label: 'bot',
        usage: 0.0006,
        usage_daily: 0.0006,
        usage_weekly: 0.0006,
        usage_monthly: 0.0006,
        limit: 0.1,
        limit_remaining: 0.0994,
        limit_reset: 'daily',
        is_management_key: false,
        is_free_tier: false,
        expires_at: '2099-01-01T00:00:00.000Z',
        rate_limit: { requests: 100_000, interval: '1m' },
      }),
    })
  expect((await read(account.key, 'key')).body.data).toMatchObject({
    label: expect.stringMatching(/^tw_live_\w+…$/),
    usage: 0.0003,
    limit: null,
    limit_remaining: null,
    limit_reset: null,
    is_management_key: true,
  })
})

test('credits are what was paid in, and their usage is what was spent', async () => {
  const gateway = shared()
  const account = await gateway.account(100)
  expect((await read(account.key, 'credits')).body).toEqual({
    data: { total_credits: 1, total_usage: 0 },
  })
  await chat(gateway, account, { model: 'lab/one' })
  await account.call('test/echo', { text: 'a' })
  // What a lease still holds is not spent.
  expect((await read(account.key, 'credits')).body).toEqual({
    data: { total_credits: 1, total_usage: 0.0203 },
  })
})

test.each([
  ['a whole answer', false],
  ['a stream', true],
])(
  'the generation of %s is found by the id in it, and by its transaction',
  async (_what, stream) => {
    const gateway = shared()
    const account = await gateway.account(100)
    const reply = await chat(gateway, account, { model: 'tollway/best', stream })
    const id = (reply.body ?? reply.events[0]).id
    const transaction = reply.headers.get('x-transaction-id')
    const found = await read(account.key, `generation?id=${id}`)
    expect([found.status, found.body]).toEqual([
      200,
      {
        data: expect.objectContaining({
          id: transaction,
          upstream_id: id,
          api_type: 'completions',
          model: 'claude/one',
          router: 'tollway/best',
          provider_name: 'claude',
          streamed: stream,
          cancelled: false,
          total_cost: 0.0003,
          usage: 0.0003,
          tokens_prompt: 100,
          tokens_completion: 50,
          native_tokens_cached: 0,
          latency: expect.any(Number),
          generation_time: expect.any(Number),
        }),
      },
    ])
    expect((await read(account.key, `generation?id=${transaction}`)).body).toEqual(found.body)
  },
)

test.each(['responses', 'messages'])(
  'the generation of %s is found by the id in the answer, whichever format its model speaks',
  async (surface) => {
    const gateway = shared()
    const account = await gateway.account(100)
    for (const model of ['lab/one', 'claude/one', 'answers/one'])
      for (const stream of [false, true]) {
        const asked =
          surface === 'messages' ? { max_tokens: 50, messages: hello } : { input: 'Hello' }
        const reply = await fetch(`${gateway.url}/api/llm/v1/${surface}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${account.key}`, 'content-type': 'application/json' },
          body: JSON.stringify({ model, stream, ...asked }),
        })
        const id = /"id":"((?:resp|msg)_[\w-]+)"/.exec(await reply.text())?.[1]
        const { body: found } = await read(account.key, `generation?id=${id}`)
        expect([model, stream, found.data]).toMatchObject([
          model,
          stream,
          {
            id: reply.headers.get('x-transaction-id'),
            model,
            total_cost: 0.0003,
            api_type: surface,
          },
        ])
      }
  },
)

test('a response in the background is a generation, too', async () => {
  const gateway = shared()
  const account = await gateway.account(100)
  const { body } = await gateway.request('POST', '/api/llm/v1/responses', {
    key: account.key,
    body: { model: 'lab/one', input: 'Hello', background: true },
  })
  await expect
    .poll(async () => (await read(account.key, `generation?id=${body.id}`)).body.data)
    .toMatchObject({ api_type: 'responses', model: 'lab/one', tokens_prompt: 100, usage: 0.0003 })
})

test('an id of a vendor that has the form of a transaction is found', async () => {
  const gateway = shared()
  const account = await gateway.account(100)
  const id = '930c60df-bf64-41c9-a88e-3ec75f81e00e'
  gateway.upstream.behave('one', (it) => {
    const answer = formats.openai.answer('one', saidOf({}), it.body)
    it.response.writeHead(200, { 'content-type': 'application/json' })
    it.response.end(JSON.stringify({ ...answer, id }))
  })
  const reply = await chat(gateway, account, { model: 'lab/one' })
  expect(reply.body.id).toBe(id)
  const { body } = await read(account.key, `generation?id=${id}`)
  expect(body.data).toMatchObject({ id: reply.headers.get('x-transaction-id'), upstream_id: id })
})

test('a failed chat is a generation that cost nothing', async () => {
  const gateway = shared()
  const account = await gateway.account(100)
  gateway.upstream.behave('one', refuses(400))
  const reply = await chat(gateway, account, { model: 'lab/one' })
  const { body } = await read(account.key, `generation?id=${reply.body.transaction_id}`)
  expect(body.data).toMatchObject({
    model: 'lab/one',
    total_cost: 0,
    finish_reason: 'error',
    tokens_prompt: null,
  })
})

test('a limited key reads its own chats, and 404 for others', async () => {
  const gateway = shared()
  const account = await gateway.account(100)
  const limited = await limitedKey(account.key, { max_cents_per_day: 50 })
  const other = await gateway.account(100)
  const reply = await chat(gateway, account, { model: 'lab/one' })
  const id = reply.headers.get('x-transaction-id') ?? ''
  for (const [key, asked] of [
    [limited, id],
    [limited, reply.body.id],
    [other.key, id],
    [other.key, reply.body.id],
    [account.key, 'gen-unknown'],
  ]) {
    const { status, body } = await read(key, `generation?id=${asked}`)
    expect([status, body.error.code]).toEqual([404, 'not_found'])
  }
  const own = await chat(gateway, { ...account, key: limited }, { model: 'lab/one' })
  const { body } = await read(limited, `generation?id=${own.body.id}`)
  expect(body.data.id).toBe(own.headers.get('x-transaction-id'))
  // A call of another kind is not a chat.
  const echo = await account.call('test/echo', { text: 'a' })
  const wrong = await read(account.key, `generation?id=${echo.body.transaction_id}`)
  expect(wrong.status).toBe(404)
})

test.each(['key', 'credits', 'generation?id=a'])('%s needs a key', async (address) => {
  const { status, body } = await shared().request('GET', `/api/llm/v1/${address}`)
  expect([status, body.error.type]).toEqual([401, 'authentication_error'])
})
