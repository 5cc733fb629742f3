// The Responses surface: answers, what is kept of them, and their cost.
import { expect, test } from 'vitest'
import type { TestAccount } from '#test/harness.ts'
import {
  expectSettled,
  type LlmGateway,
  lastTransaction,
  shareLlmGateway,
  startLlmGateway,
} from '#test/llm-gateway.ts'
import { type Json, refuses, sentence, silence } from '#test/model-upstream.ts'
import { until } from '#test/until.ts'

/** One of its models may be silent for long. */
const shared = shareLlmGateway()
const text = sentence.join('')

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: Json
  readonly events: Json[]
}

async function respond(
  { url }: Pick<LlmGateway, 'url'>,
  key: string,
  body: Json,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const reply = await fetch(`${url}/api/llm/v1/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ input: 'Hello', ...body }),
  })
  const sent = await reply.text()
  const isStream = reply.headers.get('content-type')?.startsWith('text/event-stream')
  const data = sent.split('\n').filter((line) => line.startsWith('data: '))
  return {
    status: reply.status,
    headers: reply.headers,
    body: isStream ? undefined : JSON.parse(sent),
    events: isStream ? data.map((line) => JSON.parse(line.slice(6))) : [],
  }
}
const textOf = (response: Json): string =>
  response.output
    .flatMap((item: Json) => item.content ?? [])
    .map((part: Json) => part.text)
    .join('')
const at = (gateway: LlmGateway, account: Pick<TestAccount, 'key'>, method: string, path: string) =>
  gateway.request(method, `/api/llm/v1/responses/${path}`, { key: account.key })

test.each(['lab/one', 'claude/one', 'answers/one', 'gemini/one'])(
  '%s answers, and its tokens are charged',
  async (model) => {
    const gateway = shared()
    const account = await gateway.account(100)
    const { status, body, headers } = await respond(gateway, account.key, { model })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id: expect.stringMatching(/^resp_[0-9a-f]{32}$/),
      object: 'response',
      status: 'completed',
      model,
      store: true,
      output: [{ type: 'message', role: 'assistant', status: 'completed' }],
      usage: { input_tokens: 100, output_tokens: 50, total_tokens: 150, cost: 0.0003 },
    })
    expect(textOf(body)).toBe(text)
    expect(headers.get('x-model')).toBe(model)
    await expectSettled(gateway, account, 300)
    expect(await lastTransaction(account)).toMatchObject({
      transaction_id: headers.get('x-transaction-id'),
      action: 'llm/responses',
      inference: { requested: model, model, prompt_tokens: 100 },
    })
  },
)

test.each(['lab/one', 'claude/one', 'answers/one', 'gemini/one'])(
  '%s streams, and costs the same',
  async (model) => {
    const gateway = shared()
    const account = await gateway.account(100)
    const { events } = await respond(gateway, account.key, { model, stream: true })
    const deltas = events.filter(({ type }) => type === 'response.output_text.delta')
    expect(deltas.map(({ delta }) => delta).join('')).toBe(text)
    expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, place) => place))
    const last = events.at(-1)
    expect(last).toMatchObject({
      type: 'response.completed',
      response: { usage: { cost: 0.0003 } },
    })
    expect(textOf(last.response)).toBe(text)
    await expectSettled(gateway, account, 300)
  },
)

test('a kept response can be read, continued, listed and deleted', async () => {
  const gateway = shared()
  const account = await gateway.account(100)
  const first = await respond(gateway, account.key, {
    model: 'lab/one',
    instructions: 'Be brief.',
    input: 'My name is Ada.',
    metadata: { topic: 'names' },
  })
  const { id } = first.body
  const read = await at(gateway, account, 'GET', id)
  expect(read.body).toEqual(first.body)
  const second = await respond(gateway, account.key, {
    model: 'claude/one',
    previous_response_id: id,
    input: 'What is my name?',
    stream: true,
  })
  expect(second.events.at(-1).response).toMatchObject({ previous_response_id: id })
  // The instructions of an earlier response are not carried over.
  expect(gateway.upstream.asked.at(-1)?.body).toMatchObject({
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'My name is Ada.' }] },
      { role: 'assistant', content: [{ type: 'text', text }] },
      { role: 'user', content: [{ type: 'text', text: 'What is my name?' }] },
    ],
  })
  expect(gateway.upstream.asked.at(-1)?.body.system).toBeUndefined()
  const items = await at(gateway, account, 'GET', `${id}/input_items`)
  expect(items.body).toMatchObject({
    object: 'list',
    has_more: false,
    data: [{ type: 'message', role: 'user', id: expect.any(String) }],
  })
  const removed = await at(gateway, account, 'DELETE', id)
  expect(removed.body).toEqual({ id, object: 'response', deleted: true })
  expect((await at(gateway, account, 'GET', id)).status).toBe(404)
  // What was deleted cannot be continued through a later response either.
  const third = await respond(gateway, account.key, {
    model: 'lab/one',
    previous_response_id: second.events.at(-1).response.id,
  })
  expect(third).toMatchObject({
    status: 404,
    body: { error: { code: 'not_found', param: 'previous_response_id' } },
  })
  await expectSettled(gateway, account, 600)
})

test('an item of a kept response can be named instead of being sent again', async () => {
  const gateway = shared()
  const account = await gateway.account(100)
  const calls = [{ id: 'call_1', name: 'weather', arguments: ['{"city":', '"Wien"}'] }]
  gateway.upstream.behave(
    'one',
    (it) => it.answer({ toolCalls: calls }),
    (it) => it.answer(),
  )
  const tools = [{ type: 'function', name: 'weather', parameters: { type: 'object' } }]
  const first = await respond(gateway, account.key, { model: 'lab/one', tools })
  const [called] = first.body.output
  expect(called).toMatchObject({ type: 'function_call', arguments: '{"city":"Wien"}' })
  const second = await respond(gateway, account.key, {
    model: 'lab/one',
    tools,
    input: [
      { role: 'user', content: 'Hello' },
      { type: 'item_reference', id: called.id },
      { type: 'function_call_output', call_id: 'call_1', output: 'sunny' },
    ],
  })
  expect(second.status).toBe(200)
  expect(gateway.upstream.asked.at(-1)?.body.messages).toMatchObject([
    { role: 'user' },
    { role: 'assistant', tool_calls: [{ id: 'call_1', function: { name: 'weather' } }] },
    { role: 'tool', tool_call_id: 'call_1', content: 'sunny' },
  ])
  const stranger = await gateway.account(100)
  const other = await respond(gateway, stranger.key, {
    model: 'lab/one',
    input: [{ type: 'item_reference', id: called.id }],
  })
  expect(other).toMatchObject({ status: 404, body: { error: { param: 'input[0].id' } } })
  await expectSettled(gateway, stranger, 0)
})

test('a response belongs to its account, and that of a limited key to the key', async () => {
  const gateway = shared()
  const [owner, stranger] = [await gateway.account(100), await gateway.account(100)]
  const limited = async () => {
    const { body } = await gateway.request('POST', '/api/v1/keys', {
      key: owner.key,
      body: { max_cents_per_day: 50 },
    })
    return { key: body.api_key as string }
  }
  const [one, other] = [await limited(), await limited()]
  const { body: response } = await respond(gateway, one.key, { model: 'lab/one' })
  for (const reader of [stranger, other])
    for (const [method, path] of [
      ['GET', response.id],
      ['DELETE', response.id],
      ['POST', `${response.id}/cancel`],
      ['GET', `${response.id}/input_items`],
    ])
      expect((await at(gateway, reader, method, path)).status, `${method} ${path}`).toBe(404)
  const continued = await respond(gateway, other.key, {
    model: 'lab/one',
    previous_response_id: response.id,
  })
  expect(continued.status).toBe(404)
  for (const reader of [one, owner])
    expect((await at(gateway, reader, 'GET', response.id)).status).toBe(200)
})

test('nothing is kept when the request, the key or the operator says so', async () => {
  const gateway = shared()
  const account = await gateway.account(100)
  const { body: key } = await gateway.request('POST', '/api/v1/keys', {
    key: account.key,
    body: { store_responses: false },
  })
  expect(key.store_responses).toBe(false)
  const off = await startLlmGateway({ env: { RESPONSES_KEPT: 'off' } })
  const elsewhere = await off.account(100)
  const answers = [
    [gateway, account.key, { store: false }],
    [gateway, key.api_key, {}],
    [off, elsewhere.key, { store: true }],
  ] as const
  for (const [where, with_, more] of answers) {
    const { body } = await respond(where, with_, { model: 'lab/one', ...more })
    expect(body.store).toBe(false)
    expect((await at(where, { key: with_ }, 'GET', body.id)).status).toBe(404)
    const rows = await where.database.query('select 1 from kept_response where id::text = $1', [
      body.id,
    ])
    expect(rows).toEqual([])
  }
})

test('a repeated Idempotency-Key returns the stored answer and pays once', async () => {
  const gateway = shared()
  const account = await gateway.account(100)
  const headers = { 'idempotency-key': 'same' }
  for (const stream of [false, true]) {
    const ask = { model: 'lab/one', stream }
    const with_ = { 'idempotency-key': `${headers['idempotency-key']}-${stream}` }
    const first = await respond(gateway, account.key, ask, with_)
    const again = await respond(gateway, account.key, ask, with_)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect([again.body, again.events]).toEqual([first.body, first.events])
  }
  expect(gateway.upstream.asked).toHaveLength(2)
  await expectSettled(gateway, account, 600)
})

test('an unknown tool is named in a header, and each name makes a header that can be sent', async () => {
  const gateway = shared()
  const account = await gateway.account(100)
  for (const type of ['no\u0000tool', 'no\r\ntool', 'narzędzie'])
    for (const stream of [false, true]) {
      const asked = { model: 'lab/one', stream, tools: [{ type }] }
      const { status, headers } = await respond(gateway, account.key, asked)
      expect([status, headers.get('x-dropped')?.startsWith('tools.')]).toEqual([200, true])
    }
})

test('errors have the form of the vendor, with our codes, and cost nothing', async () => {
  const gateway = shared()
  const account = await gateway.account(1)
  const ask = (body: Json) => respond(gateway, account.key, { model: 'lab/one', ...body })
  const error = (code: string, param: string | null) => ({
    error: { code, param, message: expect.any(String) },
  })
  expect(await ask({ frequency_penalty: 1 })).toMatchObject({
    status: 400,
    body: error('bad_request', 'frequency_penalty'),
  })
  expect(await ask({ model: 'lab/none' })).toMatchObject({
    status: 404,
    body: error('not_found', 'model'),
  })
  expect(await ask({ max_cost_cents: 0 })).toMatchObject({
    status: 402,
    body: error('max_cost_exceeded', null),
  })
  expect(await ask({ background: true, store: false })).toMatchObject({
    status: 400,
    body: error('bad_request', 'background'),
  })
  expect(gateway.upstream.asked).toEqual([])
  await expectSettled(gateway, account, 0)
})

test('a response in the background can be cancelled while it is made, and is free', async () => {
  const gateway = shared()
  const account = await gateway.account(100)
  gateway.upstream.behave('three', silence)
  const asked = { model: 'lab/three', background: true }
  const { body: queued } = await respond(gateway, account.key, asked)
  expect(queued).toMatchObject({ status: 'queued', background: true })
  await expect
    .poll(async () => (await at(gateway, account, 'GET', queued.id)).body.status)
    .toBe('in_progress')
  expect((await at(gateway, account, 'DELETE', queued.id)).status).toBe(400)
  const cancelled = await at(gateway, account, 'POST', `${queued.id}/cancel`)
  expect(cancelled.body).toMatchObject({ id: queued.id, status: 'cancelled' })
  expect((await at(gateway, account, 'DELETE', queued.id)).status).toBe(200)
  const whole = await respond(gateway, account.key, { model: 'lab/two' })
  const refused = await at(gateway, account, 'POST', `${whole.body.id}/cancel`)
  expect(refused.status).toBe(400)
  await expectSettled(gateway, account, 300)
})

test('a repeated Idempotency-Key names the response in the background, as it stands, and pays once', async () => {
  const gateway = shared()
  const account = await gateway.account(100)
  let release = () => {}
  gateway.upstream.behave('three', async (exchange) => {
    await new Promise<void>((resolve) => {
      release = resolve
    })
    exchange.answer()
  })
  const headers = { 'idempotency-key': 'in-the-background' }
  const asked = { model: 'lab/three', background: true }
  const first = await respond(gateway, account.key, asked, headers)
  expect(first.status).toBe(200)
  await until(async () => gateway.upstream.asked.length === 1)
  const again = await respond(gateway, account.key, asked, headers)
  expect(again.status).toBe(200)
  expect([again.body.id, again.body.status]).toEqual([first.body.id, 'in_progress'])
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  release()
  const status = async () => (await respond(gateway, account.key, asked, headers)).body.status
  await until(async () => (await status()) === 'completed')
  expect(gateway.upstream.asked.length).toBe(1)
  await expectSettled(gateway, account, 300)
})

test('a response that its gateway could not charge is neither read nor continued', async () => {
  const gateway = shared()
  const account = await gateway.account(100)
  const kept = await respond(gateway, account.key, { model: 'lab/one' })
  const uuid = kept.body.id.replace('resp_', '')
  // As a gateway leaves it that is killed after the charge, and one that is killed before.
  await gateway.database.query('update kept_response set is_charged = false where id = $1', [uuid])
  expect((await at(gateway, account, 'GET', kept.body.id)).status).toBe(200)
  await gateway.database.query(
    `insert into kept_response (id, account_id, key_id, previous, items, response, bytes, created_at, is_charged)
     select '01970000-0000-7000-8000-00000000dead', account_id, key_id, null, items, response, 0, created_at, false
     from kept_response where id = $1`,
    [uuid],
  )
  const lost = 'resp_019700000000700080000000' + '0000dead'
  expect((await at(gateway, account, 'GET', lost)).status).toBe(404)
  const asked = { model: 'lab/one', previous_response_id: lost }
  expect((await respond(gateway, account.key, asked)).status).toBe(404)
})

test('objects in place of words are refused, and cost nothing', async () => {
  const gateway = shared()
  const account = await gateway.account(1)
  const odd = { toString: 1, valueOf: 1 }
  const bodies = [odd, 'constructor', 'toString', '__proto__'].flatMap((word) => [
    { input: [{ type: word }] },
    { input: [{ type: 'item_reference', id: word }] },
    { input: [{ id: word }] },
    { input: [{ role: 'user', content: [{ type: word }] }] },
    { tools: [{ type: 'function', name: 'f' }], tool_choice: { type: word, name: odd } },
    {
      tools: [{ type: 'function', name: 'f' }],
      tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: word }] },
    },
  ])
  for (const body of bodies) {
    const { status } = await respond(gateway, account.key, { model: 'lab/one', ...body })
    expect([body, status === 400 || status === 404]).toEqual([body, true])
  }
  expect(gateway.upstream.asked).toEqual([])
})

test('a response in the background that fails says why, and is free', async () => {
  const gateway = shared()
  const account = await gateway.account(100)
  gateway.upstream.behave('one', refuses(400))
  const { body } = await respond(gateway, account.key, { model: 'lab/one', background: true })
  await expect
    .poll(async () => (await at(gateway, account, 'GET', body.id)).body)
    .toMatchObject({
      status: 'failed',
      // A program that repeats what the server is to blame for does not repeat this.
      error: { code: 'invalid_prompt', message: expect.stringContaining('refused') },
    })
  const next = await respond(gateway, account.key, {
    model: 'lab/one',
    previous_response_id: body.id,
  })
  expect(next.body.error).toMatchObject({
    param: 'previous_response_id',
    message: expect.stringContaining('has failed'),
  })
  await expectSettled(gateway, account, 0)
})
