import { expect, test } from 'vitest'
import { readPriceFile } from '#core/model-price.ts'
import { rowsOf } from './rows.ts'

/** The rows as the gateway reads them from its file. */
const read = (json: unknown) =>
  readPriceFile({ source: 's', as_of: '2026-07-02', models: Object.fromEntries(rowsOf(json)) })
    .models

test('models.dev tells prices, context and what a model takes', () => {
  const models = read({
    openrouter: {
      models: {
        'anthropic/claude-opus-4.8': {
          name: 'Claude Opus 4.8',
          release_date: '2026-05-28',
          temperature: false,
          tool_call: true,
          reasoning: true,
          structured_output: true,
          modalities: { input: ['text', 'image', 'pdf'], output: ['text'] },
          limit: { context: 1_000_000, output: 128_000 },
          cost: {
            input: 5,
            output: 25,
            cache_read: 0.5,
            cache_write: 6.25,
            tiers: [{ input: 10, output: 37.5, tier: { type: 'context', size: 200_000 } }],
          },
        },
        'a/month': { release_date: '2025-08', cost: { input: 0, output: 0 } },
        'a/unpriced': { limit: { context: 1 } },
      },
    },
  })
  expect(models).toEqual({
    'anthropic/claude-opus-4.8': {
      prompt: 5_000_000,
      completion: 25_000_000,
      cache_read: 500_000,
      cache_write: 6_250_000,
      context: 1_000_000,
      output: 128_000,
      long_context: [{ above: 200_000, prompt: 10_000_000, completion: 37_500_000 }],
      name: 'Claude Opus 4.8',
      released: '2026-05-28',
      input: ['text', 'image', 'file'],
      parameters: [
        'include_reasoning',
        'max_tokens',
        'reasoning',
        'response_format',
        'structured_outputs',
        'tool_choice',
        'tools',
      ],
    },
    'a/month': { prompt: 0, completion: 0 },
  })
})

test('OpenRouter tells prices as text, and searches are not among the parameters that are sold', () => {
  const models = read({
    data: [
      {
        id: 'perceptron/mk1',
        name: 'Perceptron: Mk1',
        created: 1_778_597_029,
        context_length: 32_768,
        architecture: { input_modalities: ['text', 'video'] },
        pricing: { prompt: '0.00000015', completion: '0.0000000833333', input_cache_read: '0' },
        top_provider: { max_completion_tokens: 8_192 },
        supported_parameters: ['tools', 'web_search_options', 'max_completion_tokens'],
      },
      { id: 'openrouter/auto', pricing: { prompt: '-1', completion: '-1' } },
    ],
  })
  expect(models).toEqual({
    'perceptron/mk1': {
      prompt: 150_000,
      // Rounded to a picodollar.
      completion: 83_333,
      cache_read: 0,
      context: 32_768,
      output: 8_192,
      name: 'Mk1',
      released: '2026-05-12',
      input: ['text', 'video'],
      parameters: ['max_completion_tokens', 'max_tokens', 'tools'],
    },
  })
})

test('a LiteLLM map tells dollars per token as numbers', () => {
  const row = {
    input_cost_per_token: 1.5e-7,
    output_cost_per_token: 6e-7,
    max_input_tokens: 128_000,
  }
  expect(read({ 'openai/gpt-4o-mini': row })).toEqual({
    'openai/gpt-4o-mini': { prompt: 150_000, completion: 600_000, context: 128_000 },
  })
})
