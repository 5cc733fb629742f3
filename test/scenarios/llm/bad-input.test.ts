// Invalid chats are refused with a sentence before anything is held or sent.
import { expect, test } from 'vitest'
import type { TestAccount } from '#test/harness.ts'
import { chat, hello, llmConfig, shareLlmGateway, startLlmGateway } from '#test/llm-gateway.ts'

const shared = shareLlmGateway()
let account: TestAccount | undefined

async function post(raw: string, headers: Record<string, string> = {}) {
  account ??= await shared().account(1_000)
  const reply = await shared().request('POST', '/api/llm/v1/chat/completions', {
    key: account.key,
    raw,
    headers,
  })
  expect(shared().upstream.asked).toEqual([])
  expect(await account.state()).toEqual({ availableCents: 1_000, heldCents: 0, transactions: 0 })
  return reply
}
const deep = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const picture = (url: string) => ({
  messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }],
})
const tool = (parts: object) => ({
  tools: [{ type: 'function', function: { name: 'f', ...parts } }],
})

const bodies: [string, unknown, string?][] = [
  ['a list', []],
  ['null', null],
  ['a text', 'hi'],
  ...[undefined, 7, '', 'x'.repeat(10_000)].map((model): [string, unknown, string] => [
    `model ${String(model).slice(0, 20)}`,
    { model },
    'model',
  ]),
  ...[
    undefined,
    [],
    {},
    'hi',
    [null],
    [{}],
    [{ role: 'king', content: 'x' }],
    [{ role: 'user' }],
    [{ role: 'user', content: 7 }],
    [{ role: 'user', content: [] }],
    [{ role: 'user', content: [{ type: 'input_audio' }] }],
    [{ role: 'user', content: [{ type: 'file', file: {} }] }],
    [{ role: 'tool', content: 'x' }],
    [{ role: 'assistant', content: null }],
    [{ role: 'assistant', tool_calls: [{}] }],
    Array.from({ length: 50_000 }, () => hello[0]),
  ].map((messages, place): [string, unknown] => [`messages ${place}`, { messages }]),
  ...[
    'file:///etc/passwd',
    'javascript:alert(1)',
    'http://127.0.0.1/x.png',
    'http://localhost/x',
    'https://169.254.169.254/latest',
    'https://[::1]/x',
    'http://intranet/x.png',
    'https://db.internal/x',
    'https://user:pass@example.org/x.png',
    'data:text/html;base64,AAAA',
    'data:image/png;base64,a"b',
    '',
  ].map((url): [string, unknown] => [`picture ${url}`, picture(url)]),
  ...[0, -5, 1.5, '100', 16_385, 1e9, true].map((max_tokens): [string, unknown, string] => [
    `max_tokens ${max_tokens}`,
    { max_tokens },
    'max_tokens',
  ]),
  ['two limits that disagree', { max_tokens: 5, max_completion_tokens: 6 }, 'max_tokens'],
  ...[0, 9, 129, 1e9, 1.5, '2'].map((n): [string, unknown, string] => [`n ${n}`, { n }, 'n']),
  ...[9, -1, 'x'].map((temperature): [string, unknown, string] => [
    `temperature ${temperature}`,
    { temperature },
    'temperature',
  ]),
  ['five stops', { stop: ['a', 'b', 'c', 'd', 'e'] }, 'stop'],
  ['stream as a text', { stream: 'true' }, 'stream'],
  [
    'stream_options without a stream',
    { stream_options: { include_usage: true } },
    'stream_options',
  ],
  [
    'a large logit_bias',
    { logit_bias: Object.fromEntries(Array.from({ length: 1_000 }, (_, id) => [id, 1])) },
    'logit_bias',
  ],
  ['a thousand tools', { tools: Array.from({ length: 1_000 }, () => tool({}).tools[0]) }, 'tools'],
  ['a tool with a bad name', tool({ name: 'a b' }), 'tools.0.function.name'],
  ['a provider’s own tool', { tools: [{ type: 'web_search' }] }, 'tools.0'],
  ['a tool with a schema that never ends', tool({ parameters: { a: JSON.parse(deep(200)) } })],
  ['a choice among no tools', { tool_choice: 'required' }, 'tool_choice'],
  [
    'a choice of another tool',
    { ...tool({}), tool_choice: { type: 'function', function: { name: 'g' } } },
    'tool_choice',
  ],
  ['an unknown response_format', { response_format: { type: 'xml' } }, 'response_format'],
  ...[
    'provider',
    'route',
    'transforms',
    'plugins',
    'web_search_options',
    'audio',
    'prediction',
    'functions',
  ].map((name): [string, unknown, string] => [name, { [name]: ['x'] }, name]),
  ['sound as output', { modalities: ['text', 'audio'] }, 'modalities'],
  ['another service tier', { service_tier: 'priority' }, 'service_tier'],
  ['a long user', { user: 'x'.repeat(10_000) }, 'user'],
  ...[-1, 1.5, '5', null].map((max_cost_cents): [string, unknown, string] => [
    `max_cost_cents ${max_cost_cents}`,
    { max_cost_cents },
    'max_cost_cents',
  ]),
]

test.each(bodies)('%s is a bad request', async (_name, body, param) => {
  const isFields = typeof body === 'object' && body !== null && !Array.isArray(body)
  const { status, body: answer } = await post(
    JSON.stringify(isFields ? { model: 'lab/one', messages: hello, ...body } : body),
  )
  expect(status).toBe(400)
  expect(answer).toMatchObject({
    ok: false,
    error: {
      code: 'bad_request',
      type: 'invalid_request_error',
      message: expect.stringMatching(/\.$/),
    },
  })
  if (param !== undefined) expect(answer.error.param).toBe(param)
})

test.each([
  ['nothing', '', 400],
  ['no JSON', '{"model":', 400],
  [
    'not a number',
    '{"model":"lab/one","messages":[{"role":"user","content":"x"}],"max_tokens":NaN}',
    400,
  ],
  ['ten megabytes and a byte', `"${'x'.repeat(10_000_000)}"`, 413],
  ['brackets without end', deep(10_000), 400],
  [
    'brackets without end in a field',
    `{"model":"lab/one","messages":[{"role":"user","content":"x"}],"modalities":${deep(50_000)}}`,
    400,
  ],
])('%s', async (_name, raw, status) => {
  expect((await post(raw)).status).toBe(status)
})

test.each([
  'lab/none?',
  'lab/..',
  'LAB/ONE',
  'lab/one ',
  'other/cheap',
  'tollway/none',
  'tollway/cheap/x',
  'constructor',
  '__proto__',
])('model %s is not found', async (model) => {
  const { status, body } = await post(JSON.stringify({ model, messages: hello }))
  expect([status, body.error.code, body.error.param]).toEqual([404, 'not_found', 'model'])
})

test('a model with a price but without an upstream is not sold', async () => {
  const { status, body } = await post(JSON.stringify({ model: 'openai/gpt-4o', messages: hello }))
  expect([status, body.error.code]).toEqual([503, 'provider_not_configured'])
})

test('a chat without a key is refused with an error in the form that clients read', async () => {
  for (const key of [undefined, '', 'tw_live_wrong']) {
    const { status, body } = await shared().request('POST', '/api/llm/v1/chat/completions', {
      key,
      body: {},
    })
    expect(status).toBe(401)
    expect(body).toMatchObject({
      ok: false,
      error: { code: 'invalid_token', type: 'authentication_error' },
    })
  }
})

test.each([
  [
    'a doubled key says what it says last',
    '{"model":"x","model":"lab/one","messages":[{"role":"user","content":"a"}]}',
    { messages: [{ role: 'user', content: 'a' }] },
  ],
  [
    'a name of the language goes nowhere',
    '{"__proto__":{"n":5},"constructor":1,"model":"lab/one","messages":[{"role":"user","content":"a","__proto__":{"x":1}}]}',
    { messages: [{ role: 'user', content: 'a' }] },
  ],
  [
    'half a character and a NUL arrive as they are',
    '{"model":"lab/one","messages":[{"role":"user","content":"\\ud800 \\u0000"}]}',
    { messages: [{ role: 'user', content: '\ud800 \0' }] },
  ],
])('%s', async (_name, raw, sent) => {
  const own = await shared().account(100)
  const { status } = await shared().request('POST', '/api/llm/v1/chat/completions', {
    key: own.key,
    raw,
  })
  expect(status).toBe(200)
  expect(shared().upstream.asked[0]?.body).toEqual({ model: 'one', max_tokens: 4_096, ...sent })
})

test('fields of clients that change nothing are accepted, and no vendor stores anything', async () => {
  const own = await shared().account(100)
  const reply = await chat(shared(), own, {
    model: 'lab/one',
    max_tokens: null,
    max_completion_tokens: null,
    prompt_cache_key: 'a',
    metadata: { topic: 'x' },
    store: true,
  })
  expect(reply.status).toBe(200)
  expect(shared().upstream.asked[0]?.body).toEqual({
    model: 'one',
    max_tokens: 4_096,
    messages: hello,
  })
})

test('prompt_cache_key is passed on to an upstream that accepts it', async () => {
  const knowing = await startLlmGateway({
    config: (url: string) => {
      const { upstreams } = llmConfig(url)
      upstreams.lab.prompt_cache_key = true
      return { upstreams }
    },
  })
  const own = await knowing.account(100)
  await chat(knowing, own, { model: 'lab/one', prompt_cache_key: 'a' })
  expect(knowing.upstream.asked[0]?.body).toMatchObject({ prompt_cache_key: 'a' })
})

test.each([
  ['GET', '/api/llm/v1/chat/completions', 405, 'method_not_allowed'],
  ['POST', '/api/llm/v1/models', 405, 'method_not_allowed'],
  ['POST', '/api/llm/v1/completions', 404, 'not_found'],
  ['GET', '/api/llm/v1/', 404, 'not_found'],
] as const)('%s %s is an error in the same form', async (method, path, status, code) => {
  const reply = await shared().request(method, path)
  expect([reply.status, reply.body]).toMatchObject([
    status,
    { ok: false, error: { code, type: 'invalid_request_error', message: expect.any(String) } },
  ])
})
