// The answers of `GET /api/llm/v1/models` and `/models/{id}`: the models that can be called now, in the form that
// clients of model routers read.

import { type ModelPrice, ratesFor, rateToUsdPerToken } from '#core/model-price.ts'
import type { ModelSurface } from '#core/models/surfaces.ts'
import type { Modality } from '#core/pricing/model-facts.ts'
import { describeUnits } from './pricing.ts'
import type { ModelCatalog } from './routing/models.ts'

export interface DescribedModel {
  readonly id: string
  readonly context_length: number | null
  /** Of a tier: its models, in the order in which they are asked. */
  readonly members?: readonly string[]
}

/** What the chat surface passes on to a model. */
const passedOn: ReadonlySet<Modality> = new Set(['text', 'image'])
/** What models of other surfaces read and give, in the words of the common format. */
const surfaceModalities: Readonly<
  Record<ModelSurface, readonly [input: readonly string[], output: string]>
> = {
  embeddings: [['text'], 'embeddings'],
  images: [['text', 'image'], 'image'],
  speech: [['text'], 'speech'],
  transcriptions: [['audio'], 'transcription'],
  moderations: [['text', 'image'], 'moderation'],
  rerank: [['text'], 'rerank'],
}

export function describeModels(offer: ModelCatalog, ownNamespace: string): DescribedModel[] {
  const tiers = Object.entries(offer.tiers).flatMap(([tier, members]) => {
    const served = members.filter((slug) => offer.routes(slug).length > 0)
    return served.length === 0 ? [] : [describeTier(`${ownNamespace}/${tier}`, served, offer)]
  })
  const models = [...offer.prices]
    .filter(([slug]) => offer.isServed(slug))
    .map(([slug, price]) => describeModel(slug, price))
  return [...tiers, ...models]
}

export function describeModel(slug: string, price: ModelPrice) {
  const { name = slug, released, surface, context = null, output = null } = price
  return {
    id: slug,
    canonical_slug: slug,
    object: 'model',
    ...(surface === undefined ? {} : { surface, unit_prices: describeUnits(price) }),
    name,
    created: released === undefined ? 0 : Date.parse(released) / 1_000,
    owned_by: slug.split('/')[0] ?? slug,
    context_length: context,
    architecture: describeArchitecture(price),
    pricing: describePrice(price),
    top_provider: { context_length: context, max_completion_tokens: output, is_moderated: false },
    per_request_limits: null,
    supported_parameters: price.parameters ?? [],
  }
}

/** What every member can do, at the price of the dearest. */
function describeTier(id: string, members: readonly string[], offer: ModelCatalog): DescribedModel {
  const prices = members.flatMap((slug) => offer.prices.get(slug) ?? [])
  const least = (read: (price: ModelPrice) => number | undefined) => {
    const known = prices.map(read)
    return known.includes(undefined) ? undefined : Math.min(...(known as number[]))
  }
  const dearest = (promptTokens: number) => {
    const rates = prices.map((price) => ratesFor(price, promptTokens))
    const most = (rate: 'prompt' | 'completion' | 'cache_read' | 'cache_write') =>
      Math.max(...rates.map((each) => each[rate] ?? each.prompt))
    return {
      prompt: most('prompt'),
      completion: most('completion'),
      cache_read: most('cache_read'),
      cache_write: most('cache_write'),
    }
  }
  const context = least((price) => price.context)
  const steps = new Set(
    prices.flatMap(({ long_context: longer = [] }) => longer.map(({ above }) => above)),
  )
  const longer = [...steps]
    .filter((above) => above < (context ?? Infinity))
    .toSorted((one, other) => one - other)
    .map((above) => ({ above, ...dearest(above + 1) }))
  const input = shared(prices.map(modalitiesOf)) as Modality[]
  const described = describeModel(id, {
    name: id,
    context,
    output: least(({ output }) => output),
    ...dearest(0),
    ...(longer.length === 0 ? {} : { long_context: longer }),
    input,
    parameters: shared(prices.map(({ parameters = [] }) => parameters)),
  })
  return { ...described, members }
}

/** Every model reads text, also one whose facts are not known. */
const modalitiesOf = ({ input = ['text'] }: ModelPrice): readonly Modality[] =>
  input.filter((modality) => passedOn.has(modality))

function shared<Value>([first = [], ...others]: readonly (readonly Value[])[]): Value[] {
  return first.filter((value) => others.every((list) => list.includes(value)))
}

function describeArchitecture(price: ModelPrice) {
  const [input, output] =
    price.surface === undefined ? [modalitiesOf(price), 'text'] : surfaceModalities[price.surface]
  return {
    modality: `${input.join('+')}->${output}`,
    input_modalities: input,
    output_modalities: [output],
    tokenizer: null,
    instruct_type: null,
  }
}

/** Dollars per token, as text. `overrides`: the rates of all tokens of a call with a longer prompt. */
function describePrice({ long_context: longer, ...rates }: ModelPrice) {
  const overrides = longer?.map(({ above, ...other }) => ({
    min_prompt_tokens: above + 1,
    ...describeRates(other),
  }))
  return {
    ...describeRates(rates),
    request: '0',
    image: '0',
    ...(overrides === undefined ? {} : { overrides }),
  }
}

function describeRates(
  rates: Pick<ModelPrice, 'prompt' | 'completion' | 'cache_read' | 'cache_write'>,
) {
  const shown = (rate: number | undefined) =>
    rate === undefined ? undefined : rateToUsdPerToken(rate)
  return {
    prompt: shown(rates.prompt),
    completion: shown(rates.completion),
    input_cache_read: shown(rates.cache_read),
    input_cache_write: shown(rates.cache_write),
  }
}

/** Every name that a call may ask for, whether or not it is served now. */
export function namesOf({ prices, tiers }: ModelCatalog, ownNamespace: string): Set<string> {
  const names = Object.keys(tiers).map((tier) => `${ownNamespace}/${tier}`)
  return new Set([...names, ...prices.keys()])
}
