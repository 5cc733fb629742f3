// What onesearch answers, and how it fails.
import { z } from '#core/action.ts'
import { type CallError, type ErrorCode, fail } from '#core/errors.ts'
import type { Evidence } from './evidence.ts'
import { facets, namedFacets, readingFacets } from './facets.ts'
import { type Asked, notAvailable, paused } from './lanes/lane.ts'
import { archive } from './pages.ts'
import type { SearchRouting } from './plan.ts'
import { coverageOf, passageOf } from './texts/passage.ts'

const evidenceItem = z.object({
  id: z.string().describe('The same for the same address in every answer.'),
  url: z.string(),
  title: z.string(),
  snippet: z
    .string()
    .nullable()
    .describe('The part of its text that says most of what the query asks.'),
  content: z.string().nullable().describe('The text of the page, where it was asked for.'),
  published_at: z.string().nullable(),
  facet: z.string(),
  source: z.string().describe('The action that found it, or the way in which it was read.'),
  score: z.number().describe('For comparison within one answer.'),
  primary: z.boolean().describe('The document itself rather than a text about it.'),
  corroborated_by: z.array(z.string()).describe('The other sources that have the document.'),
  ids: z
    .record(z.string(), z.string())
    .exactOptional()
    .describe('Of an entity: its numbers in registries, by their names.'),
  citations: z
    .array(z.object({ source: z.string(), url: z.string(), transaction_id: z.string().nullable() }))
    .describe('Every call that has the document. result returns its whole answer, free.'),
  transaction_id: z.string().nullable().describe('Of the first citation.'),
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
    left_out: z
      .array(z.enum(facets))
      .exactOptional()
      .describe('Facets that you named and the price does not cover.'),
    note: z.string().exactOptional().describe('What was not asked, and why.'),
  }),
})

type DescribedRouting = z.output<typeof answerSchema>['routing']

export function describeRouting(routing: SearchRouting, asked: readonly Asked[]): DescribedRouting {
  const missing = asked.filter(({ reason }) => reason === notAvailable).map(({ source }) => source)
  const { facets: chosen, left_out = [], ...rest } = routing
  const notes = [
    ...(missing.length > 0
      ? [
          `This gateway has no key for ${[...new Set(missing)].join(', ')}, so the other sources were asked.`,
        ]
      : []),
    ...(left_out.length > 0
      ? [
          `The price covers ${chosen.length} facets, so ${left_out.join(', ')} ${left_out.length === 1 ? 'was' : 'were'} not asked: search for the rest by itself.`,
        ]
      : []),
  ]
  return {
    ...rest,
    facets: chosen.map(({ facet, confidence }) => ({
      facet,
      confidence: Number(confidence.toFixed(3)),
    })),
    asked: [...asked],
    ...(left_out.length > 0 && { left_out: [...left_out] }),
    ...(notes.length > 0 && { note: notes.join(' ') }),
  }
}

const readFacets: ReadonlySet<string> = new Set(readingFacets)
/** Facets that return texts, also when excerpts would do. */
const textFacets: ReadonlySet<string> = new Set(['docs', ...readingFacets, ...namedFacets])

/** Its snippet is the part of its text that answers the question. Undefined for what has no text. */
export function toItem(
  { isThin: _, ...evidence }: Evidence,
  { question, withContent }: { readonly question: string; readonly withContent: boolean },
) {
  const snippet = textFor(evidence, question)
  if (snippet === '') return undefined
  return {
    ...evidence,
    snippet,
    corroborated_by: [...evidence.corroborated_by],
    citations: [...evidence.citations],
    content: withContent || textFacets.has(evidence.facet) ? evidence.content : null,
  }
}

/** A source may have chosen a better part of the page than its text has, which can be cut. */
function textFor({ snippet, content }: Pick<Evidence, 'snippet' | 'content'>, question: string) {
  const [chosen, read] = [snippet, content].map((text) => passageOf(text ?? '', question)) as [
    string,
    string,
  ]
  if (chosen === '' || read === '') return chosen || read
  return coverageOf(read, question) >= coverageOf(chosen, question) ? read : chosen
}

/** Why there is no evidence. An empty answer is not sold. */
export function failureOf(routing: DescribedRouting): CallError {
  const { code, message } = describeFailure(routing.asked)
  return fail(code, { data: { routing }, message })
}

function describeFailure(asked: DescribedRouting['asked']): { code: ErrorCode; message: string } {
  const copies = asked.filter(({ source }) => source === archive)
  if (copies.some(({ outcome }) => outcome === 'empty'))
    return {
      code: 'not_found',
      message:
        'There is no archived copy of these pages with a text. Nothing was charged. Choose another day, or leave out asOf.',
    }
  const hasFailed = asked.some(({ outcome, reason }) => outcome === 'failed' || reason === paused)
  const isSomeEmpty = asked.some(({ outcome }) => outcome === 'empty')
  if (copies.length === 0 && isSomeEmpty && !hasFailed)
    return {
      code: 'not_found',
      message:
        'The sources that were asked have nothing on this. Nothing was charged. Reword the query, or name other facets.',
    }
  if (copies.length === 0 && asked.some(({ facet }) => readFacets.has(facet)))
    return {
      code: 'all_blocked',
      message: `No page could be read, and nothing was charged. ${asked.map(({ reason }) => reason).join(' ')}`,
    }
  if (asked.every(({ outcome, reason }) => outcome === 'not_asked' && reason !== paused))
    return {
      code: 'provider_not_configured',
      message:
        'No source of this search can be asked for it on this gateway. Nothing was charged. Name other facets, or leave them out.',
    }
  return {
    code: 'upstream_error',
    message: isSomeEmpty
      ? 'Some sources have failed, and the others have nothing on this. Nothing was charged; try again.'
      : 'The sources that are needed for this have failed. Nothing was charged; try again.',
  }
}
