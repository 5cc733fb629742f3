// The models for sale now: prices, tiers and the upstreams of each model. The operator's file may change while the
// gateway runs; an invalid file changes nothing.
import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { type Dispatcher, request } from 'undici'
import { errorOf } from '#core/errors.ts'
import { asSentence } from '#core/input/sentence.ts'
import type { ModelPrice, ModelPrices } from '#core/model-price.ts'
import type { ModelSurface } from '#core/models/surfaces.ts'
import type { Log } from '#core/ports.ts'
import {
  type LlmSettings,
  llmSettings,
  type TierName,
  type TimeoutSettings,
  tiersDefault,
} from './settings.ts'
import { createUpstreams, type ModelUpstream } from './upstreams.ts'

/** One model at one upstream. */
export interface Route {
  readonly slug: string
  readonly price: ModelPrice
  readonly upstream: ModelUpstream
  readonly upstreamModel: string
}

export interface ModelCatalog extends TimeoutSettings {
  readonly version: string
  readonly prices: ReadonlyMap<string, ModelPrice>
  readonly tiers: Readonly<Record<TierName, readonly string[]>>
  /** Empty if no upstream serves the model for chats, or for the surface that is named. */
  routes(slug: string, surface?: ModelSurface): readonly Route[]
  /** Whether the model can be asked now, for what it is sold. */
  isServed(slug: string): boolean
}

export interface Models {
  current(): ModelCatalog
  /** The same prices, looked up by model. */
  readonly prices: ModelPrices
  /**
   * A chat was billed for more tokens than it was allowed: from now on holds of the model have room for thoughts.
   */
  noteThoughts(route: Route): void
  /** Adds what this machine answers itself. The operator's file may set other prices. */
  sellHere(upstream: ModelUpstream, prices: ReadonlyMap<string, ModelPrice>): void
  /** Reads the file and the upstreams' lists again. Resolves to the problem, if there is one. */
  refresh(): Promise<string | undefined>
  close(): void
}

const refreshIntervalMs = 30_000
const priceLeapMax = 5
const steppedFields = [
  ...(['prompt', 'completion', 'cache_read', 'cache_write'] as const),
  ...(['image_prompt', 'audio_prompt', 'minute', 'character', 'search'] as const),
]
const discoveryTimeoutMs = 3_000
const discoveredMax = 1_000
const fileBytesMax = 5_000_000

export async function createModels(dependencies: {
  shipped: ModelPrices
  configPath: string | undefined
  variables: ReadonlyMap<string, string>
  dispatcher: Dispatcher
  log: Log
}): Promise<Models> {
  const { shipped, configPath, variables, dispatcher, log } = dependencies
  let modified = -1
  let settings = await readSettings(configPath)
  if (configPath !== undefined) modified = (await stat(configPath)).mtimeMs
  let upstreams = createUpstreams(settings, variables)
  let discovered = await discover(upstreams, dispatcher, log, new Map())
  /** Models that were seen to bill more than a limit. */
  const thinkers = new Set<string>()
  let here: Here | undefined
  const offerOf = (settings: LlmSettings, upstreams: readonly ModelUpstream[]) =>
    makeOffer(shipped, settings, { upstreams, discovered, thinkers, here })
  let offer = offerOf(settings, upstreams)

  async function refresh(): Promise<string | undefined> {
    let problem: string | undefined
    try {
      const writtenAt = configPath === undefined ? modified : (await stat(configPath)).mtimeMs
      if (writtenAt !== modified) {
        const next = await readSettings(configPath)
        const nextUpstreams = createUpstreams(next, variables)
        requireSmallSteps(offer, offerOf(next, nextUpstreams))
        settings = next
        upstreams = nextUpstreams
        modified = writtenAt
      }
    } catch (error) {
      problem = errorOf(error).message
      log.error(
        { problem },
        'The language-model configuration is invalid; the previous one stays in use.',
      )
    }
    discovered = await discover(upstreams, dispatcher, log, discovered)
    const next = offerOf(settings, upstreams)
    if (next.version !== offer.version) log.info({ version: next.version }, 'Model prices changed.')
    offer = next
    return problem
  }

  const timer = setInterval(() => void refresh(), refreshIntervalMs).unref()
  return {
    current: () => offer,
    prices: {
      version: () => offer.version,
      find: (model) => offer.prices.get(model),
      entries: () => offer.prices,
    },
    noteThoughts({ slug, price, upstream }) {
      if (thinkers.has(slug) || price.thinks === false) return
      thinkers.add(slug)
      offer = offerOf(settings, upstreams)
      log.warn(
        { upstream: upstream.name, model: slug },
        'A model bills more than max_tokens; its holds have room for thoughts from now on. Set "thinks": true in its price to have it from the start, or false to keep the holds small.',
      )
    },
    sellHere(upstream, prices) {
      here = { upstream, prices }
      offer = offerOf(settings, upstreams)
    },
    refresh,
    close: () => clearInterval(timer),
  }
}

async function readSettings(configPath: string | undefined): Promise<LlmSettings> {
  if (configPath === undefined) return llmSettings.parse({})
  const text = await readFile(configPath, 'utf8')
  if (text.length > fileBytesMax) throw new Error(`${configPath} is too large.`)
  const parsed = llmSettings.safeParse(JSON.parse(text))
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(({ path, message }) =>
    asSentence(`${path.join('.')}: ${message}`),
  )
  throw new Error(`${configPath} is invalid. ${problems.slice(0, 10).join(' ')}`)
}

/** This machine as an upstream. */
interface Here {
  readonly upstream: ModelUpstream
  readonly prices: ReadonlyMap<string, ModelPrice>
}

function makeOffer(
  shipped: ModelPrices,
  settings: LlmSettings,
  known: {
    readonly upstreams: readonly ModelUpstream[]
    readonly discovered: ReadonlyMap<string, readonly string[]>
    readonly thinkers: ReadonlySet<string>
    readonly here: Here | undefined
  },
): ModelCatalog {
  const { discovered, thinkers, here } = known
  const upstreams = [...known.upstreams, ...(here === undefined ? [] : [here.upstream])]
  const prices = new Map([...shipped.entries(), ...(here?.prices ?? [])])
  for (const upstream of upstreams)
    for (const model of discovered.get(upstream.name) ?? [])
      if (upstream.price !== undefined) prices.set(`${upstream.name}/${model}`, upstream.price)
  // Facts that the operator does not tell stay as in the shipped map. Rates are replaced as a whole.
  for (const [slug, price] of Object.entries(settings.prices))
    prices.set(slug, { ...factsOf(shipped.find(slug)), ...price })
  for (const slug of thinkers) {
    const price = prices.get(slug)
    if (price !== undefined) prices.set(slug, { ...price, thinks: true })
  }
  const tiers = { ...tiersDefault, ...settings.tiers }
  for (const [tier, members] of Object.entries(tiers))
    for (const slug of members)
      if (!prices.has(slug) && !mayBeDiscovered(slug, upstreams))
        throw new Error(
          `Tier ${tier} names ${slug}, which has no price. Give it one in "prices" of LLM_CONFIG.`,
        )
  const routesBySlug = new Map<string, readonly Route[]>()
  return {
    version: createHash('sha256')
      .update(JSON.stringify([...prices]))
      .digest('hex')
      .slice(0, 12),
    prices,
    tiers,
    timeouts: settings.timeouts,
    timeoutsByModel: settings.timeouts_by_model,
    isServed(slug) {
      return this.routes(slug, prices.get(slug)?.surface).length > 0
    },
    routes(slug, surface) {
      const price = prices.get(slug)
      if (price === undefined || price.surface !== surface) return []
      let routes = routesBySlug.get(slug)
      if (routes === undefined) {
        const asked =
          surface === undefined
            ? upstreams
            : upstreams.filter(({ surfaces }) => surfaces.includes(surface))
        routes = asked.flatMap((upstream) => {
          const upstreamModel = upstream.nameOf(slug)
          return upstreamModel === undefined ? [] : [{ slug, price, upstream, upstreamModel }]
        })
        routesBySlug.set(slug, routes)
      }
      return routes
    },
  }
}

function factsOf(price: ModelPrice | undefined): Partial<ModelPrice> {
  const { context, output, name, released, input, parameters } = price ?? {}
  return { context, output, name, released, input, parameters }
}

/** Its upstream may list the model later. */
function mayBeDiscovered(slug: string, upstreams: readonly ModelUpstream[]): boolean {
  return upstreams.some(({ discovers, name }) => discovers && slug.startsWith(`${name}/`))
}

/** A price that changes by more than five times is more often a mistake than a new price. */
function requireSmallSteps(before: ModelCatalog, after: ModelCatalog) {
  for (const [slug, price] of after.prices) {
    const was = before.prices.get(slug)
    if (was === undefined) continue
    for (const field of steppedFields) {
      const [from, to] = [was[field], price[field]]
      if (from === undefined || to === undefined || from === to) continue
      if (from * to === 0 || Math.max(from / to, to / from) > priceLeapMax)
        throw new Error(
          `The ${field} price of ${slug} changes by more than ${priceLeapMax} times. If this is intended, restart the gateway.`,
        )
    }
  }
}

/** Lists the models of upstreams that have `discover` on. An upstream that does not answer keeps its previous list. */
async function discover(
  upstreams: readonly ModelUpstream[],
  dispatcher: Dispatcher,
  log: Log,
  before: ReadonlyMap<string, readonly string[]>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = await Promise.all(
    upstreams
      .filter(({ discovers }) => discovers)
      .map(async (upstream): Promise<readonly [string, readonly string[]]> => {
        try {
          return [upstream.name, await listModels(upstream, dispatcher)]
        } catch (error) {
          log.warn(
            { upstream: upstream.name, reason: errorOf(error).message },
            'An upstream did not list its models.',
          )
          return [upstream.name, before.get(upstream.name) ?? []]
        }
      }),
  )
  return new Map(found)
}

async function listModels(
  upstream: ModelUpstream,
  dispatcher: Dispatcher,
): Promise<readonly string[]> {
  const { statusCode, body } = await request(`${upstream.origin}${upstream.basePath}/models`, {
    dispatcher,
    headers: upstream.headers,
    signal: AbortSignal.timeout(discoveryTimeoutMs),
  })
  const list: { data?: { id?: unknown }[] } = JSON.parse(await body.text())
  if (statusCode !== 200 || !Array.isArray(list.data)) throw new Error(`status ${statusCode}`)
  return list.data
    .map(({ id }) => id)
    .filter((id): id is string => typeof id === 'string' && /^[\w.:/@-]{1,150}$/.test(id))
    .slice(0, discoveredMax)
}
