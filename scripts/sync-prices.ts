// Rewrites the price map from a newer source and prints what changed: `npm run prices -- <file>`. The file is one of
//   a models.dev OpenRouter table   { slug: { cost: { input, output, cache_read, ... }, limit: { context } } }
//   OpenRouter's GET /models        { data: [{ id, pricing: { prompt, completion, ... }, context_length }] }
//   a LiteLLM price map             { slug: { input_cost_per_token, output_cost_per_token, ... } }
// It fetches nothing, and without --force it refuses a price that changes by more than a factor of five.
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import {
  type ModelPrice,
  type PriceFile,
  rateToUsdPerMillion,
  readPriceFile,
  readUsdPerMillion,
} from '#core/model-price.ts'

const mapPath = path.join(import.meta.dirname, '../src/catalog/lib/model-prices.json')
const leapMax = 5
/** Models that also bill for pictures, sound or searches, which no rate here covers. */
const notByTextTokens =
  /-image|gpt-audio|lyria|search-preview|deep-research|^perplexity\/|:online|^openrouter\//
/** Models in which one picture can count for far more tokens than in others, according to their vendors. */
const imageTokens: readonly [RegExp, number][] = [[/^openai\/gpt-4o-mini/, 50_000]]

const [file, ...flags] = process.argv.slice(2)
if (file === undefined) {
  console.error('Name the file: npm run prices -- <file> [--force] [--as-of YYYY-MM-DD]')
  process.exit(1)
}
const asOf = flags[flags.indexOf('--as-of') + 1] ?? new Date().toISOString().slice(0, 10)
const source = JSON.parse(await readFile(file, 'utf8'))
const before = await readFile(mapPath, 'utf8').then(
  (text) => readPriceFile(JSON.parse(text)).models,
  () => ({}) as PriceFile['models'],
)
const models = Object.fromEntries(
  rowsOf(source)
    .filter(([slug]) => !notByTextTokens.test(slug))
    .map(([slug, row]) => [slug, withImageTokens(slug, row)] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1)),
)
const leaps = printDifferences(before, models)
if (leaps > 0 && !flags.includes('--force')) {
  console.error(
    `${leaps} prices changed more than ${leapMax} times. Look, then repeat it with --force.`,
  )
  process.exit(1)
}
const next = readPriceFile({
  source: 'Prices as published by OpenRouter, from models.dev (https://models.dev, MIT licence).',
  as_of: flags.includes('--as-of') ? asOf : new Date().toISOString().slice(0, 10),
  models,
})
const lines = Object.entries(next.models).map(
  ([slug, price]) => `${JSON.stringify(slug)}:${JSON.stringify(price)}`,
)
await writeFile(
  mapPath,
  `{"source":${JSON.stringify(next.source)},"as_of":"${next.as_of}","models":{\n${lines.join(',\n')}\n}}\n`,
)
console.log(`${lines.length} models in ${path.relative(process.cwd(), mapPath)}.`)

// biome-ignore lint/suspicious/noExplicitAny: three foreign formats, each read field by field.
function rowsOf(json: any): [string, ModelPrice][] {
  if (Array.isArray(json.data)) return json.data.flatMap(fromOpenRouter)
  return Object.entries(json).flatMap(([slug, row]) => fromTable(slug, row))
}

// biome-ignore lint/suspicious/noExplicitAny: see rowsOf.
function fromOpenRouter(row: any): [string, ModelPrice][] {
  const { id, pricing, context_length: context, top_provider: top } = row
  // Dollars per token as text; the decimal point moves six places.
  const rate = (text: string | undefined) =>
    text === undefined ? undefined : readUsdPerMillion(Number((Number(text) * 1e6).toPrecision(12)))
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
      }),
    ],
  ]
}

// biome-ignore lint/suspicious/noExplicitAny: see rowsOf.
function fromTable(slug: string, row: any): [string, ModelPrice][] {
  if (typeof row?.input_cost_per_token === 'number') {
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
  const { cost, limit } = row ?? {}
  if (typeof cost?.input !== 'number' || typeof cost.output !== 'number') return []
  const { context, output } = limit ?? {}
  return [[slug, price({ ...ratesOf(cost), context, output, long_context: tiersOf(cost) })]]
}

// biome-ignore lint/suspicious/noExplicitAny: see rowsOf.
function ratesOf(cost: any) {
  const rate = (usd: number | undefined) => (usd === undefined ? undefined : readUsdPerMillion(usd))
  return {
    prompt: rate(cost.input),
    completion: rate(cost.output),
    cache_read: rate(cost.cache_read),
    cache_write: rate(cost.cache_write),
  }
}

// biome-ignore lint/suspicious/noExplicitAny: see rowsOf.
function tiersOf(cost: any) {
  // biome-ignore lint/suspicious/noExplicitAny: see rowsOf.
  return cost.tiers?.map((tier: any) => ({ above: tier.tier.size, ...ratesOf(tier) }))
}

/** Leaves out undefined fields, so that each line is short. */
function price(parts: Partial<Record<keyof ModelPrice, unknown>>): ModelPrice {
  return JSON.parse(JSON.stringify(parts))
}

function withImageTokens(slug: string, row: ModelPrice): ModelPrice {
  const known = imageTokens.find(([pattern]) => pattern.test(slug))
  return known === undefined ? row : { ...row, image_tokens: known[1] }
}

function printDifferences(old: PriceFile['models'], now: PriceFile['models']): number {
  let leaps = 0
  for (const slug of new Set([...Object.keys(old), ...Object.keys(now)])) {
    const [was, is] = [old[slug], now[slug]]
    if (was === undefined) console.log(`+ ${slug}`)
    else if (is === undefined) console.log(`- ${slug}`)
    else {
      for (const field of ['prompt', 'completion', 'cache_read', 'cache_write'] as const) {
        const [from, to] = [was[field], is[field]]
        if (from === to) continue
        const leap = from && to ? Math.max(from / to, to / from) : 1
        if (leap > leapMax) leaps += 1
        const shown = (rate: number | undefined) =>
          rate === undefined ? 'none' : rateToUsdPerMillion(rate)
        console.log(
          `${leap > leapMax ? '!' : '~'} ${slug} ${field}: ${shown(from)} -> ${shown(to)}`,
        )
      }
    }
  }
  return leaps
}
