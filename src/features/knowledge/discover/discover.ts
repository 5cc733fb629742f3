// {own_ns}/discover: which action answers a question. Free, on this machine, and honest about how sure it is.
import { type Action, defineAction, z } from '#core/action.ts'
import type { Caller } from '#core/caller.ts'
import {
  bodyOf,
  type Catalog,
  type CatalogEntry,
  catalogFor,
  requiredBy,
  splitId,
} from '#core/catalog.ts'
import { microsToCents } from '#core/money.ts'
import { isOpen, quotePrice } from '#core/price.ts'
import { describePrice } from '#core/pricing/describe-price.ts'
import type { Encoder } from './encoder.ts'
import { findOwn } from './own/own-actions.ts'
import { createRanker, type Ranked, type Ranker } from './rank.ts'
import { termsOf } from './words.ts'

const hitsMax = 20
/** Below this, a hit is more likely wrong than right. */
const weakBelow = 0.5

const offered = {
  service: z.string(),
  action: z.string(),
  endpoint: z.string(),
  price_cents: z
    .int()
    .nullable()
    .describe('What the example costs; null where it is not known before the call.'),
  mode: z.enum(['live', 'keyless', 'embedded', 'unavailable']),
} as const

const hitObject = z.looseObject({
  ...offered,
  summary: z.string(),
  price: z.string(),
  async: z.boolean(),
  required: z.array(z.string()).describe('Parameters that must be sent.'),
  example: z
    .looseObject({})
    .describe('A body that works; with your identifier where it takes one.'),
  why: z.string(),
  confidence: z
    .number()
    .min(0)
    .max(1)
    .describe('How likely it is that the action answers the question.'),
  weak: z.boolean().describe('Rather a guess: the confidence is below one half.'),
  alternatives: z.array(z.looseObject(offered)),
})

/** Entries at the prices of the caller. */
type RankFor = (query: string, limit: number, caller?: Caller) => ReturnType<Ranker['rank']>

export function createDiscover(dependencies: {
  /** Called at the first question, when the catalog is complete. */
  readonly catalog: () => Catalog
  readonly ownNamespace: string
  /** Absent: questions are compared by their words alone. */
  readonly loadEncoder?: () => Encoder
}): { readonly action: Action; readonly rank: Ranker['rank'] } {
  const { ownNamespace, loadEncoder } = dependencies
  let opened: Promise<Ranker> | undefined
  let indexed: Catalog['services'] | undefined
  const rank: RankFor = async (query, limit, caller) => {
    const catalog = dependencies.catalog()
    if (opened === undefined || indexed !== catalog.services) {
      indexed = catalog.services
      opened = createRanker({
        entries: catalog.entries.filter(({ action }) => !action.ended),
        ownNamespace,
        encoder: loadEncoder?.(),
      })
    }
    const ranker = await opened
    // Its index is made of texts, once for what is sold. Prices change.
    const seen = catalogFor(catalog, caller)
    const current = (entry: CatalogEntry) => seen.find(...splitId(entry.id)) ?? entry
    return (await ranker.rank(query, limit)).map((found) => ({
      ...found,
      entry: current(found.entry),
      alternatives: found.alternatives.map(current),
    }))
  }
  const ofAccount: FindOwn = (query, caller) =>
    findOwn(catalogFor(dependencies.catalog(), caller).unlisted.of(caller.accountId), query)
  return { action: defineDiscover(rank, ofAccount), rank }
}

type FindOwn = (query: string, caller: Caller) => readonly Ranked[]

function defineDiscover(rank: RankFor, findOwn: FindOwn): Action {
  return defineAction('discover', {
    summary: 'Find the actions that answer a question, ready to run, with price and an example.',
    notes:
      'Ask in your own words, or send an identifier such as a DOI, CIK, e-mail address, domain or URL, and the example is filled in. Alternatives do much the same. A hit marked weak is a guess. No hits means that no action of this gateway answers it. For what one action takes GET /api/run/{service}/{action}; to search the web itself use ns_semantic/search.',
    synonyms: [
      'find a tool',
      'search the catalog',
      'which action',
      'tool search',
      'what can you do',
    ],
    questions: [
      'which action finds e-mail addresses?',
      'is there a tool for court records?',
      'what can I do with a domain name?',
    ],
    open: true,
    input: z.strictObject({
      query: z.string().trim().min(1).max(1_000).describe('What you want to do or know.'),
      limit: z.int().min(1).max(hitsMax).default(5).describe('Hits at most.'),
    }),
    output: z.looseObject({
      hits: z.array(hitObject),
      message: z.string().optional().describe('When there are no hits.'),
    }),
    price: 'free',
    example: { input: { query: 'who raised money last week?' }, cents: 0 },
    async run({ input: { query, limit }, caller }) {
      const own = findOwn(query, caller)
      const ranked = [...own, ...(await rank(query, limit, caller))].slice(0, limit)
      const hits = ranked.filter(isMeant).map((one) => describeHit(one, query))
      if (hits.length > 0) return { hits }
      return {
        hits,
        message:
          'No action of this gateway answers this. GET /api/run lists what there is; general questions may be put to a language model or a web search.',
      }
    },
  })
}

/**
 * A question to delete, cancel or end something is about what it names: `delete my account` does not mean the action
 * that deletes files.
 */
function isMeant({ entry, taken, inEnglish }: Ranked): boolean {
  const { removes } = entry.action
  if (removes === undefined || taken !== undefined) return true
  const asked = new Set(termsOf(inEnglish).map(({ text }) => text))
  return removes.some((words) => termsOf(words).every(({ text }) => asked.has(text)))
}

function describeHit(ranked: Ranked, query: string) {
  const { entry, alternatives } = ranked
  const { action } = entry
  const endpoint = endpointFor(entry, query)
  const parameters = endpoint?.example ?? exampleFor(ranked)
  const offered = offer(entry, parameters)
  const mode = endpoint?.unavailable === undefined ? offered.mode : 'unavailable'
  const reason = entry.mode === 'unavailable' ? entry.reason : endpoint?.unavailable
  // A hit is marked by the figure that its reader sees.
  const confidence = Number((ranked.confidence * ranked.closeness).toFixed(3))
  return {
    ...offered,
    mode,
    summary: action.summary,
    price: describePrice(action).text,
    async: action.mode === 'job',
    ...(reason !== undefined && { reason }),
    required: [...new Set([...requiredBy(action), ...(endpoint?.required ?? [])])],
    ...(action.endpoints && { endpoints: action.endpoints }),
    example: bodyOf(action, parameters),
    why: explain(ranked),
    confidence,
    weak: confidence < weakBelow,
    alternatives: alternatives.map((other) => offer(other, other.action.example.input)),
  }
}

/**
 * The endpoint that shares the most words with the question, if any does. The provider's name does not count, and a
 * word counts less, the more endpoints have it.
 */
function endpointFor({ action: { endpoints = [] }, service }: CatalogEntry, query: string) {
  const named = new Set(termsOf(service.provider.title).map(({ text }) => text))
  const asked = new Set(termsOf(query).flatMap(({ text }) => (named.has(text) ? [] : text)))
  const rows = endpoints.map((row) => {
    const terms = termsOf(`${row.endpoint.replaceAll(/[/-]/g, ' ')} ${row.summary}`)
    return { row, words: new Set(terms.flatMap(({ text }) => (asked.has(text) ? text : []))) }
  })
  const weigh = (word: string) => 1 / rows.filter(({ words }) => words.has(word)).length
  const [best] = rows
    .map(({ row, words }) => ({
      row,
      shared: [...words].reduce((sum, word) => sum + weigh(word), 0),
    }))
    .toSorted((one, other) => other.shared - one.shared)
  return best !== undefined && best.shared > 0 ? best.row : undefined
}

function offer(entry: CatalogEntry, parameters: unknown) {
  return {
    service: entry.service.provider.id,
    action: entry.action.name,
    endpoint: `POST /api/run/${entry.id}`,
    price_cents: centsOf(entry.action, parameters),
    mode: entry.mode,
  }
}

function centsOf({ price, input }: Action, parameters: unknown): number | null {
  if (isOpen(price)) return null
  const parsed = input.safeParse(parameters)
  if (!parsed.success) return null
  const { micros } = quotePrice(price, parsed.data, Number.POSITIVE_INFINITY)
  return microsToCents(micros, 'up')
}

/** The action's own example, or one with the caller's identifier where that makes a body that is accepted. */
function exampleFor({ entry: { action }, taken }: Ranked): object {
  const fallback = action.example.input as object
  if (taken === undefined) return fallback
  const accepts = (body: object) => {
    try {
      return action.input.safeParse(body).success
    } catch {
      // Some schemas throw a refusal of their own.
      return false
    }
  }
  return [taken.input, { ...fallback, ...taken.input }].find(accepts) ?? fallback
}

function explain({ words, taken }: Ranked): string {
  const reasons = [
    ...(taken === undefined ? [] : [`It takes the ${taken.kind} ${taken.value}.`]),
    ...(words.length === 0 ? [] : [`It is about ${[...new Set(words)].join(', ')}.`]),
  ]
  return reasons.join(' ') || 'Its description is close to the question in meaning.'
}
