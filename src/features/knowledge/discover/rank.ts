// Ranks the actions for a question in groups, best first, each with a confidence.
import type { CatalogEntry } from '#core/catalog.ts'
import { createCorpus } from './corpus.ts'
import type { Encoder } from './encoder.ts'
import { addWordFeatures, featureNames, intakeOf, listWeights, weigh } from './features.ts'
import type { Matches, Posting } from './lexical.ts'
import { createLikeness } from './likeness.ts'
import type { ReadQuestion } from './question.ts'
import { type LearnedWeights, loadWeights, type WeightsFile } from './weights.ts'

export interface Ranked {
  readonly entry: CatalogEntry
  /** Actions that do much the same, best first. */
  readonly alternatives: readonly CatalogEntry[]
  /** The question's words that are in the action's texts. */
  readonly words: readonly string[]
  /** Its words that are not: usually what the question is about. */
  readonly otherWords: readonly string[]
  /** How likely it is that the action answers the question, 0 to 1. */
  readonly confidence: number
  /** The odds that it is meant, against those of the first hit: 1 for the first, less for each after it. */
  readonly closeness: number
  /** The question in English, as the catalog spells its words. */
  readonly inEnglish: string
  /** The identifier of the question that it takes, and the parameters that it fills. */
  readonly taken?: { readonly kind: string; readonly value: string; readonly input: object }
}

export interface Ranker {
  /** Empty if no action of the catalog answers the question. */
  rank(query: string, limit: number): Promise<readonly Ranked[]>
}

/**
 * The score that an unavailable action loses: its odds against another action fall to a third. Training cannot learn
 * it, because it depends on the operator's keys.
 */
const unavailableLoss = Math.log(3)
const alternativesMax = 5

/** It takes seconds of the processor, in parts. */
export async function createRanker(dependencies: {
  readonly entries: readonly CatalogEntry[]
  readonly ownNamespace: string
  /** Absent: words alone. */
  readonly encoder?: Encoder | undefined
  readonly weights?: WeightsFile
}): Promise<Ranker> {
  const { entries, weights = loadWeights() } = dependencies
  const corpus = await createCorpus(dependencies)
  const areAlike = await createLikeness(corpus.index)
  return {
    async rank(query, limit) {
      const question = corpus.read(query)
      const isKnown = question.matches.words.some(({ meant }) => meant.length > 0)
      if (!isKnown && question.found.length === 0) return []
      const { rows, hasMeanings } = corpus.measure(question)
      const learned = hasMeanings ? weights.withModel : weights.withoutModel
      addWordFeatures(rows, question.matches, corpus.index, learned.words)
      const candidates = chooseCandidates(entries, rows, learned, limit)
      if (!isAnswered(candidates.slice(0, limit), question, learned)) return []
      const groups = groupAlike(candidates, areAlike, limit)
      const highest = groups[0]?.score ?? 0
      return groups.map((group) => ({
        ...describe(group, question),
        closeness: Math.exp(group.score - highest),
        inEnglish: question.corrected,
      }))
    },
  }
}

interface Candidate {
  readonly entry: CatalogEntry
  /** The place of the action in the catalog. */
  readonly document: number
  readonly confidence: number
  readonly score: number
}

/** Returns the actions with the highest scores, best first: enough for `limit` hits with their alternatives. */
function chooseCandidates(
  entries: readonly CatalogEntry[],
  rows: readonly Float64Array[],
  learned: LearnedWeights,
  limit: number,
): Candidate[] {
  const list = listWeights(learned)
  return entries
    .map((entry, document) => ({ entry, document, row: rows[document] as Float64Array }))
    .map((one) => ({ ...one, score: weigh(one.row, list) - lossOf(one.entry) }))
    .toSorted((one, other) => other.score - one.score)
    .slice(0, limit * (alternativesMax + 1))
    .map(({ entry, document, row, score }) => ({
      entry,
      document,
      score,
      confidence: confidenceOf(row, learned),
    }))
}

/** Whether the best candidates are worth showing. */
function isAnswered(
  best: readonly Candidate[],
  { matches }: ReadQuestion,
  { confidenceMin }: LearnedWeights,
): boolean {
  const highest = Math.max(0, ...best.map(({ confidence }) => confidence))
  return highest >= confidenceMin || best.some(({ document }) => saysAll(matches, document))
}

interface Group extends Candidate {
  readonly alternatives: CatalogEntry[]
}

/** Candidates that do much the same as a better one become its alternatives. */
function groupAlike(
  candidates: readonly Candidate[],
  areAlike: (one: number, other: number) => boolean,
  limit: number,
): Group[] {
  const groups: Group[] = []
  for (const candidate of candidates) {
    const alike = groups.find(({ document }) => areAlike(document, candidate.document))
    if (alike === undefined) {
      if (groups.length < limit) groups.push({ ...candidate, alternatives: [] })
    } else if (alike.alternatives.length < alternativesMax) alike.alternatives.push(candidate.entry)
  }
  return groups
}

function describe(
  { document, score: _, ...group }: Group,
  { found, matches }: ReadQuestion,
): Omit<Ranked, 'closeness' | 'inEnglish'> {
  const taken = intakeOf(group.entry.action, found)
  const words = wordsOf(matches, document)
  return {
    ...group,
    words,
    otherWords: matches.words.flatMap(({ word }) => (words.includes(word) ? [] : word)),
    ...(taken !== undefined && { taken: { ...taken, input: taken.intake.fills(taken.value) } }),
  }
}

const lossOf = ({ mode }: CatalogEntry) => (mode === 'unavailable' ? unavailableLoss : 0)

function confidenceOf(row: Float64Array, { confidence }: LearnedWeights): number {
  const sum = weigh(
    row,
    featureNames.map((name) => confidence[name]),
  )
  return 1 / (1 + Math.exp(-sum - confidence.constant))
}

/**
 * Whether the texts of an action have every word of the question. Such an action is always a hit, because an operator
 * may sell something that the training questions do not cover.
 */
const saysAll = ({ words }: Matches, document: number) =>
  words.length > 1 &&
  words.every(({ meant }) => meant.some((one) => one.isExact && isIn(one.postings, document)))

const isIn = (postings: readonly Posting[], document: number) =>
  postings.some((posting) => posting.document === document)

function wordsOf({ words }: Matches, document: number): string[] {
  const has = ({ meant }: Matches['words'][number]) =>
    meant.some(({ postings }) => isIn(postings, document))
  return words.filter(has).map(({ word }) => word)
}
