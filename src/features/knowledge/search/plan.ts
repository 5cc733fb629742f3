// Which facets a search asks, and who has decided it: the caller, the wording of the question, or a language model.
import type { ModelContext, ModelRouter } from '#core/model-router.ts'
import { centsToMicros } from '#core/money.ts'
import type { Clock } from '#core/ports.ts'
import { type Facet, isReadingFacet, type SearchedFacet } from './facets.ts'
import type { Purse } from './lanes/purse.ts'
import { askModel } from './routing/ask-model.ts'
import { route } from './routing/route.ts'
import { readSlots } from './routing/slots.ts'
import { framedFacets, type SearchInput, splitFacets } from './search-input.ts'
import type { SearchQuestion } from './sources/source.ts'

export interface SearchRouting {
  readonly facets: readonly { readonly facet: Facet; readonly confidence: number }[]
  readonly decided_by: 'caller' | 'wording' | 'model'
  readonly reason: string
  /** Facets that the caller named and the price does not cover. */
  readonly left_out?: readonly Facet[]
}

export interface SearchPlan {
  readonly question: SearchQuestion
  readonly lanes: readonly { readonly facet: SearchedFacet; readonly confidence: number }[]
  readonly routing: SearchRouting
}

/** The most that a model may cost. The rest of the price is for the sources. */
const modelCents = 1
/** Of a facet that a model has named first, second and third. */
const modelConfidences = [0.8, 0.5, 0.3]

export async function planSearch(
  input: SearchInput,
  paying: {
    readonly context: ModelContext
    readonly purse: Purse
  },
  dependencies: { readonly clock: Clock; readonly router?: ModelRouter | undefined },
): Promise<SearchPlan> {
  const now = dependencies.clock.now()
  const { query: text = '', domains = [], excludeDomains = [], recencyDays, platform } = input
  const chosen = await chooseFacets(input, now, paying, dependencies)
  const { covered, leftOut } = splitFacets(chosen.facets, input)
  const lanes = covered.flatMap(({ facet, confidence }) =>
    isReadingFacet(facet) ? [] : { facet, confidence },
  )
  return {
    routing: { ...chosen, facets: covered, ...(leftOut.length > 0 && { left_out: leftOut }) },
    lanes,
    question: {
      text,
      now,
      domains,
      excludeDomains,
      recencyDays,
      slots: readSlots(text, now),
      withContent: input.fidelityRequired === true,
      platform: platform ?? 'twitter',
    },
  }
}

/** Whether the search may ask a language model: the caller has not framed it, and its wording is not clear. */
export function mayAskModel(
  input: SearchInput,
  { clock, router }: Parameters<typeof planSearch>[2],
): boolean {
  const { query, urls } = input
  if (query === undefined || urls !== undefined || framedFacets(input) !== undefined) return false
  return (router?.offers().length ?? 0) > 0 && route(query, clock.now()).isUnsure
}

async function chooseFacets(
  input: SearchInput,
  now: number,
  { context, purse }: Parameters<typeof planSearch>[1],
  { clock, router }: Parameters<typeof planSearch>[2],
): Promise<SearchRouting> {
  const framed = framedFacets(input)
  if (framed !== undefined)
    return {
      facets: framed.map((facet) => ({ facet, confidence: 1 })),
      decided_by: 'caller',
      reason: input.facets
        ? 'You named the facets.'
        : 'You framed the search, so the web is asked.',
    }
  const question = input.query ?? ''
  const { facets, reason, isUnsure } = route(question, now)
  const micros = centsToMicros(modelCents)
  if (!isUnsure || router === undefined || !purse.take(micros))
    return { facets, decided_by: 'wording', reason }
  const choice = await askModel({ question, micros, ...context }, { router, clock })
  purse.giveBack(micros - choice.spent)
  if (choice.facets === undefined) return { facets, decided_by: 'wording', reason }
  return {
    facets: choice.facets.map((facet, at) => ({ facet, confidence: modelConfidences[at] ?? 0 })),
    decided_by: 'model',
    reason: `${reason} That was not clear enough, so a language model has chosen.`,
  }
}
