// Prices of language models. A price is a whole number of picodollars per token, which holds every published price
// exactly and is the same number as micro-dollars per million tokens; a sum becomes micro-dollars once, at its end.
import { z } from 'zod'
import { fail } from './errors.ts'
import { modelSurfaces, type SurfaceUsage } from './models/surfaces.ts'
import { sellsItsSurface, unitPrices } from './models/unit-prices.ts'
import { type Micros, microsToUsd } from './money.ts'
import { modelFacts } from './pricing/model-facts.ts'

/** 1e-12 dollars. Sums stay below 2^53: the most expensive call of a million tokens is about 1e15. */
export type Pico = number

const PICO_PER_MICRO = 1_000_000
const secondsPerMinute = 60

const rate = z.int().min(0).max(10_000_000_000)
const rates = {
  prompt: rate,
  completion: rate,
  /**
   * Rates for prompt tokens read from the provider's cache and written to it. Absent: the rate of other prompt tokens.
   */
  cache_read: rate.optional(),
  cache_write: rate.optional(),
  /** For prompt tokens that the cache keeps for an hour. Absent: twice the rate of other prompt tokens. */
  cache_write_hour: rate.optional(),
}
/** Other rates for all tokens of a call whose prompt has more than `above` tokens. */
const long_context = z.array(z.strictObject({ above: z.int().min(0), ...rates })).optional()
const modelPrice = z
  .strictObject({
    ...rates,
    /** What it is asked for, if not for conversations. */
    surface: z.enum(modelSurfaces).optional(),
    ...unitPrices,
    /** In batches, where the vendor asks less for them. */
    batch: z.strictObject({ ...rates, long_context }).optional(),
    /** Tokens that fit, prompt and completion together. */
    context: z.int().min(1).max(100_000_000).optional(),
    /** The longest answer in tokens, thoughts included. */
    output: z.int().min(1).max(100_000_000).optional(),
    /** Whether it bills thoughts beyond the limit of a request. Absent: its name decides. */
    thinks: z.boolean().optional(),
    /** The most tokens that one image in a message counts for. */
    image_tokens: z.int().min(1).max(10_000_000).optional(),
    long_context,
    ...modelFacts,
  })
  .refine(sellsItsSurface, { message: 'has no price for what the surface counts' })
const priceFile = z.strictObject({
  source: z.string(),
  as_of: z.iso.date(),
  models: z.record(z.string().regex(/^~?[\w.:-]+(\/[\w.:-]+)*$/), modelPrice),
})

export type ModelPrice = z.output<typeof modelPrice>
/** What tokens of a call cost. */
type Rates = Pick<ModelPrice, keyof typeof rates>
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
  /** Those of `cacheWriteTokens` that the cache keeps for an hour. */
  readonly cacheWriteHourTokens?: number | undefined
}

/** The exact price of a call, rounded up once to whole micro-dollars. */
export function priceOfUsage(price: ModelPrice, usage: TokenUsage): Micros {
  const rates = ratesFor(price, usage.promptTokens)
  const { prompt, completion, cache_read = prompt, cache_write = prompt } = rates
  const { cacheReadTokens, cacheWriteTokens, cacheWriteHourTokens = 0 } = usage
  const fresh = Math.max(0, usage.promptTokens - cacheReadTokens - cacheWriteTokens)
  return toMicros(
    fresh * prompt +
      cacheReadTokens * cache_read +
      (cacheWriteTokens - cacheWriteHourTokens) * cache_write +
      cacheWriteHourTokens * hourRateOf(rates) +
      usage.completionTokens * completion,
  )
}

/** Source: https://docs.claude.com/en/docs/build-with-claude/prompt-caching, the only vendor that keeps it so long. */
const hourRateOf = ({ prompt, cache_write_hour = 2 * prompt }: Rates) => cache_write_hour

/** The rates of all tokens of a call whose prompt is so long. */
export function ratesFor(price: ModelPrice, promptTokens: number): Rates {
  const longer = (price.long_context ?? [])
    .filter(({ above }) => promptTokens > above)
    .toSorted((a, b) => b.above - a.above)
  return longer[0] ?? price
}

/**
 * The most that a call can cost: every token at the highest rate that can apply to its length. `cachesForHour`: it asks
 * to keep its prompt for an hour.
 */
export function worstPrice(
  price: ModelPrice,
  {
    promptTokensMax,
    completionTokensMax,
    cachesForHour = false,
  }: { promptTokensMax: number; completionTokensMax: number; cachesForHour?: boolean },
): Micros {
  const promptTokens = Math.min(promptTokensMax, price.context ?? promptTokensMax)
  const reachable = reachableRates(price, promptTokens)
  const dearest = (read: (rates: Rates) => number) => Math.max(...reachable.map(read))
  const prompt = dearest((of) =>
    Math.max(
      of.prompt,
      of.cache_read ?? 0,
      of.cache_write ?? 0,
      cachesForHour ? hourRateOf(of) : 0,
    ),
  )
  return toMicros(promptTokens * prompt + completionTokensMax * dearest((of) => of.completion))
}

/** The rates that can apply to a prompt of up to so many tokens. */
export function reachableRates(price: ModelPrice, promptTokensMax: number): readonly Rates[] {
  return [price, ...(price.long_context ?? []).filter(({ above }) => promptTokensMax > above)]
}

/** The exact price of what a call of a surface used, rounded up once to whole micro-dollars. */
export function priceOfSurface(price: ModelPrice, usage: SurfaceUsage): Micros {
  const { prompt, completion, cache_read = prompt } = price
  const { promptTokens = 0, cachedTokens = 0, seconds = 0, pictures } = usage
  const cached = Math.min(cachedTokens, promptTokens)
  const each = pictures && price.pictures?.[pictures.quality]?.[pictures.size]
  return toMicros(
    (promptTokens - cached) * prompt +
      cached * cache_read +
      (usage.imageTokens ?? 0) * (price.image_prompt ?? prompt) +
      (usage.audioTokens ?? 0) * (price.audio_prompt ?? prompt) +
      (usage.completionTokens ?? 0) * completion +
      Math.ceil((Math.ceil(seconds) * (price.minute ?? 0)) / secondsPerMinute) +
      (usage.characters ?? 0) * (price.character ?? 0) +
      (usage.searches ?? 0) * (price.search ?? 0) +
      (pictures === undefined ? 0 : pictures.count * (each ?? 0)),
  )
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

/** Dollars per token, exact and without zeros at the end, as routers of models quote prices: `0.0000003`. */
export function rateToUsdPerToken(rate: Pico): string {
  const digits = String(rate).padStart(13, '0')
  return `${digits.slice(0, -12)}.${digits.slice(-12)}`.replace(/\.?0+$/, '')
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

/** Reads dollars for one thing, or for a thousand of them: `0.04` for a picture, `2` for a thousand searches. */
export function readUsd(usd: number | string, forHowMany: 1 | 1_000 = 1): Pico {
  return readUsdPerMillion(usd) * (PICO_PER_MICRO / forHowMany)
}

/** The same the other way round. */
export const picoToUsd = (pico: Pico, forHowMany: 1 | 1_000 = 1): number =>
  Number(microsToUsd((pico * forHowMany) / PICO_PER_MICRO))

function plainDecimal(usd: number): string {
  return Number.isFinite(usd) ? usd.toFixed(9).replace(/\.?0+$/, '') : String(usd)
}

/** The price of a model. Throws `bad_request` for a model without a price, because it is not for sale. */
export function requirePrice(
  prices: ModelPrices,
  model: string,
  surface?: ModelPrice['surface'],
): ModelPrice {
  const price = prices.find(model)
  if (price === undefined || price.surface !== surface) {
    throw fail('bad_request', {
      message: `The model "${model.slice(0, 100)}" has no price here. GET /api/llm/v1/pricing lists the models for sale.`,
    })
  }
  return price
}
