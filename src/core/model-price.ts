// Prices of language models. A price is a whole number of picodollars per token, which holds every published price
// exactly and is the same number as micro-dollars per million tokens; a sum becomes micro-dollars once, at its end.
import { z } from 'zod'
import { fail } from './errors.ts'
import { type Micros, microsToUsd } from './money.ts'

/** 1e-12 dollars. Sums stay below 2^53: the most expensive call of a million tokens is about 1e15. */
export type Pico = number

const PICO_PER_MICRO = 1_000_000

const rate = z.int().min(0).max(10_000_000_000)
const rates = {
  prompt: rate,
  completion: rate,
  /**
   * Rates for prompt tokens read from the provider's cache and written to it. Absent: the rate of other prompt tokens.
   */
  cache_read: rate.optional(),
  cache_write: rate.optional(),
}
const modelPrice = z.strictObject({
  ...rates,
  /** Tokens that fit, prompt and completion together. */
  context: z.int().min(1).max(100_000_000).optional(),
  /** The longest answer in tokens, thoughts included. */
  output: z.int().min(1).max(100_000_000).optional(),
  /** Whether it bills thoughts beyond the limit of a request. Absent: its name decides. */
  thinks: z.boolean().optional(),
  /** The most tokens that one image in a message counts for. */
  image_tokens: z.int().min(1).max(10_000_000).optional(),
  /** Other rates for all tokens of a call whose prompt has more than `above` tokens. */
  long_context: z.array(z.strictObject({ above: z.int().min(0), ...rates })).optional(),
})
const priceFile = z.strictObject({
  source: z.string(),
  as_of: z.iso.date(),
  models: z.record(z.string().regex(/^~?[\w.:-]+(\/[\w.:-]+)*$/), modelPrice),
})

export type ModelPrice = z.output<typeof modelPrice>
type Rates = Pick<ModelPrice, 'prompt' | 'completion' | 'cache_read' | 'cache_write'>
export type PriceFile = z.output<typeof priceFile>

/** The prices of language models. `version` changes with every change of a price. */
export interface ModelPrices {
  version(): string
  find(model: string): ModelPrice | undefined
  entries(): Iterable<readonly [string, ModelPrice]>
}

/** Throws ZodError for anything but a price: fractions, negative amounts, unknown fields. */
export function readPriceFile(json: unknown): PriceFile {
  return priceFile.parse(json)
}

/** Tokens of one call as the provider counts them. Cache reads and writes are part of the prompt. */
export interface TokenUsage {
  readonly promptTokens: number
  readonly completionTokens: number
  readonly cacheReadTokens: number
  readonly cacheWriteTokens: number
}

/** The exact price of a call, rounded up once to whole micro-dollars. */
export function priceOfUsage(price: ModelPrice, usage: TokenUsage): Micros {
  const { prompt, completion, cache_read = prompt, cache_write = prompt } = ratesFor(price, usage)
  const fresh = Math.max(0, usage.promptTokens - usage.cacheReadTokens - usage.cacheWriteTokens)
  return toMicros(
    fresh * prompt +
      usage.cacheReadTokens * cache_read +
      usage.cacheWriteTokens * cache_write +
      usage.completionTokens * completion,
  )
}

function ratesFor(price: ModelPrice, { promptTokens }: TokenUsage): Rates {
  const longer = (price.long_context ?? [])
    .filter(({ above }) => promptTokens > above)
    .toSorted((a, b) => b.above - a.above)
  return longer[0] ?? price
}

/** The most that a call can cost: every token at the highest rate that can apply to its length. */
export function worstPrice(
  price: ModelPrice,
  {
    promptTokensMax,
    completionTokensMax,
  }: { promptTokensMax: number; completionTokensMax: number },
): Micros {
  const promptTokens = Math.min(promptTokensMax, price.context ?? promptTokensMax)
  const reachable: Rates[] = [
    price,
    ...(price.long_context ?? []).filter(({ above }) => promptTokens > above),
  ]
  const dearest = (read: (rates: Rates) => number) => Math.max(...reachable.map(read))
  const prompt = dearest((of) => Math.max(of.prompt, of.cache_read ?? 0, of.cache_write ?? 0))
  return toMicros(promptTokens * prompt + completionTokensMax * dearest((of) => of.completion))
}

function toMicros(pico: Pico): Micros {
  const micros = Math.ceil(pico / PICO_PER_MICRO)
  if (!Number.isSafeInteger(pico)) throw new RangeError(`${pico} picodollars cannot be counted.`)
  return micros
}

/** Dollars per million tokens, as people and vendors quote prices: `0.048150`. */
export function rateToUsdPerMillion(rate: Pico): string {
  return microsToUsd(rate)
}

/**
 * Reads `0.04815` dollars per million tokens exactly. Throws RangeError for a text that is not a price or is finer than
 * a picodollar.
 */
export function readUsdPerMillion(usd: number | string): Pico {
  const text = typeof usd === 'number' ? plainDecimal(usd) : usd.trim()
  const match = /^(\d{1,7})(?:\.(\d{1,6})0*)?$/.exec(text)
  if (match === null) throw new RangeError(`${usd} is not a price in dollars per million tokens.`)
  return Number(match[1]) * PICO_PER_MICRO + Number((match[2] ?? '').padEnd(6, '0'))
}

function plainDecimal(usd: number): string {
  return Number.isFinite(usd) ? usd.toFixed(9).replace(/\.?0+$/, '') : String(usd)
}

/** The price of a model. Throws `bad_request` for a model without a price, because it is not for sale. */
export function requirePrice(prices: ModelPrices, model: string): ModelPrice {
  const price = prices.find(model)
  if (price === undefined) {
    throw fail('bad_request', {
      message: `The model "${model.slice(0, 100)}" has no price here. GET /api/llm/v1/pricing lists the models for sale.`,
    })
  }
  return price
}
