import { expect, test } from 'vitest'
import { readPriceFile } from '#core/model-price.ts'
import { isSurfaceRow, surfaceRow } from './surface-rows.ts'

const openai = { litellm_provider: 'openai' }

test.each([
  [
    'text-embedding-3-small',
    { ...openai, mode: 'embedding', input_cost_per_token: 2e-8, output_cost_per_token: 0 },
    { surface: 'embeddings', prompt: 20_000, completion: 0 },
  ],
  [
    'whisper-1',
    { ...openai, mode: 'audio_transcription', input_cost_per_second: 0.0001 },
    { surface: 'transcriptions', prompt: 0, completion: 0, minute: 6_000_000_000 },
  ],
  [
    'tts-1',
    { ...openai, mode: 'audio_speech', input_cost_per_character: 1.5e-5 },
    { surface: 'speech', prompt: 0, completion: 0, character: 15_000_000 },
  ],
  [
    'rerank-v3.5',
    { litellm_provider: 'cohere', mode: 'rerank', input_cost_per_query: 0.002 },
    { surface: 'rerank', prompt: 0, completion: 0, search: 2_000_000_000 },
  ],
  [
    'xai/grok-imagine-image',
    { litellm_provider: 'xai', mode: 'image_generation', input_cost_per_image: 0.02 },
    {
      surface: 'images',
      prompt: 0,
      completion: 0,
      pictures: { standard: { '1024x1024': 20_000_000_000 } },
    },
  ],
])('%s is read exactly, in the units of its surface', (name, row, price) => {
  const [slug = '', read] = surfaceRow(name, row) ?? []
  expect(slug).toBe(name.includes('/') ? name : `${row.litellm_provider}/${name}`)
  expect(read).toEqual(price)
  expect(readPriceFile({ source: '', as_of: '2026-01-01', models: { [slug]: read } })).toBeDefined()
})

test('a chat is not a row of another surface', () => {
  expect(isSurfaceRow({ mode: 'chat', input_cost_per_token: 1e-6 })).toBe(false)
})
