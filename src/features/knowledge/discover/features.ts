// Describes in numbers how well an action fits a question. The ranker adds them up with weights, which the trainer
// learns.
import type { Action } from '#core/action.ts'
import { type CatalogEntry, requiredBy } from '#core/catalog.ts'
import type { FoundIdentifier, IdentifierKind, Intake } from '#core/identifier.ts'
import { type LexicalIndex, type LexicalWeights, type Matches, scoreMatches } from './lexical.ts'
import type { Meanings } from './vectors.ts'
import { termsOf } from './words.ts'

export const featureNames = [
  // Words: their weight, their share of the question, and pairs of neighbours.
  'words',
  'share',
  'pairs',
  // Pieces of words, and meanings: cosines with the action, and with the nearest topic that no action serves. Then
  // whether the meaning is one that some action answers.
  'pieces',
  'unservedPieces',
  'meaning',
  'unservedMeaning',
  'scope',
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
export const meanings: readonly Feature[] = ['meaning', 'unservedMeaning', 'scope']

export interface RankWeights {
  readonly words: LexicalWeights
  readonly features: Readonly<Record<Feature, number>>
}

/** With so few takers, the identifier itself tells which action is meant. */
const telltaleTakersMax = 2
const idNames = new Set(['id', 'ein'])
const stateWords = new Set(termsOf('finished outcome poll result status').map(({ text }) => text))

/** All but the features of words, which depend on the weights: rows of actions, columns of features. */
export function fixedFeatures(
  entries: readonly CatalogEntry[],
  asked: {
    readonly words: string
    readonly found: readonly FoundIdentifier[]
    /** For the actions, in order, then for the topics that no action serves. */
    readonly pieces: Float64Array
    /** The same, where the question has a meaning. */
    readonly meanings: Meanings | undefined
  },
): Float64Array[] {
  const asksForState = termsOf(asked.words).some(({ text }) => stateWords.has(text))
  const nearestOf = (cosines: Float64Array | undefined) =>
    Math.max(0, ...(cosines?.subarray(entries.length) ?? []))
  const ofQuestion = {
    unservedPieces: nearestOf(asked.pieces),
    unservedMeaning: nearestOf(asked.meanings?.cosines),
    scope: asked.meanings?.scope ?? 0,
  }
  const takers = countTakers(entries, asked.found)
  return entries.map((entry, at) => {
    const row: Record<Feature, number> = {
      words: 0,
      share: 0,
      pairs: 0,
      ...ofQuestion,
      pieces: asked.pieces[at] ?? 0,
      meaning: asked.meanings?.cosines[at] ?? 0,
      ...useOf(entry, asksForState),
      ...takenBy(entry, asked.found, takers),
    }
    return Float64Array.from(featureNames, (name) => row[name])
  })
}

function useOf({ action: { owned, issues, mode } }: CatalogEntry, asksForState: boolean) {
  const startsWork = issues !== undefined || mode === 'job'
  return {
    poll: Number(!asksForState && owned !== undefined),
    polled: Number(asksForState && owned === undefined && startsWork),
    job: Number(mode === 'job'),
  }
}

function takenBy({ action }: CatalogEntry, found: readonly FoundIdentifier[], takers: Takers) {
  const taken = intakeOf(action, found)
  if (taken === undefined) {
    const needsId = Number(requiredBy(action).some((name) => idNames.has(name)))
    return { needsId, taken: 0, place: 0, telltale: 0 }
  }
  const telltale = Number((takers.get(taken.kind) ?? 0) <= telltaleTakersMax)
  return { needsId: 0, taken: 1, place: taken.intake.place ?? 0, telltale }
}

/** The first identifier of a question that the action takes, and how it takes it. */
export function intakeOf({ takes = {} }: Action, found: readonly FoundIdentifier[]) {
  return found
    .map(({ kind, value }) => ({ kind, value, intake: takes[kind] }))
    .find((one): one is typeof one & { intake: Intake } => one.intake !== undefined)
}

/** How many actions take an identifier of each kind in the question. */
type Takers = ReadonlyMap<IdentifierKind, number>

const countTakers = (entries: readonly CatalogEntry[], found: readonly FoundIdentifier[]): Takers =>
  new Map(
    found.map(({ kind }) => [
      kind,
      entries.filter(({ action }) => action.takes?.[kind] !== undefined).length,
    ]),
  )

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
