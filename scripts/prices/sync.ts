// Rewrites the price map from a newer source and prints what changed: `npm run prices -- <file>`. The file is one of
//   models.dev's api.json           { openrouter: { models: { slug: { cost, limit, modalities, tool_call, ... } } } }
//   OpenRouter's GET /models        { data: [{ id, pricing: { prompt, completion, ... }, context_length }] }
//   a LiteLLM price map             { slug: { mode, input_cost_per_token, output_cost_per_token, ... } }
// `--also <file>` names a second file that tells what the models take (`supported_parameters`) better than the first.
// It fetches nothing, and without --force it refuses a price that changes by more than a factor of five.
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import {
  type ModelPrice,
  type PriceFile,
  rateToUsdPerMillion,
  readPriceFile,
} from '#core/model-price.ts'
import { rowsOf } from './rows.ts'

const mapPath = path.join(import.meta.dirname, '../../src/catalog/lib/model-prices.json')
const leapMax = 5
const comparedFields = [
  ...(['prompt', 'completion', 'cache_read', 'cache_write'] as const),
  ...(['image_prompt', 'audio_prompt', 'minute', 'character', 'search'] as const),
]
/** Models that also bill for pictures, sound or searches, which no rate here covers. */
const notByTextTokens =
  /-image|gpt-audio|lyria|search-preview|deep-research|^perplexity\/|:online|^openrouter\//
/** Models in which one picture can count for far more tokens than in others, according to their vendors. */
const imageTokens: readonly [RegExp, number][] = [[/^openai\/gpt-4o-mini/, 50_000]]

const [file, ...flags] = process.argv.slice(2)
if (file === undefined) {
  console.error(
    'Name the file: npm run prices -- <file> [--also <file>] [--force] [--as-of YYYY-MM-DD]',
  )
  process.exit(1)
}
const asOf = flags[flags.indexOf('--as-of') + 1] ?? new Date().toISOString().slice(0, 10)
const readRows = async (name: string) => rowsOf(JSON.parse(await readFile(name, 'utf8')))
const rows = await readRows(file)
const also = flags.includes('--also')
  ? new Map(await readRows(flags[flags.indexOf('--also') + 1] ?? ''))
  : new Map<string, ModelPrice>()
const before = await readFile(mapPath, 'utf8').then(
  (text) => readPriceFile(JSON.parse(text)).models,
  () => ({}) as PriceFile['models'],
)
/** The sources of chats lack most other surfaces, so these stay as they were. */
const others = Object.entries(before).filter(([, { surface }]) => surface !== undefined)
const models = Object.fromEntries(
  [...others, ...rows.map(withKnownLimits)]
    .filter(([slug, { surface }]) => surface !== undefined || !notByTextTokens.test(slug))
    .map(([slug, row]) => [slug, withImageTokens(slug, withParameters(slug, row))] as const)
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
  source:
    'Prices and facts as published by OpenRouter, from models.dev (https://models.dev, MIT licence). Those of other surfaces than chat are the vendors’ own.',
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

function withParameters(slug: string, row: ModelPrice): ModelPrice {
  const told = also.get(slug)?.parameters
  return told === undefined ? row : { ...row, parameters: told }
}

/** Limits and sizes that the source does not have stay as they were. */
function withKnownLimits([slug, row]: [string, ModelPrice]): [string, ModelPrice] {
  if (row.surface !== undefined) return [slug, { ...before[slug], ...row }]
  const { batch, long_context } = before[slug] ?? {}
  return [
    slug,
    {
      ...(long_context === undefined ? {} : { long_context }),
      ...row,
      ...(batch === undefined ? {} : { batch }),
    },
  ]
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
      for (const field of comparedFields) {
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
