// The messages surface over upstreams of either format: the same blocks in strict order, the same money, errors in the
// form of its clients.
import { describe, expect, test } from 'vitest'
import { expectSettled, hello, lastTransaction, shareLlmGateway } from '#test/llm-gateway.ts'
import {
  type Behaviour,
  breaksAfter,
  cuts,
  formats,
  type Json,
  refuses,
  saidOf,
  sentence,
} from '#test/model-upstream.ts'
import { sendMessage } from '#test/models/send-message.ts'

const shared = shareLlmGateway()
const text = sentence.join('')
const calls = [
  { id: 'call_1', name: 'weather', arguments: ['{"city"', ': "Wien"}'] },
  { id: 'call_2', name: 'weather', arguments: ['{"city":', '"Łódź"}'] },
]
const weather = {
  name: 'weather',
  description: 'The weather of a city',
  input_schema: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
  },
}
const both = [
  ['lab/one', false],
  ['lab/one', true],
  ['claude/one', false],
  ['claude/one', true],
] as const

describe.each(both)('%s, stream: %s', (model, stream) => {
  test('answers with blocks, the reason of its end, tokens and cost', async () => {
    const account = await shared().account(100)
    const { status, message, headers } = await sendMessage(shared(), account, { model, stream })
    expect(status).toBe(200)
    expect(message).toMatchObject({
      type: 'message',
      role: 'assistant',
      model,
      content: [{ type: 'text', text }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 100, output_tokens: 50, cost: 0.0003 },
    })
    expect(message.id).toMatch(/^msg_/)
    expect(headers.get('x-model')).toBe(model)
    expect(headers.get('request-id')).toBe(headers.get('x-request-id'))
    await expectSettled(shared(), account, 300)
    expect(await lastTransaction(account)).toMatchObject({ action: 'llm/messages' })
  })

  test('calls tools, and takes their results', async () => {
    const account = await shared().account(100)
    shared().upstream.behave(
      'one',
      (it) => it.answer({ toolCalls: calls }),
      (it) => it.answer(),
    )
    const ask = { model, stream, tools: [weather] }
    const { message } = await sendMessage(shared(), account, ask)
    expect(message).toMatchObject({
      stop_reason: 'tool_use',
      content: [
        { type: 'tool_use', id: 'call_1', name: 'weather', input: { city: 'Wien' } },
        { type: 'tool_use', id: 'call_2', name: 'weather', input: { city: 'Łódź' } },
      ],
    })
    const results = ['call_1', 'call_2'].map((tool_use_id) => ({
      type: 'tool_result',
      tool_use_id,
      content: [{ type: 'text', text: 'sunny' }],
    }))
    const second = await sendMessage(shared(), account, {
      ...ask,
      messages: [
        ...hello,
        { role: 'assistant', content: message.content },
        { role: 'user', content: results },
      ],
    })
    expect(second.message?.content).toMatchObject([{ type: 'text', text }])
    await expectSettled(shared(), account, 600)
  })

  test('thinks in blocks with a signature, which goes back to the same model only', async () => {
    const account = await shared().account(200)
    for (const name of ['one', 'two'])
      shared().upstream.behave(name, (it) => it.answer({ reasoning: 'Hm.' }))
    const thinking = { type: 'enabled', budget_tokens: 1_024 }
    const ask = { model, stream, max_tokens: 4_000, thinking }
    const { message } = await sendMessage(shared(), account, ask)
    expect(message.content).toMatchObject([
      { type: 'thinking', thinking: 'Hm.' },
      { type: 'text', text },
    ])
    if (model === 'claude/one') expect(message.content[0].signature).toBe('s')
    const messages = [...hello, { role: 'assistant', content: message.content }, ...hello]
    const same = await sendMessage(shared(), account, { ...ask, messages })
    expect(same.status).toBe(200)
    // This model is not known to think, so it was not asked to.
    expect(same.headers.get('x-dropped')).toBe(model === 'lab/one' ? 'thinking' : null)
    expect(JSON.stringify(shared().upstream.asked.at(-1)?.body.messages)).toContain('Hm.')
    for (const other of ['lab/two', 'claude/two'].filter((each) => each !== model)) {
      const elsewhere = await sendMessage(shared(), account, { ...ask, model: other, messages })
      if (!(model === 'claude/one' && other === 'claude/two')) {
        expect(elsewhere.headers.get('x-dropped')).toContain('thoughts')
        const body = JSON.stringify(shared().upstream.asked.at(-1)?.body.messages)
        expect(body).not.toContain('Hm.')
      }
    }
    expect(shared().upstream.problems).toEqual([])
  })

  test('an answer that breaks off is an error, and costs nothing', async () => {
    const account = await shared().account(100)
    shared().upstream.behave('one', breaksAfter(5, cuts))
    const { status, message, error } = await sendMessage(shared(), account, { model, stream })
    expect(message).toBeUndefined()
    expect(status).toBe(stream ? 200 : 500)
    expect(error).toMatchObject({
      type: 'api_error',
      code: 'upstream_error',
      details: { error_code: 'upstream_error' },
    })
    await expectSettled(shared(), account, 0)
  })

  test('a repeated request with the same key is answered from storage', async () => {
    const account = await shared().account(100)
    const headers = { 'idempotency-key': 'once' }
    const ask = () => sendMessage(shared(), account, { model, stream }, { headers })
    const [first, second] = [await ask(), await ask()]
    expect(second.text).toBe(first.text)
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect(shared().upstream.asked).toHaveLength(1)
    await expectSettled(shared(), account, 300)
  })
})

test.each([false, true])(
  'a call of a tool whose arguments are not JSON is an error, never an empty object (stream: %s)',
  async (stream) => {
    const account = await shared().account(100)
    const broken = [{ id: 'call_1', name: 'weather', arguments: ['{"city": Wien}'] }]
    shared().upstream.behave('one', (it) => it.answer({ toolCalls: broken }))
    const ask = { model: 'lab/one', stream, tools: [weather] }
    const { error, message } = await sendMessage(shared(), account, ask)
    expect([error.code, message]).toEqual(['upstream_error', undefined])
    await expectSettled(shared(), account, 0)
  },
)

describe.each(['lab/one', 'claude/one', 'answers/one', 'gemini/one'])('%s', (model) => {
  test('a whole answer in place of a stream keeps its calls', async () => {
    const account = await shared().account(100)
    const { upstream } = shared()
    upstream.behave('one', (it) => {
      it.response.writeHead(200, { 'content-type': 'application/json' })
      const said = saidOf({ tokens: sentence, toolCalls: calls })
      it.response.end(JSON.stringify(formats[it.wire].answer('one', said, it.body)))
    })
    const ask = { model, stream: true, tools: [weather] }
    const { message } = await sendMessage(shared(), account, ask)
    expect(message).toMatchObject({
      stop_reason: 'tool_use',
      content: [
        { type: 'text', text },
        { type: 'tool_use', input: { city: 'Wien' } },
        { type: 'tool_use', input: { city: 'Łódź' } },
      ],
      usage: { input_tokens: 100, output_tokens: 50 },
    })
    await expectSettled(shared(), account, 300)
  })

  test('an answer without a count of tokens ends with an estimate', async () => {
    const account = await shared().account(100)
    shared().upstream.behave('one', (it) => it.answer({ usage: 'none', tokens: ['x'.repeat(60)] }))
    const { message } = await sendMessage(shared(), account, { model, stream: true })
    expect(message.usage).toMatchObject({ output_tokens: 10, estimated: true })
    await expectSettled(shared(), account, Math.round(message.usage.cost * 1e6))
  })
})

describe('doors', () => {
  test.each([
    ['/api/llm/v1/messages', { 'x-api-key': 'KEY' }],
    ['/api/llm/v1/messages?beta=true', { authorization: 'Bearer KEY', 'x-api-key': '' }],
    ['/api/llm/v1/v1/messages', { 'x-api-key': 'KEY', 'anthropic-beta': 'unknown-2030-01-01' }],
  ])('%s answers (%j)', async (at, headers: Record<string, string>) => {
    const account = await shared().account(100)
    const sent = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replace('KEY', account.key)]),
    )
    const { message } = await sendMessage(
      shared(),
      account,
      { model: 'lab/one' },
      { at, headers: sent },
    )
    expect(message?.content).toMatchObject([{ text }])
  })

  test('the models are listed at both base addresses', async () => {
    for (const at of ['/api/llm/v1/models', '/api/llm/v1/v1/models'])
      expect((await shared().request('GET', at)).body.data.length).toBeGreaterThan(3)
    expect((await shared().request('GET', '/api/llm/v1/v1/models/lab/one')).body.id).toBe('lab/one')
  })

  test('a key in a header of its own is taken by these routes only', async () => {
    const account = await shared().account(100)
    const { status } = await shared().request('GET', '/api/v1/account', {
      headers: { 'x-api-key': account.key },
    })
    expect(status).toBe(401)
  })
})

describe('errors', () => {
  const refused = async (body: Json, more: Parameters<typeof sendMessage>[3] = {}) =>
    await sendMessage(shared(), await shared().account(100), { model: 'lab/one', ...body }, more)

  test.each([
    [401, 'authentication_error', 'invalid_token', {}, { 'x-api-key': 'tw_live_unknown' }],
    [400, 'invalid_request_error', 'bad_request', { max_tokens: 0 }, {}],
    [404, 'not_found_error', 'not_found', { model: 'lab/none' }, {}],
    [402, 'billing_error', 'max_cost_exceeded', { max_cost_cents: 0 }, {}],
  ])('%i is a %s', async (status, type, code, body, headers) => {
    const reply = await refused(body, { headers })
    expect(reply.body).toMatchObject({
      type: 'error',
      ok: false,
      error: { type, code, message: expect.stringMatching(/\.$/), details: { error_code: code } },
    })
    expect(reply.status).toBe(status)
    expect(shared().upstream.asked).toEqual([])
  })

  test('a busy model is a rate_limit_error with the time to wait', async () => {
    shared().upstream.behave('one', refuses(429, { 'retry-after': '30' }))
    const { error, headers } = await refused({})
    expect(error.type).toBe('rate_limit_error')
    expect(headers.get('retry-after')).toBe('30')
  })

  test('a thread is refused with the code that makes clients send everything', async () => {
    const { status, error } = await refused({ thread: { type: 'create' } })
    expect(status).toBe(400)
    expect(error.details.error_code).toBe('thread_unsupported_request')
  })

  test('a body that is not JSON is refused in this form too', async () => {
    const account = await shared().account(1)
    const reply = await fetch(`${shared().url}/api/llm/v1/messages`, {
      method: 'POST',
      headers: { 'x-api-key': account.key },
      body: '{',
    })
    expect([reply.status, ((await reply.json()) as Json).error.type]).toEqual([
      400,
      'invalid_request_error',
    ])
  })
})

test('tools that the vendor would run are left out, and the answer says so', async () => {
  const account = await shared().account(100)
  const tools = [weather, { type: 'code_execution_20250825', name: 'code_execution' }]
  for (const model of ['lab/one', 'claude/one']) {
    const { message, headers } = await sendMessage(shared(), account, { model, tools })
    expect(message.content).toMatchObject([{ text }])
    expect(headers.get('x-dropped')).toBe('tools.code_execution')
    expect(shared().upstream.asked.at(-1)?.body.tools).toHaveLength(1)
  }
})

test('citations go to models that cite, and the answer of another names them as left out', async () => {
  const account = await shared().account(100)
  const source = { type: 'text', media_type: 'text/plain', data: 'Grass is green.' }
  const document = { type: 'document', source, citations: { enabled: true } }
  const messages = [{ role: 'user', content: [document, { type: 'text', text: 'Colour?' }] }]
  const tools = [{ ...weather, defer_loading: true }]
  for (const [model, dropped] of [
    ['claude/one', 'tools.defer_loading'],
    ['lab/one', 'tools.defer_loading, citations'],
  ]) {
    const { headers } = await sendMessage(shared(), account, { model, messages, tools })
    expect([model, headers.get('x-dropped')]).toEqual([model, dropped])
  }
  const [cites] = shared().upstream.asked
  expect(cites?.body.messages[0].content[0].citations).toEqual({ enabled: true })
  expect(cites?.body.tools[0]).not.toHaveProperty('defer_loading')
})

test('objects in place of words are refused', async () => {
  const account = await shared().account(100)
  for (const type of [{ toString: 1 }, 'constructor']) {
    for (const body of [
      { tools: [{ type, name: 'f' }] },
      { messages: [{ role: 'user', content: [{ type }] }] },
      { messages: [...hello, { role: 'assistant', content: [{ type }] }] },
    ]) {
      const { status } = await sendMessage(shared(), account, { model: 'lab/one', ...body })
      expect([body, status]).toEqual([body, 400])
    }
  }
})

describe('caches', () => {
  const cached = { type: 'ephemeral', ttl: '1h' }
  const system = [{ type: 'text', text: 'Be brief.', cache_control: cached }]

  test.each([false, true])(
    'writes for an hour are held for and charged (stream: %s)',
    async (stream) => {
      const account = await shared().account(100)
      const usage = {
        input_tokens: 10,
        cache_read_input_tokens: 20,
        cache_creation_input_tokens: 70,
        cache_creation: { ephemeral_5m_input_tokens: 30, ephemeral_1h_input_tokens: 40 },
      }
      const counting: Behaviour = (it) => {
        const told = (json: string) =>
          json.replaceAll('"input_tokens":100', JSON.stringify(usage).slice(1, -1))
        if (stream) {
          it.openStream()
          for (const event of it.events()) it.response.write(told(event))
          it.response.end()
        } else {
          it.response.writeHead(200, { 'content-type': 'application/json' })
          const answer = { id: 'msg_1', type: 'message', role: 'assistant', content: [], usage: {} }
          it.response.end(
            told(
              JSON.stringify({
                ...answer,
                stop_reason: 'end_turn',
                usage: { input_tokens: 100, output_tokens: 50 },
              }),
            ),
          )
        }
      }
      shared().upstream.behave('one', counting)
      const { message } = await sendMessage(shared(), account, {
        model: 'claude/one',
        stream,
        system,
      })
      expect(message.usage).toMatchObject({ ...usage, output_tokens: 50 })
      // 60 at the rate of the prompt, 40 at twice that.
      await expectSettled(shared(), account, 60 + 80 + 200)
      expect(shared().upstream.asked.at(-1)?.body.system).toEqual(system)
    },
  )
})

describe('counts of tokens', () => {
  const count = async (body: Json) =>
    await sendMessage(
      shared(),
      await shared().account(0),
      { max_tokens: undefined, ...body },
      {
        at: '/api/llm/v1/messages/count_tokens',
      },
    )

  test('the vendor counts for its models, and the gateway estimates for others, for free', async () => {
    expect((await count({ model: 'claude/one' })).body).toEqual({
      input_tokens: 42,
      estimated: false,
      model: 'claude/one',
    })
    const { body } = await count({ model: 'lab/one', system: 'Be brief. '.repeat(100) })
    expect(body).toMatchObject({ estimated: true, model: 'lab/one' })
    expect(body.input_tokens).toBeGreaterThan(200)
    expect(body.input_tokens).toBeLessThan(500)
    expect(shared().upstream.problems).toEqual([])
  })

  test('a vendor that does not count leaves the estimate', async () => {
    shared().upstream.behave('one', refuses(529))
    const { body } = await count({ model: 'claude/one' })
    expect(body).toMatchObject({ estimated: true })
  })

  test('needs an account and a model that is sold', async () => {
    expect((await count({ model: 'lab/none' })).status).toBe(404)
    const stranger = await shared().request('POST', '/api/llm/v1/messages/count_tokens', {
      body: { model: 'lab/one', messages: hello },
    })
    expect([stranger.status, stranger.body.error.type]).toEqual([401, 'authentication_error'])
  })
})
