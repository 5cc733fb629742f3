// The direct actions of the model vendors without their keys: the gateway's own router serves them where it can.
import { expect, test } from 'vitest'
import { shareLlmGateway } from '#test/llm-gateway.ts'
import { sentence } from '#test/model-upstream.ts'

const messages = [{ role: 'user', content: 'Hello!' }]

/** A gateway with one upstream of its own, which serves these models. */
const serving = (models: string) =>
  shareLlmGateway({
    config: (url: string) => ({
      upstreams: {
        lab: {
          base_url: `${url}/openai/v1`,
          api_key: 'LAB_API_KEY',
          serves: [models],
          whole_slug: true,
        },
      },
      tiers: undefined,
      prices: undefined,
    }),
  })
const openai = serving('openai/*')
const anthropic = serving('anthropic/*')

test('ns_llm_b/chat is answered and charged as by its vendor, and names the provider', async () => {
  const gateway = openai()
  const account = await gateway.account(1_000)
  const described = await gateway.request('GET', '/api/run/ns_llm_b/chat')
  expect(described.body.mode).toBe('embedded')
  const { status, body } = await account.call('ns_llm_b/chat', {
    model: 'gpt-4o-mini',
    messages,
    max_tokens: 200,
    temperature: 0.5,
  })
  expect(status).toBe(200)
  expect(body).toMatchObject({
    charged_usd: '0.000045',
    data: {
      provider: 'lab',
      model: 'gpt-4o-mini',
      choices: [{ message: { content: sentence.join('') }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 100, completion_tokens: 50, total_tokens: 150 },
    },
  })
  expect(gateway.upstream.asked[0]?.body).toMatchObject({
    model: 'openai/gpt-4o-mini',
    max_tokens: 200,
    temperature: 0.5,
  })
  const transaction = await account.get(`/api/v1/transactions/${body.transaction_id}`)
  expect(JSON.stringify(transaction.body)).toContain('"lab"')
})

test('ns_llm_a/messages answers in its vendor’s own format', async () => {
  const gateway = anthropic()
  const account = await gateway.account(1_000)
  const { status, body } = await account.call('ns_llm_a/messages', {
    model: 'claude-haiku-4-5-20251001',
    max_tokens: 300,
    system: 'Be short.',
    messages,
    stop_sequences: ['END'],
  })
  expect(status).toBe(200)
  expect(body).toMatchObject({
    charged_usd: '0.000350',
    data: {
      provider: 'lab',
      type: 'message',
      role: 'assistant',
      model: 'claude-haiku-4-5-20251001',
      content: [{ type: 'text', text: sentence.join('') }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 100, output_tokens: 50, cache_read_input_tokens: 0 },
    },
  })
  expect(gateway.upstream.asked[0]?.body).toMatchObject({
    model: 'anthropic/claude-haiku-4.5',
    max_tokens: 300,
    messages: [{ role: 'system', content: 'Be short.' }, ...messages],
    stop: ['END'],
  })
})

test('ns_router/chat serves the models of its upstreams, and refuses others before anything is held', async () => {
  const gateway = openai()
  const account = await gateway.account(1_000)
  const served = await account.call('ns_router/chat', { model: 'openai/gpt-4o-mini', messages })
  expect(served.body).toMatchObject({ ok: true, data: { provider: 'lab' } })
  expect(gateway.upstream.asked[0]?.body.max_tokens).toBe(4_096)
  const refused = await account.call('ns_router/chat', {
    model: 'mistralai/mistral-nemo',
    messages,
  })
  expect([refused.status, refused.body.error]).toEqual([503, 'provider_not_configured'])
  expect(refused.body.message).toContain(
    'No upstream of this gateway serves mistralai/mistral-nemo',
  )
  expect(await account.state()).toMatchObject({ heldCents: 0, transactions: 1 })
  for (const id of ['ns_llm_a/messages', 'ns_llm_b/embeddings', 'ns_llm_b/image-generate']) {
    const { body } = await gateway.request('GET', `/api/run/${id}`)
    expect([id, body.mode]).toEqual([id, 'unavailable'])
  }
})

test('a failure of the upstream is charged nothing', async () => {
  const gateway = openai()
  const account = await gateway.account(1_000)
  gateway.upstream.behave('openai/gpt-4o-mini', (exchange) => exchange.refuse(400))
  const { status } = await account.call('ns_router/chat', { model: 'openai/gpt-4o-mini', messages })
  expect(status).toBe(400)
  expect(await account.state()).toMatchObject({ availableCents: 1_000, heldCents: 0 })
})
