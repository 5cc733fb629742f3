import { type ModelPrice, picoToUsd, rateToUsdPerMillion } from '#core/model-price.ts'
import type { ModelCatalog } from './routing/models.ts'

/** The answer of `GET /api/llm/v1/pricing`. Dollars per million tokens, as numbers. */
export function describePricing(offer: ModelCatalog, ownNamespace: string): object {
  return {
    currency: 'USD',
    unit: 'million tokens',
    version: offer.version,
    tiers: Object.entries(offer.tiers).map(([tier, members]) => ({
      id: `${ownNamespace}/${tier}`,
      models: members.map((slug) => ({ id: slug, available: offer.routes(slug).length > 0 })),
    })),
    models: [...offer.prices].map(([slug, price]) => ({
      id: slug,
      ...(price.surface === undefined ? {} : { surface: price.surface }),
      ...describeRates(price),
      ...describeUnits(price),
      ...(price.batch === undefined
        ? {}
        : { batch: { ...describeRates(price.batch), ...describeLonger(price.batch) } }),
      ...describeLonger(price),
      context_length: price.context ?? null,
      available: offer.isServed(slug),
    })),
  }
}

function describeRates(
  rates: Pick<ModelPrice, 'prompt' | 'completion' | 'cache_read' | 'cache_write'>,
) {
  const shown = (rate: number | undefined) =>
    rate === undefined ? undefined : Number(rateToUsdPerMillion(rate))
  return {
    prompt: shown(rates.prompt),
    completion: shown(rates.completion),
    cache_read: shown(rates.cache_read),
    cache_write: shown(rates.cache_write),
  }
}

const describeLonger = ({ long_context: longer }: Pick<ModelPrice, 'long_context'>) =>
  longer === undefined
    ? {}
    : {
        long_context: longer.map(({ above, ...rates }) => ({
          above_prompt_tokens: above,
          ...describeRates(rates),
        })),
      }

/** What is not counted in tokens of text, in the units of the operator's file. */
export function describeUnits({ minute, character, search, ...price }: ModelPrice) {
  const perMillion = (rate: number | undefined) =>
    rate === undefined ? undefined : Number(rateToUsdPerMillion(rate))
  return {
    image_prompt: perMillion(price.image_prompt),
    audio_prompt: perMillion(price.audio_prompt),
    usd_per_million_characters: perMillion(character),
    usd_per_minute: minute === undefined ? undefined : picoToUsd(minute),
    usd_per_thousand_searches: search === undefined ? undefined : picoToUsd(search, 1_000),
    usd_per_picture: price.pictures && mapSizes(price.pictures, (pico) => picoToUsd(pico)),
    tokens_per_picture: price.picture_tokens,
  }
}

const mapSizes = (
  byQuality: Readonly<Record<string, Readonly<Record<string, number>>>>,
  show: (value: number) => number,
) =>
  Object.fromEntries(
    Object.entries(byQuality).map(([quality, sizes]) => [
      quality,
      Object.fromEntries(Object.entries(sizes).map(([size, value]) => [size, show(value)])),
    ]),
  )
