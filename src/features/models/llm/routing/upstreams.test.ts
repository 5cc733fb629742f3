import { expect, test } from 'vitest'
import { shippedPrices } from '#catalog/lib/model-prices.ts'
import { priceOfUsage } from '#core/model-price.ts'
import { llmSettings, tiersDefault } from './settings.ts'
import { createUpstreams } from './upstreams.ts'

const settings = llmSettings.parse({
  upstreams: {
    vllm: {
      base_url: 'http://10.0.0.5:8000/v1/',
      api_key: 'VLLM_API_KEY',
      serves: ['meta-llama/*', 'qwen/one'],
      names: { 'meta-llama/special': 'mine' },
      headers: { 'x-team': 'a' },
    },
  },
})
const variables = new Map(
  ['VLLM', 'ANTHROPIC', 'NS_LLM_B', 'OPENROUTER'].map((name) => [`${name}_API_KEY`, `${name}-key`]),
)
const upstreams = createUpstreams(settings, variables)
const routes = (slug: string) =>
  upstreams.flatMap(({ name, nameOf }) => {
    const called = nameOf(slug)
    return called === undefined ? [] : [`${name}: ${called}`]
  })

test.each([
  [
    'anthropic/claude-haiku-4.5',
    ['anthropic: claude-haiku-4-5', 'openrouter: anthropic/claude-haiku-4.5'],
  ],
  ['anthropic/claude-opus-4.8-fast', ['openrouter: anthropic/claude-opus-4.8-fast']],
  ['openai/gpt-5-nano', ['openai: gpt-5-nano', 'openrouter: openai/gpt-5-nano']],
  ['openai/gpt-oss-120b', ['openrouter: openai/gpt-oss-120b']],
  ['openai/o3-mini-high', ['openrouter: openai/o3-mini-high']],
  ['meta-llama/llama-3', ['vllm: llama-3', 'openrouter: meta-llama/llama-3']],
  ['meta-llama/special', ['vllm: mine', 'openrouter: meta-llama/special']],
  ['qwen/one', ['vllm: one', 'openrouter: qwen/one']],
])('%s is asked of its vendor before the router', (slug, expected) => {
  expect(routes(slug)).toEqual(expected)
})

test('an upstream without its key stops the start, and the error names the variable', () => {
  expect(() => createUpstreams(settings, new Map())).toThrow('VLLM_API_KEY')
  expect(upstreams[0]).toMatchObject({
    origin: 'http://10.0.0.5:8000',
    basePath: '/v1',
    headers: { authorization: 'Bearer VLLM-key', 'x-team': 'a' },
  })
})

// Source: spec, "Language-model router": typical prices per call, here of 1000 tokens read and 500 written.
test.each([
  ['cheap', 0, 0.1],
  ['mid', 0.1, 1],
  ['best', 1, 3],
] as const)('a call of tier %s costs %d to %d cents, at several vendors', (tier, least, most) => {
  const usage = {
    promptTokens: 1_000,
    completionTokens: 500,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
  }
  for (const slug of tiersDefault[tier]) {
    const price = shippedPrices.find(slug)
    if (price === undefined) throw new Error(`${slug} has no price.`)
    const cents = priceOfUsage(price, usage) / 10_000
    expect(cents).toBeGreaterThanOrEqual(least)
    expect(cents).toBeLessThanOrEqual(most)
  }
  expect(new Set(tiersDefault[tier].map((slug) => slug.split('/')[0])).size).toBeGreaterThan(1)
})

test.each([
  { upstreams: { x: { base_url: 'ftp://a' } } },
  { upstreams: { x: { base_url: 'http://a', api_key: 'sk-secret' } } },
  { tiers: { huge: ['a/b'] } },
  { prices: { 'a/b': { prompt: -1, completion: 1 } } },
  { prices: { 'a/b': { prompt: 1 } } },
  { timeouts: { idle_ms: 0 } },
])('%o is not a configuration', (wrong) => {
  expect(llmSettings.safeParse(wrong).success).toBe(false)
})

test.each([
  { surface: 'embeddings', context: 100 },
  { surface: 'images', picture_tokens: { low: { '1x1': 9 } } },
  { surface: 'transcriptions', audio_prompt: 6 },
])('%o leaves out what its surface counts, so it is not sold for nothing', (price) => {
  const read = llmSettings.safeParse({ prices: { 'lab/one': price } })
  expect(read.error?.issues[0]?.message).toContain('has no price')
  const free = { ...price, prompt: 0, completion: 0 }
  expect(llmSettings.safeParse({ prices: { 'lab/one': free } }).success).toBe(true)
})
