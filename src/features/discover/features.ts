// What of an action speaks for a question, in numbers. The ranker adds them up with learned weights; the trainer learns these.
import { type CatalogEntry, requiredBy } from '#core/catalog.ts'
import { type LexicalIndex, type LexicalWeights, type Matches, scoreMatches } from './lexical.ts'
import type { Recognised } from './recognise.ts'
import { type ActionVectors, likeness } from './vectors.ts'
import { termsOf } from './words.ts'

export const featureNames = [
  // Words: what they weigh, their part of all that was asked, and pairs of neighbours.
  'words',
  'share',
  'pairs',
  // Meanings: cosines with the nearest text of a kind, and their mean.
  'summary',
  'synonym',
  'question',
  'mean',
  // How the action is used.
  'poll',
  'polled',
  'job',
  'needsId',
  // Identifiers in the question: whether the action takes one, in which place, and whether few others do.
  'taken',
  'place',
  'telltale',
] as const
export type Feature = (typeof featureNames)[number]
export const meanings: readonly Feature[] = ['summary', 'synonym', 'question', 'mean']

export interface RankWeights {
  readonly words: LexicalWeights
  readonly features: Readonly<Record<Feature, number>>
}

/** Few takers say by themselves which action is meant. */
const telltaleTakersMax = 2
const idNames = new Set(['id', 'ein'])
const stateWords = new Set(termsOf('finished outcome poll result status').map(({ text }) => text))

/** All but the features of words, which depend on the weights: rows of actions, columns of features. */
export function fixedFeatures(
  entries: readonly CatalogEntry[],
  asked: {
    readonly words: string
    readonly found: readonly Recognised[]
    readonly vector?: Float32Array | undefined
    readonly vectorsOf: (id: string) => ActionVectors | undefined
  },
): Float64Array[] {
  const asksForState = termsOf(asked.words).some(({ text }) => stateWords.has(text))
  return entries.map((entry) => {
    const row: Record<Feature, number> = {
      words: 0,
      share: 0,
      pairs: 0,
      ...meaningsOf(asked.vector, asked.vectorsOf(entry.id)),
      ...useOf(entry, asksForState),
      ...takenBy(entry, asked.found),
    }
    return Float64Array.from(featureNames, (name) => row[name])
  })
}

function meaningsOf(vector: Float32Array | undefined, own: ActionVectors | undefined) {
  if (vector === undefined || own === undefined)
    return { summary: 0, synonym: 0, question: 0, mean: 0 }
  const kinds = [own.summary, own.synonym, own.question].map((stored) =>
    stored.map((one) => likeness(vector, one)),
  )
  const all = kinds.flat()
  const [summary = 0, synonym = 0, question = 0] = kinds.map((values) => Math.max(0, ...values))
  const mean = all.reduce((sum, value) => sum + value, 0) / Math.max(all.length, 1)
  return { summary, synonym, question, mean }
}

function useOf({ action: { owned, issues, mode } }: CatalogEntry, asksForState: boolean) {
  const startsWork = issues !== undefined || mode === 'job'
  return {
    poll: Number(!asksForState && owned !== undefined),
    polled: Number(asksForState && owned === undefined && startsWork),
    job: Number(mode === 'job'),
  }
}

function takenBy({ id, action }: CatalogEntry, found: readonly Recognised[]) {
  const taker = found.find(({ takers }) => takers.some((one) => one.id === id))
  if (taker === undefined) {
    const needsId = Number(requiredBy(action).some((name) => idNames.has(name)))
    return { needsId, taken: 0, place: 0, telltale: 0 }
  }
  const place = taker.takers.findIndex((one) => one.id === id)
  const telltale = Number(taker.takers.length <= telltaleTakersMax)
  return { needsId: 0, taken: 1, place, telltale }
}

/** Completes the rows with the features of words, in place. */
export function addWordFeatures(
  rows: readonly Float64Array[],
  matches: Matches,
  index: Pick<LexicalIndex, 'lengths' | 'meanLengths'>,
  weights: LexicalWeights,
): void {
  const { words, pairs, asked } = scoreMatches(matches, index, weights)
  for (const [document, row] of rows.entries()) {
    const weight = words[document] ?? 0
    row.set([weight, asked === 0 ? 0 : weight / asked, pairs[document] ?? 0])
  }
}

export function weigh(row: Float64Array, weights: readonly number[]): number {
  let sum = 0
  for (let at = 0; at < row.length; at += 1) sum += (row[at] ?? 0) * (weights[at] ?? 0)
  return sum
}

export const listWeights = ({ features }: RankWeights): readonly number[] =>
  featureNames.map((name) => features[name])
