import { expect, test } from 'vitest'
import { completeUsage, readUsage } from './usage.ts'

test('reasoning counts as output if only the total includes it', () => {
  // xAI: reasoning is reported separately and not part of the completion.
  const grok = {
    prompt_tokens: 10_120,
    completion_tokens: 1_499,
    total_tokens: 14_428,
    completion_tokens_details: { reasoning_tokens: 2_809 },
  }
  expect(readUsage(grok)?.completionTokens).toBe(1_499 + 2_809)
  // Google: only the total includes it.
  const gemini = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 115 }
  expect(readUsage(gemini)?.completionTokens).toBe(105)
  // OpenAI: reasoning is part of the completion.
  const openAi = {
    prompt_tokens: 10,
    completion_tokens: 105,
    total_tokens: 115,
    completion_tokens_details: { reasoning_tokens: 100 },
  }
  expect(readUsage(openAi)?.completionTokens).toBe(105)
  expect(readUsage({ ...openAi, total_tokens: 90 })?.completionTokens).toBe(105)
  // Other parts of a total are not output.
  expect(readUsage({ ...openAi, total_tokens: 1_000 })?.completionTokens).toBe(205)
})

test.each([
  ['OpenAI', { prompt_tokens_details: { cached_tokens: 80 } }],
  ['DeepSeek', { prompt_cache_hit_tokens: 80, prompt_cache_miss_tokens: 20 }],
  ['Moonshot', { cached_tokens: 80 }],
  [
    'a usage that counts it twice',
    { prompt_cache_hit_tokens: 80, prompt_tokens_details: { cached_tokens: 0 } },
  ],
])('tokens from the cache of %s are told from the others', (_vendor, told) => {
  const usage = readUsage({ prompt_tokens: 100, completion_tokens: 1, ...told })
  expect(usage).toMatchObject({ promptTokens: 100, cacheReadTokens: 80 })
})

test('zeros for a prompt and an answer that are not empty do not count', () => {
  const counts = (promptTokens: number, completionTokens: number) => ({
    promptTokens,
    completionTokens,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
  })
  const complete = (told: [number, number] | undefined, producedBytes: number) => {
    const read = completeUsage(told && counts(...told), counts(7, 100), producedBytes)
    return [read.usage.promptTokens, read.usage.completionTokens, read.isCounted]
  }
  expect(complete(undefined, 600)).toEqual([7, 100, false])
  expect(complete([0, 0], 600)).toEqual([7, 100, false])
  expect(complete([9, 0], 600)).toEqual([9, 100, false])
  expect(complete([0, 5], 600)).toEqual([7, 5, false])
  expect(complete([9, 5], 600)).toEqual([9, 5, true])
  // The model has said nothing.
  expect(complete([9, 0], 0)).toEqual([9, 0, true])
})
