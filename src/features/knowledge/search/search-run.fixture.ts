// Runs searches to their end on a virtual clock, with scripted answers of the catalog's actions.
import type { CallError } from '#core/errors.ts'
import type { ModelRouter } from '#core/model-router.ts'
import type { UntypedJson } from '#core/replies/untyped-json.ts'
import type { PageTexts } from '#core/rooms/page-texts.ts'
import { createVirtualClock } from '#platform/virtual-clock.fixture.ts'
import { namedFacets, type SearchedFacet, selectableFacets } from './facets.ts'
import { createOnesearch } from './onesearch.ts'
import {
  answers,
  catalog,
  createSearchContext,
  ownNamespace,
  type Script,
  pages as scriptedPages,
} from './search-context.fixture.ts'
import { now } from './sources/question.fixture.ts'

export const searchedFacets: readonly SearchedFacet[] = [...selectableFacets, ...namedFacets]

/** Most sources can be asked this. */
export const query = 'patents and assets of Apple Inc., ticker AAPL, EIN 14-2007220, 10-K'

interface GatewayOptions {
  readonly router?: ModelRouter
  readonly pages?: PageTexts
}

interface SearchOptions {
  readonly script?: Script
  /** How long actions take, by id. Default: no time. */
  readonly delaysMs?: Readonly<Record<string, number>>
  readonly available?: (id: string) => boolean
}

/** Searches one after the other, which share what a gateway remembers. */
export function createSearches({ router, pages = scriptedPages }: GatewayOptions = {}) {
  const virtual = createVirtualClock()
  // When the first search starts.
  virtual.set(now)
  const { clock } = virtual
  const action = createOnesearch({ catalog: () => catalog, clock, pages, router, ownNamespace })

  return async (sent: object, options: SearchOptions = {}) => {
    const { delaysMs = {}, available, script = async (id) => answers[id] } = options
    const input = action.input.parse(sent)
    action.check?.(input)
    const { context, hops, refused, kept, spentCents } = createSearchContext({
      input,
      clock,
      ...(available && { available }),
      async script(id, body, signal) {
        if (delaysMs[id] !== undefined) await clock.sleep(delaysMs[id], signal)
        return await script(id, body, signal)
      },
    })
    const startedAt = clock.now()
    let tookMs = 0
    const run = Promise.resolve(action.run(context as never)).finally(() => {
      tookMs = clock.now() - startedAt
    })
    const [ended] = await Promise.allSettled([run, virtual.run()])
    const base = { hops, refused, kept, cents: spentCents(), tookMs }
    if (ended.status === 'rejected')
      return { ...base, error: ended.reason as CallError, data: undefined }
    const data: UntypedJson = action.output.parse(ended.value)
    return { ...base, error: undefined, data }
  }
}

/** One search of a gateway that remembers nothing. */
export const search = (sent: object, options: SearchOptions & GatewayOptions = {}) =>
  createSearches(options)(sent, options)

const emptied = (value: unknown): unknown => {
  if (Array.isArray(value)) return []
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, emptied(each)]))
}

/** Every action answers, and has found nothing. */
export const nothing: Script = async (id) => emptied(answers[id])
