// Reads the rows of the sources that `npm run prices` takes, each in its own form.
import { type ModelPrice, readUsdPerMillion } from '#core/model-price.ts'
import { sellsItsSurface } from '#core/models/unit-prices.ts'
import type { UntypedJson } from '#core/replies/untyped-json.ts'
import { isSurfaceRow, surfaceRow } from './surface-rows.ts'

export function rowsOf(json: UntypedJson): [string, ModelPrice][] {
  if (Array.isArray(json.data)) return json.data.flatMap(fromOpenRouter)
  const table = json.openrouter?.models ?? json
  return Object.entries(table).flatMap(([slug, row]) => fromTable(slug, row))
}

function fromOpenRouter(row: UntypedJson): [string, ModelPrice][] {
  const { id, pricing, context_length: context, top_provider: top, architecture } = row
  // Dollars per token as text; the decimal point moves six places. Some prices are finer than a picodollar.
  const rate = (text: string | undefined) =>
    text === undefined ? undefined : readUsdPerMillion((Number(text) * 1e6).toFixed(6))
  if (!(Number(pricing?.prompt) >= 0)) return []
  return [
    [
      id,
      price({
        prompt: rate(pricing.prompt),
        completion: rate(pricing.completion),
        cache_read: rate(pricing.input_cache_read),
        cache_write: rate(pricing.input_cache_write),
        context,
        output: top?.max_completion_tokens ?? undefined,
        // `Anthropic: Claude Opus 4.8`
        name: row.name?.replace(/^[^:]{1,40}: /, ''),
        released: row.created ? dayOf(new Date(row.created * 1_000)) : undefined,
        input: modalitiesOf(architecture?.input_modalities),
        parameters: parametersSold(row.supported_parameters),
      }),
    ],
  ]
}

function fromTable(slug: string, row: UntypedJson): [string, ModelPrice][] {
  if (isSurfaceRow(row)) {
    const [named = slug, price] = surfaceRow(slug, row) ?? []
    return price !== undefined && sellsItsSurface(price as ModelPrice)
      ? [[named, price as ModelPrice]]
      : []
  }
  if (typeof row?.input_cost_per_token === 'number') return fromPriceMap(slug, row)
  const { cost, limit, name, release_date: released, modalities } = row ?? {}
  if (typeof cost?.input !== 'number' || typeof cost.output !== 'number') return []
  const { context, output } = limit ?? {}
  const long_context = cost.tiers?.map((tier: UntypedJson) => ({
    above: tier.tier.size,
    ...ratesOf(tier),
  }))
  const facts = {
    name,
    // Some models are dated by their month.
    released: /^\d{4}-\d{2}-\d{2}$/.test(released) ? released : undefined,
    input: modalitiesOf(modalities?.input),
    parameters: parametersOf(row),
  }
  return [[slug, price({ ...ratesOf(cost), context, output, long_context, ...facts })]]
}

function fromPriceMap(slug: string, row: UntypedJson): [string, ModelPrice][] {
  const rate = (usd: number | undefined) =>
    usd === undefined ? undefined : readUsdPerMillion(Number((usd * 1e6).toPrecision(12)))
  return [
    [
      slug,
      price({
        prompt: rate(row.input_cost_per_token),
        completion: rate(row.output_cost_per_token),
        cache_read: rate(row.cache_read_input_token_cost),
        cache_write: rate(row.cache_creation_input_token_cost),
        context: row.max_input_tokens,
        output: row.max_output_tokens,
      }),
    ],
  ]
}

function ratesOf(cost: UntypedJson) {
  const rate = (usd: number | undefined) => (usd === undefined ? undefined : readUsdPerMillion(usd))
  return {
    prompt: rate(cost.input),
    completion: rate(cost.output),
    cache_read: rate(cost.cache_read),
    cache_write: rate(cost.cache_write),
  }
}

/** The parameters that the abilities of a model imply. A source that lists them is better. */
function parametersOf(row: UntypedJson): string[] | undefined {
  if (row.modalities === undefined) return undefined
  return [
    'max_tokens',
    ...(row.temperature === true ? ['temperature'] : []),
    ...(row.tool_call === true ? ['tools', 'tool_choice'] : []),
    ...(row.reasoning === true ? ['reasoning', 'include_reasoning'] : []),
    ...(row.structured_output === true ? ['response_format', 'structured_outputs'] : []),
  ].toSorted()
}

const modalitiesOf = (told: readonly string[] | undefined) =>
  told?.map((modality) => (modality === 'pdf' ? 'file' : modality))

/**
 * Searches of a vendor are not billed by tokens, and not sold. The limit of tokens is sent under the name that an
 * upstream knows.
 */
const parametersSold = (told: readonly string[] | undefined) =>
  told &&
  [...new Set(told).add('max_tokens')].filter((name) => name !== 'web_search_options').toSorted()

const dayOf = (date: Date) => date.toISOString().slice(0, 10)

/** Leaves out undefined fields, so that each line is short. */
function price(parts: Partial<Record<keyof ModelPrice, unknown>>): ModelPrice {
  return JSON.parse(JSON.stringify(parts))
}
