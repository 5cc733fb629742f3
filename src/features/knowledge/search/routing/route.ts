// Which kinds of sources a question is for. It reads nothing but the question.
import type { LinearModel } from '#core/classifier/linear.ts'
import type { SelectableFacet } from '../facets.ts'
import { readIdentifiers } from './identifiers.ts'
import { classify, getModel } from './model.ts'
import { readSlots, type Slots } from './slots.ts'

export interface Routing {
  /** At least one and at most three, the likeliest first. */
  readonly facets: readonly { readonly facet: SelectableFacet; readonly confidence: number }[]
  readonly slots: Slots
  /** A sentence for the caller. */
  readonly reason: string
  /** By how much the best facet is likelier than the second. */
  readonly margin: number
  /** The margin is small, so a language model may decide. */
  readonly isUnsure: boolean
}

const facetsMax = 3
const unsureMargin = 0.25
/** From here on no other facet is asked. */
const sureConfidence = 0.9
/** A facet that is less likely than this is not worth its price. */
const confidenceMin = 0.04
/** What the safety lane counts for at least. */
const webConfidenceMin = 0.1

/** `now` is in milliseconds of Unix time. The same question and time give the same answer. */
export function route(question: string, now: number, model: LinearModel = getModel()): Routing {
  const slots = readSlots(question, now)
  const { found, isBare } = readIdentifiers(question)
  const [identifier] = found
  if (isBare && identifier !== undefined) {
    const { kind, facet } = identifier
    const facets = [{ facet, confidence: 1 }]
    return { facets, slots, reason: `The question is a ${kind}.`, margin: 1, isUnsure: false }
  }
  const ranked = classify(question, model)
  const [best = { facet: 'web' as const, confidence: 0 }, second] = ranked
  const margin = best.confidence - (second?.confidence ?? 0)
  const facets = choose(ranked)
  return { facets, slots, reason: reasonOf(facets, slots), margin, isUnsure: margin < unsureMargin }
}

/** The likeliest facets. Web keeps a place unless the best one is sure. */
function choose(ranked: Routing['facets']): Routing['facets'] {
  const [best] = ranked
  if (best === undefined || best.confidence >= sureConfidence) return ranked.slice(0, 1)
  const likely = ranked.filter(({ confidence }) => confidence >= confidenceMin).slice(0, facetsMax)
  if (likely.some(({ facet }) => facet === 'web')) return likely
  const web = ranked.find(({ facet }) => facet === 'web')?.confidence ?? 0
  return [
    ...likely.slice(0, facetsMax - 1),
    { facet: 'web', confidence: Math.max(web, webConfidenceMin) },
  ]
}

function reasonOf(facets: Routing['facets'], { identifiers, recencyDays }: Slots): string {
  const named = facets.map(({ facet, confidence }) => `${facet} (${confidence.toFixed(2)})`)
  const kinds = identifiers.map(({ kind }) => kind)
  return [
    `The wording points to ${named.join(', ')}.`,
    ...(kinds.length > 0 ? [`It contains: ${kinds.join(', ')}.`] : []),
    ...(recencyDays === undefined ? [] : [`It asks for the last ${recencyDays} days.`]),
  ].join(' ')
}
