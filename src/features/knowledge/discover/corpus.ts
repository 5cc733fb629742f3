// Prepares a catalog for comparison with questions: words, pieces of words, and meanings.
import type { CatalogEntry } from '#core/catalog.ts'
import type { Encoder } from './encoder.ts'
import { fixedFeatures } from './features.ts'
import { createLexicalIndex, type LexicalIndex } from './lexical.ts'
import { createPieceIndex } from './pieces.ts'
import { type ReadQuestion, readQuestion } from './question.ts'
import { readTexts, readUnserved } from './texts.ts'
import { loadMeanings, type MeaningIndex } from './vectors.ts'

export interface Corpus {
  readonly index: LexicalIndex
  read(query: string): ReadQuestion
  /**
   * The features of each action except those of words. Without an answer of the sentence model, those of meaning are 0.
   */
  measure(
    question: ReadQuestion,
  ): Promise<{ readonly rows: Float64Array[]; readonly hasMeanings: boolean }>
}

export async function createCorpus(dependencies: {
  readonly entries: readonly CatalogEntry[]
  readonly ownNamespace: string
  /** Absent: words and pieces alone. */
  readonly encoder?: Encoder | undefined
}): Promise<Corpus> {
  const { entries, ownNamespace, encoder } = dependencies
  const texts = readTexts(entries, ownNamespace)
  const documents = new Map([...texts, ...readUnserved()])
  const index = await createLexicalIndex(texts)
  const piecesFor = await createPieceIndex([...documents.values()])
  let meaningIndex: Promise<MeaningIndex> | undefined

  async function meaningsOf(words: string) {
    if (encoder === undefined || words === '') return undefined
    const [vector] = (await encoder.embed([words])) ?? []
    if (vector === undefined) return undefined
    meaningIndex ??= loadMeanings(documents, encoder)
    return (await meaningIndex)(vector)
  }

  return {
    index,
    read: (query) => readQuestion(query, index),
    async measure(question) {
      const meanings = await meaningsOf(question.corrected)
      const pieces = piecesFor(question.words)
      return {
        rows: fixedFeatures(entries, { ...question, pieces, meanings }),
        hasMeanings: meanings !== undefined,
      }
    },
  }
}
