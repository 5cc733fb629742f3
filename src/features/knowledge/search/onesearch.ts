// {own_ns}/onesearch: one question, the sources that fit it, one list of evidence.
import { type Action, defineAction, type RunContext } from '#core/action.ts'
import type { Catalog } from '#core/catalog.ts'
import type { ModelRouter } from '#core/model-router.ts'
import { centsToMicros } from '#core/money.ts'
import type { Clock } from '#core/ports.ts'
import type { PageTexts } from '#core/rooms/page-texts.ts'
import { createCircuitBreaker } from '#platform/http/circuit-breaker.ts'
import type { Evidence } from './evidence.ts'
import type { SearchedFacet } from './facets.ts'
import { fuse } from './fusion/fuse.ts'
import { climb, isIdle, type LaneDependencies } from './lanes/lane.ts'
import { createPriceOf } from './lanes/paid-call.ts'
import { createPurse, type Purse } from './lanes/purse.ts'
import { createReceipts, type Receipts } from './lanes/receipts.ts'
import { type PagesDependencies, type PagesFound, readArchived, readNamed } from './pages.ts'
import { mayAskModel, planSearch, type SearchPlan } from './plan.ts'
import { archivedCopiesMax, checkSearch, type SearchInput, searchInput } from './search-input.ts'
import { answerSchema, describeRouting, failureOf, toItem } from './search-output.ts'
import { ownPages } from './sources/own.ts'
import type { SearchQuestion } from './sources/source.ts'
import { withTexts } from './texts/read-texts.ts'
import { fitTokens } from './texts/token-budget.ts'

/** Source: spec, "Search bundle". */
export const onesearchCents = 5
const timeoutMs = 75_000
/** From this ratio on, the best facet has most of the price. */
const likelierBy = 3
const readingMs = {
  few: 25_000,
  hard: 60_000,
  texts: 12_000,
  passages: 6_000,
  archived: 20_000,
} as const

export interface OnesearchDependencies {
  /** Called at each search, when the catalog is complete. */
  readonly catalog: () => Catalog
  readonly pages: PageTexts
  readonly ownNamespace: string
  readonly clock: Clock
  /** Decides where the wording of a question does not. */
  readonly router?: ModelRouter | undefined
}

type Parts = PagesDependencies & LaneDependencies & Pick<OnesearchDependencies, 'router'>

export function createOnesearch(dependencies: OnesearchDependencies): Action {
  const { catalog, clock, pages } = dependencies
  const parts: Parts = {
    ...dependencies,
    priceOf: createPriceOf(catalog),
    breaker: createCircuitBreaker({ clock }),
    own: ownPages(dependencies.ownNamespace),
  }
  return defineAction('onesearch', {
    summary: 'Answer a question with evidence from the sources that fit it, for one flat price.',
    notes:
      'Send query alone, and its wording chooses up to three kinds of sources; name facets to choose them yourself. The sources are asked at the same time, and what they find is merged: corroborated_by names the others that have the same document. routing says what was asked and what was not. Nothing is charged when nothing is found. urls are read instead of searched, and asOf reads archived copies. The facets scrape, scrape-hard, social and own, your indexes, are asked only when you name them. For one index by itself use ns_semantic/search, to read pages onescrape, to find an action discover.',
    synonyms: [
      'search everything',
      'research a question',
      'find evidence',
      'multi-source search',
      'federated search',
      'one search',
    ],
    questions: [
      'what is known about this, from several kinds of sources?',
      'find evidence for this claim',
      'search the web, the news and the papers in one call',
    ],
    timeoutMs,
    errors: ['bad_url', 'not_found', 'all_blocked'],
    input: searchInput,
    check(input) {
      checkSearch(input)
      if (input.urls !== undefined) pages.admit(input.urls)
    },
    mayInfer: (input) => mayAskModel(input, dependencies),
    output: answerSchema,
    price: { cents: onesearchCents },
    spendsUpToCents: onesearchCents,
    example: {
      input: { query: 'who founded the Red Cross?', maxResults: 3 },
      cents: onesearchCents,
    },
    run: (context) => search(context, parts),
  })
}

async function search(context: RunContext<SearchInput>, parts: Parts) {
  const { input } = context
  const purse = createPurse(centsToMicros(onesearchCents))
  const receipts = createReceipts(context)
  if (input.urls !== undefined)
    return await answerFromPages(input.urls, { context, purse, receipts, parts })
  const plan = await planSearch(input, { context, purse }, parts)
  const kept = input.asOf === undefined ? 0 : archivedCopiesMax
  const archivePurse = createPurse(centsToMicros(kept))
  purse.take(centsToMicros(kept))
  const { own } = parts
  const purses = sharesOf(purse, plan.lanes, (facet) =>
    isIdle(facet, plan.question, { own, available: (id) => context.available(id) }),
  )
  const timeCritical = input.timeCritical === true
  const lanes = await Promise.all(
    plan.lanes.map(({ facet, confidence }, at) =>
      climb(
        { facet, confidence, purse: purses[at] as Purse },
        plan.question,
        { timeCritical, context, receipts },
        parts,
      ),
    ),
  )
  const lists = lanes.flatMap((lane) => lane.lists)
  const asked = lanes.flatMap((lane) => lane.asked)
  const merge = (from: PagesFound['lists']) => fuse(from, fusionOf(input, plan.question))
  if (input.asOf !== undefined) {
    const best = merge(lists).slice(0, archivedCopiesMax)
    const archived = await readArchived(
      best,
      input.asOf,
      { context, receipts, purse: archivePurse, timeoutMs: readingMs.archived },
      parts,
    )
    return answerOf({ lists: archived.lists, asked: [...asked, ...archived.asked] }, input, plan)
  }
  const rest = createPurse([purse, ...purses].reduce((sum, each) => sum + each.left(), 0))
  const evidence = merge(lists)
  const withContent = input.fidelityRequired === true
  const timeoutMs = withContent ? readingMs.texts : readingMs.passages
  const read = await withTexts(
    evidence,
    { context, receipts, purse: rest, timeoutMs, withContent },
    parts,
  )
  return answerWith(read, { lists, asked }, input, plan)
}

/**
 * One's own indexes are free to search, and an idle lane needs nothing. The other lanes share what is left: equally, or
 * a cent for each beside the one that is much likelier.
 */
function sharesOf(
  purse: Purse,
  lanes: SearchPlan['lanes'],
  isIdle: (facet: SearchedFacet) => boolean,
): readonly Purse[] {
  const isFree = lanes.map(({ facet }) => facet === 'own' || isIdle(facet))
  const [first, second] = lanes.filter((_, at) => !isFree[at])
  const isClear = first && second && first.confidence >= likelierBy * second.confidence
  const count = isFree.filter((free) => !free).length
  const shares = purse.share(count, centsToMicros(1), isClear ? 'first' : 'equal').values()
  return isFree.map((free) => (free ? createPurse(0) : (shares.next().value as Purse)))
}

const fusionOf = ({ query, maxResults, recencyDays }: SearchInput, question?: SearchQuestion) => {
  const days = recencyDays ?? question?.slots.recencyDays
  return {
    ...(query !== undefined && { question: query }),
    resultsMax: maxResults,
    ...(days !== undefined &&
      question && { recency: { now: question.now, halfLifeDays: Math.max(1, days / 2) } }),
  }
}

function answerOf(found: PagesFound, input: SearchInput, plan: Pick<SearchPlan, 'routing'>) {
  return answerWith(fuse(found.lists, fusionOf(input)), found, input, plan)
}

function answerWith(
  evidence: readonly Evidence[],
  found: PagesFound,
  input: SearchInput,
  { routing }: Pick<SearchPlan, 'routing'>,
) {
  const described = describeRouting(routing, found.asked)
  const asked = { question: input.query ?? '', withContent: input.fidelityRequired === true }
  const items = evidence.flatMap((each) => toItem(each, asked) ?? [])
  if (items.length === 0) throw failureOf(described)
  const fitting = input.max_tokens === undefined ? items : fitTokens(items, input.max_tokens)
  return { evidence: fitting, count: fitting.length, routing: described }
}

async function answerFromPages(
  named: readonly string[],
  {
    context,
    purse,
    receipts,
    parts,
  }: { context: RunContext<SearchInput>; purse: Purse; receipts: Receipts; parts: Parts },
) {
  const { input } = context
  const urls = parts.pages.admit(named)
  const facet = input.facets?.includes('scrape-hard') ? 'scrape-hard' : 'scrape'
  const ms = facet === 'scrape-hard' ? readingMs.hard : readingMs.few
  const found =
    input.asOf === undefined
      ? await readNamed(urls, facet, { context, purse, receipts, timeoutMs: ms }, parts)
      : await readArchived(
          urls.map((url) => ({ url, facet })),
          input.asOf,
          { context, purse, receipts, timeoutMs: readingMs.archived },
          parts,
        )
  const reason = 'You named the pages.'
  const routing = { facets: [{ facet, confidence: 1 }], decided_by: 'caller', reason } as const
  return answerOf(found, { ...input, fidelityRequired: true }, { routing })
}
