// What GET /api/llm/v1/models tells about the models that can be called now.
import { expect, test } from 'vitest'
import { shippedPrices } from '#catalog/lib/model-prices.ts'
import type { ModelPrice } from '#core/model-price.ts'
import { labPrice, shareLlmGateway } from '#test/llm-gateway.ts'

/** Everything of the shipped map is served by one upstream, and a model that only the operator knows. */
const shared = shareLlmGateway({
  config: (url: string) => ({
    upstreams: {
      lab: {
        base_url: `${url}/openai/v1`,
        api_key: 'LAB_API_KEY',
        serves: [...shippedPrices.entries()].map(([slug]) => slug).concat('lab/*'),
        whole_slug: true,
      },
    },
    tiers: {
      cheap: ['openai/gpt-5-nano', 'deepseek/deepseek-v4-flash'],
      mid: ['lab/told', 'lab/long'],
      best: ['lab/one'],
    },
    prices: {
      'lab/one': labPrice,
      'lab/told': { ...labPrice, context: 8_000, input: ['text', 'image'], parameters: ['tools'] },
      'openai/gpt-5-nano': { prompt: 0.06, completion: 0.3 },
      'lab/long': {
        prompt: 0.5,
        completion: 2,
        context: 100_000,
        long_context: [
          { above: 1_000, prompt: 2, completion: 3 },
          { above: 8_000, prompt: 9, completion: 9 },
        ],
      },
    },
  }),
})

const isOfChats = (price: ModelPrice | undefined) =>
  price !== undefined && price.surface === undefined

async function listed() {
  const { body } = await shared().request('GET', '/api/llm/v1/models')
  return body.data as (Record<string, unknown> & { id: string })[]
}

test('every model of the shipped map has its context, what it reads, its parameters and its price', async () => {
  const rows = await listed()
  const shipped = rows.filter(({ id }) => isOfChats(shippedPrices.find(id)))
  expect(shipped).toHaveLength(
    [...shippedPrices.entries()].filter(([, price]) => isOfChats(price)).length,
  )
  for (const row of shipped)
    expect.soft(row).toMatchObject({
      object: 'model',
      name: expect.any(String),
      context_length: expect.any(Number),
      architecture: {
        input_modalities: expect.arrayContaining(['text']),
        output_modalities: ['text'],
      },
      pricing: {
        prompt: expect.stringMatching(/^\d+(\.\d+)?$/),
        completion: expect.stringMatching(/^\d+(\.\d+)?$/),
      },
      top_provider: { max_completion_tokens: expect.any(Number) },
      supported_parameters: expect.arrayContaining(['max_tokens']),
    })
  const opus = await shared().request('GET', '/api/llm/v1/models/anthropic/claude-opus-4.8')
  expect(opus.body).toMatchObject({
    id: 'anthropic/claude-opus-4.8',
    name: 'Claude Opus 4.8',
    created: Date.parse('2026-05-28') / 1_000,
    context_length: 1_000_000,
    architecture: { modality: 'text+image->text' },
    pricing: { prompt: '0.000005', completion: '0.000025', input_cache_read: '0.0000005' },
    supported_parameters: expect.arrayContaining(['tools', 'structured_outputs']),
  })
})

test('every model of another surface says which, what it answers with, and the price of its unit', async () => {
  const rows = await listed()
  const others = [...shippedPrices.entries()].filter(([, price]) => price.surface !== undefined)
  expect(others.length).toBeGreaterThan(10)
  for (const [slug, { surface }] of others)
    expect.soft(rows.find(({ id }) => id === slug)).toMatchObject({ object: 'model', surface })
  expect(rows.find(({ id }) => id === 'openai/tts-1')).toMatchObject({
    surface: 'speech',
    unit_prices: { usd_per_million_characters: 15 },
    architecture: { modality: 'text->speech', output_modalities: ['speech'] },
  })
  const endpoints = await shared().request('GET', '/api/llm/v1/models/openai/whisper-1/endpoints')
  expect(endpoints.body).toMatchObject({ data: { endpoints: [{ provider_name: 'lab' }] } })
})

test('a tier lists its members with the least context, what all of them take, and the dearest price', async () => {
  const rows = await listed()
  const one = shippedPrices.find('openai/gpt-5-nano')
  const other = shippedPrices.find('deepseek/deepseek-v4-flash')
  const tier = rows.find(({ id }) => id === 'tollway/cheap')
  expect(tier).toMatchObject({
    members: ['openai/gpt-5-nano', 'deepseek/deepseek-v4-flash'],
    context_length: Math.min(one?.context ?? 0, other?.context ?? 0),
    architecture: { input_modalities: ['text'] },
    // The operator's prices: 0.06 and 0.3 dollars per million tokens.
    pricing: { prompt: expect.any(String), completion: '0.0000003' },
  })
  const common = tier?.supported_parameters as string[]
  expect(common).toContain('tools')
  for (const name of common) {
    expect(one?.parameters).toContain(name)
    expect(other?.parameters).toContain(name)
  }
})

test('a tier says what its dearest member costs with a long prompt, up to its context', async () => {
  const tier = (await listed()).find(({ id }) => id === 'tollway/mid')
  expect(tier).toMatchObject({
    context_length: 8_000,
    pricing: {
      prompt: '0.000001',
      completion: '0.000004',
      overrides: [{ min_prompt_tokens: 1_001, prompt: '0.000002', completion: '0.000004' }],
    },
  })
})

test('a model of the operator says what he tells about it, and null for a context that is not known', async () => {
  const rows = await listed()
  expect(rows.find(({ id }) => id === 'lab/one')).toMatchObject({
    context_length: null,
    supported_parameters: [],
  })
  expect(rows.find(({ id }) => id === 'tollway/best')).toMatchObject({ context_length: null })
  expect(rows.find(({ id }) => id === 'lab/told')).toMatchObject({
    context_length: 8_000,
    architecture: { input_modalities: ['text', 'image'] },
    supported_parameters: ['tools'],
  })
  // A price of the operator leaves the facts of the shipped map as they are.
  expect(rows.find(({ id }) => id === 'openai/gpt-5-nano')).toMatchObject({
    context_length: shippedPrices.find('openai/gpt-5-nano')?.context,
    pricing: { prompt: '0.00000006' },
  })
})
