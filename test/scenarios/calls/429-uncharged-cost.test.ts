// Calls that end without a charge still cost the operator. Their cost is counted by account and day, by all gateways,
// and compared with a limit before the next call.
import { expect, test } from 'vitest'
import { shareGateway, verify } from '#test/harness.ts'
import { chat, hello, type LlmGateway, shareLlmGateway, shortTimeouts } from '#test/llm-gateway.ts'
import { type Behaviour, breaksAfter, cuts, silence } from '#test/model-upstream.ts'
import { until } from '#test/until.ts'

/** A prompt of 100 tokens and an answer of 50 cost this much. */
const answerMicros = 300

const oneCent = { UNCHARGED_DAY_CENTS_MAX: '1' }
const strict = shareLlmGateway({ env: { ...oneCent, CONSULT_MODEL_CENTS: '10' } })
const second = shareGateway(() => ({ databaseUrl: strict().databaseUrl, env: oneCent }))
const generous = { UNCHARGED_DAY_CENTS_MAX: '100' }
const lenient = shareLlmGateway({ env: generous })
const impatient = shareLlmGateway({ env: generous, config: { timeouts: shortTimeouts } })

async function start(gateway: LlmGateway = strict()) {
  const account = await gateway.account(1_000)
  const counted = async () => {
    const [row] = await gateway.database.query<{ micros: number }>(
      'select sum(micros)::bigint as micros from uncharged_day where account_id = $1',
      [account.id],
    )
    return row?.micros ?? 0
  }
  return { gateway, account, counted }
}

test('streams that break off are free until their cost reaches the limit, and then 429 on every gateway', async () => {
  const { gateway, account, counted } = await start()
  const two = second()
  // Each is billed by what arrived: six bytes of text are a token, at 4 micro-dollars.
  gateway.upstream.behave('one', (it) =>
    breaksAfter(2, cuts)({ ...it, events: () => it.events({ tokens: ['x'.repeat(6_000)] }) }),
  )
  const ask = { model: 'lab/one', stream: true }
  let free = 0
  let refused = await chat(gateway, account, ask)
  for (; refused.status === 200 && free < 100; free += 1)
    refused = await chat(gateway, account, ask)
  expect(refused.status).toBe(429)
  expect(refused.body.error).toMatchObject({
    code: 'rate_limited',
    message: expect.stringContaining('Call again after midnight UTC'),
  })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(refused.headers.get('x-should-retry')).toBe('false')
  expect(free).toBeGreaterThanOrEqual(2)
  expect(await counted()).toBeGreaterThanOrEqual(10_000)
  const there = await two.call('tollway/onesearch', { query: 'tea' }, { key: account.key })
  expect([there.status, there.body.error]).toEqual([429, 'rate_limited'])
  expect(there.body.data).toEqual({ reason: 'uncharged_cap' })
  const quoted = await account.call('tollway/onesearch?quote=true', { query: 'tea' })
  expect(quoted.body.data).toMatchObject({ allowed: false, refusal: { error: 'rate_limited' } })
  // Neither a model nor a vendor works for these.
  for (const action of ['test/echo', 'test/free'])
    expect((await account.call(action, {})).status).toBe(200)
  expect(await account.state()).toMatchObject({ availableCents: 998, heldCents: 0 })
  expect(await verify(gateway)).toMatchObject({ ok: true })
})

test('a chat that its caller leaves before the answer costs at least its prompt', async () => {
  const { gateway, account, counted } = await start()
  const asked = Promise.withResolvers<void>()
  gateway.upstream.behave('one', () => asked.resolve())
  const left = new AbortController()
  const content = 'x'.repeat(6_000)
  const gone = chat(
    gateway,
    account,
    { model: 'lab/one', messages: [{ ...hello[0], content }] },
    { signal: left.signal },
  ).catch(() => {})
  await asked.promise
  left.abort()
  await gone
  await until(async () => (await counted()) > 0)
  expect(await counted()).toBeGreaterThanOrEqual(1_000)
  expect(await account.state()).toMatchObject({ availableCents: 1_000 })
})

test('a key with limits is stopped by what it causes itself, and other keys go on', async () => {
  const { gateway, account, counted } = await start()
  const body = { max_cents_per_call: 100 }
  const made = await gateway.request('POST', '/api/v1/keys', { key: account.key, body })
  const limited = { ...account, key: made.body.api_key }
  const messages = [{ ...hello[0], content: 'x'.repeat(60_000) }]
  const leave = async () => {
    const asked = Promise.withResolvers<void>()
    gateway.upstream.behave('one', () => asked.resolve())
    const left = new AbortController()
    const before = await counted()
    const long = { model: 'lab/one', messages }
    const gone = chat(gateway, limited, long, { signal: left.signal }).catch(() => {})
    await asked.promise
    left.abort()
    await gone
    await until(async () => (await counted()) > before)
  }
  await leave()
  gateway.upstream.reset()
  const refused = await chat(gateway, limited, { model: 'lab/one' })
  expect([refused.status, refused.body.error?.code]).toEqual([429, 'rate_limited'])
  expect((await chat(gateway, account, { model: 'lab/one' })).status).toBe(200)
})

/** Sends JSON with a usage of 300 micro-dollars in place of an answer. */
const unusable =
  (answer: object): Behaviour =>
  ({ response }) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const usage = { prompt_tokens: 100, completion_tokens: 50, total_tokens: 150 }
    response.end(JSON.stringify({ id: 'a', object: 'chat.completion', ...answer, usage }))
  }
const filtered = { index: 0, message: null, finish_reason: 'content_filter' }
const truncated: Behaviour = ({ response }) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(`{"id":"a","choices":[{"message":{"content":"${'x'.repeat(1_200)}`)
}

test.for<[string, Behaviour, number]>([
  ['an answer without choices', unusable({ choices: [] }), answerMicros],
  ['a filtered answer without a message', unusable({ choices: [filtered] }), answerMicros],
  ['an answer that is cut off', truncated, 800],
  ['an answer that does not come in time', silence, 0],
])('%s is free, and its cost counts, in chats and model actions', async ([, behaviour, least]) => {
  const { gateway, account, counted } = await start(behaviour === silence ? impatient() : lenient())
  const content = 'x'.repeat(6_000)
  // Without a count, the prompt has a sixth of a token for each byte.
  const expected = Math.max(least, least === answerMicros ? 0 : 1_000)
  const messages = [{ ...hello[0], content }]
  for (const stream of [false, true]) {
    gateway.upstream.behave('one', behaviour)
    const before = await counted()
    const failed = await chat(gateway, account, { model: 'lab/one', messages, stream })
    expect(failed.status, String(stream)).not.toBe(200)
    expect((await counted()) - before, String(stream)).toBeGreaterThanOrEqual(expected)
  }
  const before = await counted()
  const body = { model: 'lab/one', messages, max_tokens: 10 }
  expect((await account.call('ns_router/chat', body)).status).not.toBe(200)
  expect((await counted()) - before).toBeGreaterThanOrEqual(expected)
  expect(await account.state()).toMatchObject({ availableCents: 1_000 })
})

test('each model of a tier that was left counts', async () => {
  const { gateway, account, counted } = await start(impatient())
  for (const model of ['one', 'two']) gateway.upstream.behave(model, silence)
  const messages = [{ ...hello[0], content: 'x'.repeat(6_000) }]
  const failed = await chat(gateway, account, { model: 'tollway/cheap', messages })
  expect(failed.status).toBe(500)
  expect(await counted()).toBeGreaterThanOrEqual(2_000)
})

test('models that do not answer at all cost nothing', async () => {
  const { gateway, account, counted } = await start()
  gateway.upstream.behave('one', (it) => it.refuse(500))
  const failed = await chat(gateway, account, { model: 'lab/one' })
  expect(failed.status).toBe(500)
  expect(await counted()).toBe(0)
})

test('a model action that succeeds is charged and does not count', async () => {
  const { gateway, account, counted } = await start()
  gateway.upstream.behave('one', (it) => it.answer({ tokens: ['Hm.'] }))
  const body = { model: 'lab/one', messages: hello, max_tokens: 10 }
  const fine = await account.call('ns_router/chat', body)
  expect([fine.status, await counted()]).toEqual([200, 0])
  const [call] = await gateway.database.query(
    'select cost from call where charged > 0 and account_id = $1',
    [account.id],
  )
  expect(call).toEqual({ cost: answerMicros })
})

test('consult is free, and the model that it asks counts', async () => {
  const { gateway, account, counted } = await start()
  gateway.upstream.behave('one', (it) => it.answer({ tokens: ['{"steps": []}'] }))
  const intent = 'qwzx flurb the gnargle until it is done'
  const advised = await account.call('tollway/consult', { intent })
  expect(advised.status).toBe(200)
  expect(gateway.upstream.asked.length).toBeGreaterThan(0)
  expect(await counted()).toBe(gateway.upstream.asked.length * answerMicros)
  await gateway.database.query('update uncharged_day set micros = 10000 where account_id = $1', [
    account.id,
  ])
  const refused = await account.call('tollway/consult', { intent })
  expect([refused.status, refused.body.error]).toEqual([429, 'rate_limited'])
})
