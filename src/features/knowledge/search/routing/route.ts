// Which kinds of sources a question is for. It reads nothing but the question.
import type { LinearModel } from '#core/classifier/linear.ts'
import type { SelectableFacet } from '../facets.ts'
import { namesFigure } from './figures.ts'
import { formsOf } from './forms.ts'
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
const registryNumbers = /\b(?:lei|cik|isin|kyc|kyb|aml|legal entity|wikidata|registry id\w*)\b/i
/** What is left of the confidence in figures when none is named. */
const withoutFigure = 0.1

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
  const ranked = correct(classify(question, model), question, slots)
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

/**
 * Questions about companies share their words. One that names a form and no figure is about filings, and one that names
 * the number of a registry about an entity. The shares still add up.
 */
function correct(ranked: Routing['facets'], question: string, slots: Slots): Routing['facets'] {
  const heir = heirOf(question)
  const figures = ranked.find(({ facet }) => facet === 'financials')
  if (heir === undefined || figures === undefined || namesFigure(question, slots)) return ranked
  const moved = figures.confidence * (1 - withoutFigure)
  const gains: Partial<Record<SelectableFacet, number>> = { financials: -moved, [heir]: moved }
  return ranked
    .map(({ facet, confidence }) => ({ facet, confidence: confidence + (gains[facet] ?? 0) }))
    .toSorted((one, other) => other.confidence - one.confidence)
}

function heirOf(question: string): SelectableFacet | undefined {
  if (formsOf(question) !== undefined) return 'public-filings'
  return registryNumbers.test(question) ? 'compliance' : undefined
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
