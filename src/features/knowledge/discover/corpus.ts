// Prepares a catalog for comparison with questions: words, pieces of words, and meanings.
import type { CatalogEntry } from '#core/catalog.ts'
import type { Encoder } from './encoder.ts'
import { fixedFeatures } from './features.ts'
import { createLexicalIndex, type LexicalIndex } from './lexical.ts'
import { createPieceIndex } from './pieces.ts'
import { type ReadQuestion, readQuestion } from './question.ts'
import { readTexts, readUnserved } from './texts.ts'
import { loadMeanings } from './vectors.ts'

export interface Corpus {
  readonly index: LexicalIndex
  read(query: string): ReadQuestion
  /** The features of each action except those of words. Where the question has no meaning, those of meaning are 0. */
  measure(question: ReadQuestion): {
    readonly rows: Float64Array[]
    readonly hasMeanings: boolean
  }
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
  const meaningIndex = encoder && loadMeanings(documents, encoder)

  function meaningsOf(words: string) {
    const vector = encoder?.embed(words)
    return vector && meaningIndex?.(vector)
  }

  return {
    index,
    read: (query) => readQuestion(query, index),
    measure(question) {
      const meanings = meaningsOf(question.corrected)
      const pieces = piecesFor(question.words)
      return {
        rows: fixedFeatures(entries, { ...question, pieces, meanings }),
        hasMeanings: meanings !== undefined,
      }
    },
  }
}
