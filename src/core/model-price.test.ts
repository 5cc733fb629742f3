import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shippedPrices } from '#catalog/lib/model-prices.ts'
import { priceOfUsage, rateToUsdPerMillion, readUsdPerMillion, worstPrice } from './model-price.ts'

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
