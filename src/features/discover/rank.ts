// From a question to groups of actions, best first, each with how sure it is.
import type { CatalogEntry } from '#core/catalog.ts'
import type { Encoder } from './encoder.ts'
import {
  addWordFeatures,
  featureNames,
  fixedFeatures,
  intakeOf,
  listWeights,
  weigh,
} from './features.ts'
import { createLexicalIndex, type Matches, type Posting } from './lexical.ts'
import { createLikeness } from './likeness.ts'
import { createPieceIndex } from './pieces.ts'
import { type ReadQuestion, readQuestion } from './question.ts'
import { readTexts, readUnserved } from './texts.ts'
import { loadMeanings, type MeaningIndex } from './vectors.ts'
import { type LearnedWeights, loadWeights, type WeightsFile } from './weights.ts'

export interface Ranked {
  readonly entry: CatalogEntry
  /** Actions that do much the same, best first. */
  readonly alternatives: readonly CatalogEntry[]
  /** The question's words that are in the action's texts. */
  readonly words: readonly string[]
  /** How likely it is that the action answers the question, 0 to 1. */
  readonly confidence: number
  /** The identifier of the question that it takes, and the parameters that it fills. */
  readonly taken?: { readonly kind: string; readonly value: string; readonly input: object }
}

export interface Ranker {
  /** Empty when nothing of the catalog answers the question. */
  rank(query: string, limit: number): Promise<readonly Ranked[]>
}

/**
 * What an action loses that this gateway cannot run now, in the units of the score: its odds against another action fall to a
 * third. No question can teach this, since it is about the operator's keys.
 */
const unavailableLoss = Math.log(3)
const alternativesMax = 5

export function createRanker(options: {
  readonly entries: readonly CatalogEntry[]
  readonly ownNamespace: string
  /** Absent: words alone. */
  readonly encoder?: Encoder | undefined
  readonly weights?: WeightsFile
}): Ranker {
  const { entries, ownNamespace, encoder, weights = loadWeights() } = options
  const texts = readTexts(entries, ownNamespace)
  const documents = new Map([...texts, ...readUnserved()])
  const index = createLexicalIndex(texts)
  const areAlike = createLikeness(index)
  const piecesFor = createPieceIndex([...documents.values()])
  let meanings: Promise<MeaningIndex> | undefined

  async function embed(words: string) {
    if (encoder === undefined || words === '') return undefined
    const [vector] = (await encoder.embed([words])) ?? []
    if (vector === undefined) return undefined
    meanings ??= loadMeanings(documents, encoder)
    return (await meanings)(vector)
  }

  /** Undefined when nothing of the question is known here. */
  async function candidatesFor(query: string, limit: number) {
    const question = readQuestion(query, index)
    const isKnown = question.matches.words.some(({ meant }) => meant.length > 0)
    if (!isKnown && question.found.length === 0) return undefined
    const meanings = await embed(question.corrected)
    const learned = meanings === undefined ? weights.withoutModel : weights.withModel
    const rows = fixedFeatures(entries, {
      ...question,
      pieces: piecesFor(question.words),
      meanings,
    })
    addWordFeatures(rows, question.matches, index, learned.words)
    const list = listWeights(learned)
    const candidates = rows
      .map((row, document) => ({ row, document, entry: entries[document] as CatalogEntry }))
      .map((one) => ({ ...one, score: weigh(one.row, list) - lossOf(one.entry) }))
      .toSorted((one, other) => other.score - one.score)
      .slice(0, limit * (alternativesMax + 1))
    return { question, learned, candidates }
  }

  return {
    async rank(query, limit) {
      const asked = await candidatesFor(query, limit)
      if (asked === undefined) return []
      const { question, learned, candidates } = asked
      const sure = candidates.map(({ row }) => confidenceOf(row, learned))
      const best = Math.max(0, ...sure.slice(0, limit))
      const isSaid = candidates
        .slice(0, limit)
        .some(({ document }) => saysAll(question.matches, document))
      if (best < learned.confidenceMin && !isSaid) return []
      const groups: { ranked: Ranked; document: number; others: CatalogEntry[] }[] = []
      for (const [at, { entry, document }] of candidates.entries()) {
        const alike = groups.find((group) => areAlike(group.document, document))
        if (alike !== undefined) {
          if (alike.others.length < alternativesMax) alike.others.push(entry)
          continue
        }
        if (groups.length === limit) continue
        const others: CatalogEntry[] = []
        const ranked = describe({ entry, others, question, document, confidence: sure[at] ?? 0 })
        groups.push({ ranked, document, others })
      }
      return groups.map(({ ranked }) => ranked)
    },
  }

  function describe(one: {
    entry: CatalogEntry
    others: readonly CatalogEntry[]
    question: ReadQuestion
    document: number
    confidence: number
  }): Ranked {
    const taken = intakeOf(one.entry.action, one.question.found)
    return {
      entry: one.entry,
      alternatives: one.others,
      words: wordsOf(one.question.matches, one.document),
      confidence: one.confidence,
      ...(taken !== undefined && {
        taken: { ...taken, input: taken.intake.fills(taken.value) },
      }),
    }
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
 * Whether the texts of an action have every word of a question. Then it is a hit, however far the question is from what the
 * weights were learned with: an operator may sell what no action sold before.
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
