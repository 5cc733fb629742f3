import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import shippedFile from '#catalog/lib/model-prices.json' with { type: 'json' }
import { shippedPrices } from '#catalog/lib/model-prices.ts'
import {
  type ModelPrice,
  picoToUsd,
  priceOfSurface,
  priceOfUsage,
  rateToUsdPerMillion,
  rateToUsdPerToken,
  readPriceFile,
  readUsd,
  readUsdPerMillion,
  worstPrice,
} from './model-price.ts'

test.each([
  [0.04815, 48_150],
  ['0.04815', 48_150],
  [600, 600_000_000],
  ['0', 0],
  [0.000001, 1],
  ['2.50', 2_500_000],
])('%s dollars per million tokens are %i picodollars per token', (usd, pico) => {
  expect(readUsdPerMillion(usd)).toBe(pico)
  expect(readUsdPerMillion(rateToUsdPerMillion(pico))).toBe(pico)
})

test.each([
  [0, '0'],
  [1, '0.000000000001'],
  [300_000, '0.0000003'],
  [1_000_000_000_000, '1'],
])('%i picodollars per token are %s dollars', (pico, usd) => {
  expect(rateToUsdPerToken(pico)).toBe(usd)
})

test('the shipped file is valid, and reading it changes nothing', () => {
  expect(readPriceFile(shippedFile)).toEqual(shippedFile)
})

test('the shipped map knows the name, context and parameters of every model that chats, and what it reads', () => {
  for (const [slug, price] of shippedPrices.entries()) {
    if (price.surface !== undefined) continue
    const { name, context, output, input, parameters } = price
    expect.soft([slug, name, context, output]).not.toContain(undefined)
    expect.soft([slug, input]).toEqual([slug, expect.arrayContaining(['text'])])
    expect.soft([slug, parameters]).toEqual([slug, expect.arrayContaining(['max_tokens'])])
  }
})

test.each([-1, Number.NaN, Infinity, '1e3', '', '0.0000001', 'free'])(
  '%s is not a price',
  (usd) => {
    expect(() => readUsdPerMillion(usd)).toThrow(RangeError)
  },
)

test('cache reads and cache writes have their own prices', () => {
  const price = {
    prompt: 1_000_000,
    completion: 4_000_000,
    cache_read: 100_000,
    cache_write: 1_250_000,
  }
  const usage = {
    promptTokens: 1_000,
    completionTokens: 10,
    cacheReadTokens: 600,
    cacheWriteTokens: 200,
  }
  expect(priceOfUsage(price, usage)).toBe(200 + 60 + 250 + 40)
})

test('what a cache keeps for an hour costs twice the prompt, or its own rate, and is held for', () => {
  const price = { prompt: 1_000_000, completion: 4_000_000, cache_write: 1_250_000 }
  const usage = {
    promptTokens: 1_000,
    completionTokens: 10,
    cacheReadTokens: 0,
    cacheWriteTokens: 300,
    cacheWriteHourTokens: 200,
  }
  expect(priceOfUsage(price, usage)).toBe(700 + 125 + 400 + 40)
  expect(priceOfUsage({ ...price, cache_write_hour: 3_000_000 }, usage)).toBe(700 + 125 + 600 + 40)
  const most = { promptTokensMax: 1_000, completionTokensMax: 10 }
  expect(worstPrice(price, most)).toBe(1_250 + 40)
  expect(worstPrice(price, { ...most, cachesForHour: true })).toBe(2_000 + 40)
})

test('the rates of long prompts begin at the exact token', () => {
  const price = {
    prompt: 1_000_000,
    completion: 1_000_000,
    long_context: [{ above: 200, prompt: 2_000_000, completion: 3_000_000 }],
  }
  const usage = (promptTokens: number) => ({
    promptTokens,
    completionTokens: 10,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
  })
  expect(priceOfUsage(price, usage(200))).toBe(210)
  expect(priceOfUsage(price, usage(201))).toBe(402 + 30)
  expect(worstPrice(price, { promptTokensMax: 200, completionTokensMax: 10 })).toBe(210)
  expect(worstPrice(price, { promptTokensMax: 201, completionTokensMax: 10 })).toBe(432)
})

// Source: https://developers.openai.com/api/docs/models/gpt-5.4
test.each([
  ['openai/gpt-5.4', 272_000, 680_000 + 15_000],
  ['openai/gpt-5.4', 272_001, 1_360_005 + 22_500],
  ['openai/gpt-5.5', 272_001, 2_720_010 + 45_000],
  ['openai/gpt-5.4-pro', 272_001, 16_320_060 + 270_000],
])(
  '%s with a prompt of %i tokens costs what its vendor asks for it',
  (slug, promptTokens, micros) => {
    const price = shippedPrices.find(slug) as ModelPrice
    const none = { cacheReadTokens: 0, cacheWriteTokens: 0 }
    expect(priceOfUsage(price, { promptTokens, completionTokens: 1_000, ...none })).toBe(micros)
  },
)

test('no call costs more than its worst case, nor a whole micro-dollar more than its tokens', () => {
  const models = [...shippedPrices.entries()]
  expect(models.length).toBeGreaterThan(300)
  fc.assert(
    fc.property(
      fc.constantFrom(...models),
      fc.nat(1_000_000),
      fc.nat(16_384),
      fc.nat(100),
      fc.nat(100),
      ([, price], prompt, completionTokens, readPart, writtenPart) => {
        const promptTokens = Math.min(prompt, price.context ?? prompt)
        const cacheReadTokens = Math.floor((promptTokens * readPart) / 100)
        const cacheWriteTokens = Math.floor(((promptTokens - cacheReadTokens) * writtenPart) / 100)
        const usage = { promptTokens, completionTokens, cacheReadTokens, cacheWriteTokens }
        const charged = priceOfUsage(price, usage)
        const worst = worstPrice(price, { promptTokensMax: prompt, completionTokensMax: 16_384 })
        expect(charged).toBeLessThanOrEqual(worst)
        if (price.long_context === undefined && cacheReadTokens + cacheWriteTokens === 0) {
          const exact = (promptTokens * price.prompt + completionTokens * price.completion) / 1e6
          expect(charged - exact).toBeGreaterThanOrEqual(0)
          expect(charged - exact).toBeLessThan(1)
        }
      },
    ),
  )
})

describe('what is not counted in tokens of text', () => {
  const price = (more: object) =>
    readPriceFile({
      source: '',
      as_of: '2026-01-01',
      models: { 'a/b': { prompt: 0, completion: 0, ...more } },
    }).models['a/b'] as ModelPrice

  test.each([
    [{ surface: 'transcriptions', minute: 6_000_000_000 }, { seconds: 9.5 }, 1_000],
    // A third of a micro-dollar for a second is exact only as a price of a minute.
    [{ surface: 'transcriptions', minute: 20_000_000 }, { seconds: 3 }, 1],
    [{ surface: 'transcriptions', minute: 20_000_000 }, { seconds: 4 }, 2],
    [{ surface: 'speech', character: 15_000_000 }, { characters: 11 }, 165],
    [{ surface: 'rerank', search: 2_000_000_000 }, { searches: 3 }, 6_000],
    [
      { surface: 'images', pictures: { hd: { '1x1': 80_000_000_001 } } },
      { pictures: { quality: 'hd', size: '1x1', count: 2 } },
      160_001,
    ],
    [
      {
        surface: 'images',
        picture_tokens: { low: { '1x1': 9 } },
        prompt: 5_000_000,
        cache_read: 1_250_000,
        image_prompt: 10_000_000,
        completion: 40_000_000,
      },
      { promptTokens: 50, cachedTokens: 8, imageTokens: 400, completionTokens: 1_056 },
      42 * 5 + 10 + 4_000 + 42_240,
    ],
    [
      { surface: 'transcriptions', prompt: 2_000_000, audio_prompt: 6_000_000 },
      { promptTokens: 10, audioTokens: 100 },
      620,
    ],
  ])('%o is counted exactly, and rounded up once', (units, usage, micros) => {
    expect(priceOfSurface(price(units), usage)).toBe(micros)
  })

  test.each([
    { surface: 'images' },
    { surface: 'speech' },
    { surface: 'transcriptions', prompt: 1 },
    { surface: 'rerank' },
    { surface: 'films' },
    { surface: 'speech', character: 0.5 },
  ])('%o has no price that can be charged, so it is not sold', (units) => {
    expect(() => price(units)).toThrow()
  })

  test.each([
    ['0.006', 1, 6_000_000_000],
    [0.04, 1, 40_000_000_000],
    [2, 1_000, 2_000_000_000],
  ] as const)('%s dollars for %d are %d picodollars', (usd, forHowMany, pico) => {
    expect(readUsd(usd, forHowMany)).toBe(pico)
    expect(picoToUsd(pico, forHowMany)).toBe(Number(usd))
  })
})
