// What onesearch answers, and how it fails.
import { z } from '#core/action.ts'
import { type CallError, fail } from '#core/errors.ts'
import type { Evidence } from './evidence.ts'
import { facets } from './facets.ts'
import { type Asked, notAvailable } from './lanes/lane.ts'
import type { SearchRouting } from './plan.ts'

const evidenceItem = z.object({
  id: z.string().describe('The same for the same address in every answer.'),
  url: z.string(),
  title: z.string(),
  snippet: z.string().nullable(),
  content: z.string().nullable().describe('The text of the page, where it was asked for.'),
  published_at: z.string().nullable(),
  facet: z.string(),
  source: z.string().describe('The action that found it, or the way in which it was read.'),
  score: z.number().describe('For comparison within one answer.'),
  primary: z.boolean().describe('The document itself rather than a text about it.'),
  corroborated_by: z.array(z.string()).describe('The other sources that have the document.'),
  transaction_id: z.string().nullable(),
})

const askedItem = z.object({
  facet: z.string(),
  source: z.string(),
  outcome: z.enum(['found', 'empty', 'failed', 'not_asked']),
  found: z.int(),
  reason: z.string().exactOptional(),
  latency_ms: z.int(),
})

export const answerSchema = z.object({
  evidence: z.array(evidenceItem),
  count: z.int(),
  routing: z.object({
    facets: z.array(z.object({ facet: z.enum(facets), confidence: z.number() })),
    decided_by: z.enum(['caller', 'wording', 'model']),
    reason: z.string(),
    asked: z.array(askedItem).describe('Every source, with what came of it.'),
    note: z.string().exactOptional().describe('What this gateway could not ask.'),
  }),
})

type DescribedRouting = z.output<typeof answerSchema>['routing']

export function describeRouting(routing: SearchRouting, asked: readonly Asked[]): DescribedRouting {
  const missing = asked.filter(({ reason }) => reason === notAvailable).map(({ source }) => source)
  const { facets: chosen, ...rest } = routing
  return {
    ...rest,
    facets: chosen.map(({ facet, confidence }) => ({
      facet,
      confidence: Number(confidence.toFixed(3)),
    })),
    asked: [...asked],
    ...(missing.length > 0 && {
      note: `This gateway has no key for ${[...new Set(missing)].join(', ')}, so the other sources were asked.`,
    }),
  }
}

/** Facets that return texts, also when excerpts would do. */
const textFacets: ReadonlySet<string> = new Set(['docs', 'scrape', 'scrape-hard', 'social'])

export const toItem = (evidence: Evidence, withContent: boolean) => ({
  ...evidence,
  corroborated_by: [...evidence.corroborated_by],
  content: withContent || textFacets.has(evidence.facet) ? evidence.content : null,
})

/** Why there is no evidence. An empty answer is not sold. */
export function failureOf(routing: DescribedRouting): CallError {
  const { asked } = routing
  const data = { routing }
  const isReading = asked.some(({ facet }) => facet === 'scrape' || facet === 'scrape-hard')
  if (asked.some(({ outcome }) => outcome === 'empty'))
    return fail('not_found', {
      data,
      message:
        'The sources that were asked have nothing on this. Nothing was charged. Reword the query, or name other facets.',
    })
  if (isReading)
    return fail('all_blocked', {
      data,
      message: `No page could be read, and nothing was charged. ${asked.map(({ reason }) => reason).join(' ')}`,
    })
  if (asked.every(({ outcome }) => outcome === 'not_asked'))
    return fail('provider_not_configured', {
      data,
      message:
        'No source of this search can be asked for it on this gateway. Nothing was charged. Name other facets, or leave them out.',
    })
  return fail('upstream_error', {
    data,
    message: 'Every source that was asked has failed. Nothing was charged; try again.',
  })
}
