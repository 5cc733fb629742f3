// The caller chooses the route: models to fall back on, and which providers may answer.
import { expect, test } from 'vitest'
import { chat, expectSettled, hello, lastTransaction, shareLlmGateway } from '#test/llm-gateway.ts'
import { late, refuses } from '#test/model-upstream.ts'

/** Both upstreams serve the models of `both`. */
const shared = shareLlmGateway({
  config: (url: string) => ({
    upstreams: {
      lab: { base_url: `${url}/openai/v1`, api_key: 'LAB_API_KEY', serves: ['lab/*', 'both/*'] },
      claude: {
        wire: 'anthropic',
        base_url: `${url}/anthropic`,
        api_key: 'LAB_API_KEY',
        serves: ['claude/*', 'both/*'],
      },
    },
    tiers: { cheap: ['both/one', 'both/two'] },
    no_retention: ['claude'],
    prices: {
      'lab/one': { prompt: 1, completion: 4, parameters: ['max_tokens', 'tools'] },
      'lab/two': { prompt: 10, completion: 40 },
      'lab/three': { prompt: 0.5, completion: 2 },
      'claude/one': { prompt: 2, completion: 8 },
      'both/one': { prompt: 3, completion: 4, parameters: ['max_tokens', 'temperature'] },
      'both/two': { prompt: 1, completion: 1 },
      'both/timed': { prompt: 1, completion: 1 },
      'both/long': {
        prompt: 1,
        completion: 1,
        long_context: [{ above: 1_000, prompt: 9, completion: 9 }],
      },
    },
  }),
})

async function ask(body: object, cents = 1_000) {
  const gateway = shared()
  const account = await gateway.account(cents)
  const reply = await chat(gateway, account, body)
  return {
    reply,
    account,
    model: reply.headers.get('x-model'),
    wires: gateway.upstream.asked.map(({ wire }) => wire),
  }
}

test.each([
  { path: 'responses', body: { input: 'a' } },
  { path: 'messages', body: { max_tokens: 9, messages: [{ role: 'user', content: 'a' }] } },
])(
  '$path falls back on the models, and takes the providers, that its caller names',
  async ({ path, body }) => {
    const gateway = shared()
    gateway.upstream.behave('one', refuses(503))
    const account = await gateway.account(1_000)
    const post = (more: object) =>
      gateway.request('POST', `/api/llm/v1/${path}`, {
        key: account.key,
        body: { ...body, ...more },
      })
    const fallback = await post({ model: 'lab/one', models: ['lab/two'] })
    expect([fallback.status, fallback.headers.get('x-model')]).toEqual([200, 'lab/two'])
    const only = await post({ model: 'both/two', provider: { only: ['claude'] } })
    expect(only.status).toBe(200)
    expect(gateway.upstream.asked.at(-1)?.wire).toBe('anthropic')
  },
)

test('models are asked in their order, and the one that answers is charged', async () => {
  const gateway = shared()
  gateway.upstream.behave('one', refuses(503))
  const { reply, account, model } = await ask({
    model: 'lab/one',
    models: ['lab/two', 'lab/three'],
  })
  expect([reply.status, model, reply.body.model]).toEqual([200, 'lab/two', 'lab/two'])
  expect(gateway.upstream.asked.map((asked) => asked.model)).toEqual(['one', 'two'])
  await expectSettled(gateway, account, 3_000)
  // What it asked for is not passed on.
  expect(gateway.upstream.asked[1]?.body).not.toHaveProperty('models')
  expect((await lastTransaction(account)).inference).toMatchObject({
    requested: 'lab/one',
    model: 'lab/two',
  })
})

test('without model, the first of models is asked first', async () => {
  const { model } = await ask({ models: ['lab/three', 'lab/one'] })
  expect(model).toBe('lab/three')
})

test('the hold covers the dearest of them, unless only cheaper ones can be paid', async () => {
  const gateway = shared()
  const dear = { model: 'lab/three', models: ['lab/two'], max_tokens: 4_000 }
  gateway.upstream.behave('three', refuses(503))
  const rich = await ask(dear)
  expect(rich.model).toBe('lab/two')
  const { timeline } = await lastTransaction(rich.account)
  // 4,000 tokens at 40 dollars per million.
  expect(timeline[0].amount_cents).toBeGreaterThanOrEqual(16)
  gateway.upstream.reset()
  const poor = await ask(dear, 2)
  expect([poor.reply.status, poor.model]).toEqual([200, 'lab/three'])
  await expectSettled(gateway, poor.account, 150)
  const capped = await ask({ ...dear, model: 'lab/two', models: ['lab/three'], max_cost_cents: 2 })
  expect(capped.model).toBe('lab/three')
})

test.each([
  ['order', { order: ['Claude', 'lab'] }, ['anthropic']],
  ['order with a variant', { order: ['claude/eu'] }, ['anthropic']],
  ['only', { only: ['claude'] }, ['anthropic']],
  ['ignore', { ignore: ['lab'] }, ['anthropic']],
  ['zdr', { zdr: true }, ['anthropic']],
  ['data_collection', { data_collection: 'deny' }, ['anthropic']],
  ['nothing', { zdr: false, data_collection: 'allow', allow_fallbacks: true }, ['openai']],
  ['an order of strangers', { order: ['azure'] }, ['openai']],
])('%s chooses the provider', async (_what, provider, expected) => {
  const { reply, wires } = await ask({ model: 'both/one', provider })
  expect([reply.status, wires]).toEqual([200, expected])
  expect(shared().upstream.asked[0]?.body).not.toHaveProperty('provider')
})

test('the next provider answers, unless the caller allows no fallbacks', async () => {
  const gateway = shared()
  const failing = () =>
    gateway.upstream.behave('one', (it) =>
      it.wire === 'anthropic' ? it.refuse(400, { type: 'not_found_error' }) : it.answer(),
    )
  const busy = () =>
    gateway.upstream.behave('one', (it) => (it.wire === 'anthropic' ? it.refuse(529) : it.answer()))
  busy()
  const moved = await ask({ model: 'both/one', provider: { order: ['claude'] } })
  expect([moved.reply.status, moved.wires.at(-1)]).toEqual([200, 'openai'])
  gateway.upstream.reset()
  busy()
  const stays = await ask({
    model: 'both/one',
    provider: { order: ['claude'], allow_fallbacks: false },
  })
  expect(stays.reply.body.error.code).toBe('upstream_error')
  expect(new Set(stays.wires)).toEqual(new Set(['anthropic']))
  await expectSettled(gateway, stays.account, 0)
  gateway.upstream.reset()
  failing()
  const first = await ask({ model: 'both/one', provider: { allow_fallbacks: false } })
  expect(first.wires).toEqual(['openai'])
})

test('max_price leaves out what costs more, also the rates of a long prompt', async () => {
  const cheap = await ask({
    model: 'lab/two',
    models: ['lab/one'],
    provider: { max_price: { prompt: 1, completion: '4.0' } },
  })
  expect(cheap.model).toBe('lab/one')
  const messages = (characters: number) => [{ role: 'user', content: 'x '.repeat(characters / 2) }]
  const provider = { max_price: { prompt: 2 } }
  const short = await ask({ model: 'both/long', provider, messages: messages(100) })
  expect(short.reply.status).toBe(200)
  const long = await ask({ model: 'both/long', provider, messages: messages(4_000) })
  expect([long.reply.status, long.reply.body.error.param]).toEqual([404, 'provider'])
})

test('require_parameters leaves out models that do not take what is sent', async () => {
  const provider = { require_parameters: true }
  const { model } = await ask({
    model: 'lab/one',
    models: ['both/one'],
    temperature: 1,
    max_tokens: 5,
    user: 'u',
    provider,
  })
  expect(model).toBe('both/one')
  // What the parameters of a model are is not known, so it is left out.
  const unknown = await ask({ model: 'lab/two', max_tokens: 5, provider })
  expect(unknown.reply.status).toBe(404)
})

test('require_parameters reads the fields of responses and messages by what they mean', async () => {
  const gateway = shared()
  const account = await gateway.account(1_000)
  const provider = { require_parameters: true }
  const told = { model: 'lab/one', models: ['both/one'], provider, temperature: 1 }
  for (const [path, body] of [
    ['responses', { ...told, input: 'Hello', max_output_tokens: 50 }],
    ['messages', { ...told, messages: hello, max_tokens: 50 }],
  ] as const) {
    const reply = await gateway.request('POST', `/api/llm/v1/${path}`, { key: account.key, body })
    expect([path, reply.status, reply.headers.get('x-model')]).toEqual([path, 200, 'both/one'])
  }
})

test('sort by price orders the models of a tier, or all of them', async () => {
  const tier = await ask({ model: 'tollway/cheap', provider: { sort: 'price' } })
  expect(tier.model).toBe('both/two')
  const within = await ask({ model: 'lab/two', models: ['lab/one'], provider: { sort: 'price' } })
  expect(within.model).toBe('lab/two')
  const sort = { by: 'price', partition: 'none' }
  const all = await ask({ model: 'lab/two', models: ['lab/one'], provider: { sort } })
  expect(all.model).toBe('lab/one')
})

test('latency and throughput are measured for each route, shown, and sorted by', async () => {
  const gateway = shared()
  const askOnly = (only: string) =>
    ask({ model: 'both/timed', stream: true, provider: { only: [only] } })
  const startedAtMs = performance.now()
  await askOnly('claude')
  // However busy the machine is, the other route is slower.
  const slowMs = Math.ceil(1_000 + 2 * (performance.now() - startedAtMs))
  const slow = late(slowMs)
  gateway.upstream.behave('timed', (it) => (it.wire === 'openai' ? slow(it) : it.answer()))
  await askOnly('lab')
  const { body } = await gateway.request('GET', '/api/llm/v1/models/both/timed/endpoints')
  expect(body.data).toMatchObject({
    id: 'both/timed',
    endpoints: [
      {
        provider_name: 'lab',
        status: 0,
        no_retention: false,
        pricing: { prompt: '0.000001' },
        latency_last_30m: { p50: expect.any(Number), p99: expect.any(Number) },
        throughput_last_30m: { p50: expect.any(Number) },
        answers_last_30m: 1,
      },
      { provider_name: 'claude', no_retention: true },
    ],
  })
  const [lab, claude] = body.data.endpoints
  expect(lab.latency_last_30m.p50).toBeGreaterThanOrEqual(slowMs)
  expect(claude.latency_last_30m.p50).toBeLessThan(lab.latency_last_30m.p50)
  expect(claude.throughput_last_30m.p50).toBeGreaterThan(lab.throughput_last_30m.p50)
  for (const sort of ['latency', 'throughput']) {
    gateway.upstream.reset()
    const sorted = await ask({ model: 'both/timed', provider: { sort } })
    expect(sorted.wires).toEqual(['anthropic'])
  }
  const routes = await gateway.request('GET', '/api/v1/admin/models/routes', {
    key: 'operator-token-of-the-tests',
  })
  expect(routes.body.routes).toContainEqual(
    expect.objectContaining({ model: 'both/timed', provider: 'lab', failing: false, answers: 1 }),
  )
  const none = await gateway.request('GET', '/api/llm/v1/models/both/none/endpoints')
  expect([none.status, none.body.error.code]).toEqual([404, 'not_found'])
})

test.each([
  [{ models: [] }, 'models'],
  [{ models: 'lab/one' }, 'models'],
  [{ models: [1] }, 'models'],
  [{ models: Array.from({ length: 11 }, () => 'lab/one') }, 'models'],
  [{ provider: 'lab' }, 'provider'],
  [{ provider: { quantizations: ['fp8'] } }, 'provider.quantizations'],
  [{ provider: { only: [] } }, 'provider.only'],
  [{ provider: { sort: 'beauty' } }, 'provider.sort'],
  [{ provider: { sort: { by: 'price', partition: 'x' } } }, 'provider.sort.partition'],
  [{ provider: { zdr: 'yes' } }, 'provider.zdr'],
  [{ provider: { data_collection: 'maybe' } }, 'provider.data_collection'],
  [{ provider: { max_price: { image: 1 } } }, 'provider.max_price'],
  [{ provider: { max_price: { prompt: -1 } } }, 'provider.max_price.prompt'],
  [{ provider: { allow_fallbacks: 1 } }, 'provider.allow_fallbacks'],
  [{ route: 'fallback' }, 'route'],
])('%o is refused, and names the field', async (wrong, param) => {
  const { reply } = await ask({ model: 'lab/one', ...wrong })
  expect([reply.status, reply.body.error.param]).toEqual([400, param])
  expect(shared().upstream.asked).toEqual([])
})

test('a model that is not sold is refused among models too, and so are providers that do not serve', async () => {
  const unknown = await ask({ model: 'lab/one', models: ['lab/none'] })
  expect([unknown.reply.status, unknown.reply.body.error.code]).toEqual([404, 'not_found'])
  const { reply, account } = await ask({
    model: 'lab/one',
    provider: { only: ['claude', 'azure'] },
  })
  expect([reply.status, reply.body.error.code]).toEqual([404, 'not_found'])
  expect(reply.body.error.message).toContain('It is served by lab.')
  expect(await account.state()).toMatchObject({ transactions: 0 })
})
