// How many pieces of words a question shares with the texts of each document, rare pieces counting more. Pieces of
// three to five letters find a misspelt word, another form of a word, and a part of a compound, where whole words find
// nothing.
import { inTurns } from '#platform/in-turns.ts'
import type { ActionTexts, Field } from './texts.ts'

const lengths = [3, 4, 5] as const
/** A piece of one text alone is mostly an accident of its spelling. */
const textsMin = 2
/** How much a text counts by its field. Names and parameters are too short to be torn to pieces. */
const fieldWeights: Partial<Record<Field, number>> = {
  summary: 2,
  synonym: 1,
  question: 1,
  phrase: 1,
  endpoint: 0.5,
  note: 0.3,
  elsewhere: 0.3,
}

interface Piece {
  readonly rarity: number
  readonly documents: Uint16Array
  readonly weights: Float32Array
}
/** The cosine of a question and each document, in order; a document's side is dampened and has no length of 1. */
export type PieceIndex = (question: string) => Float64Array

const documentsPerTurn = 5
const textsPerTurn = 100
const piecesPerTurn = 2_000

export async function createPieceIndex(documents: readonly ActionTexts[]): Promise<PieceIndex> {
  const size = documents.length
  const { pieces, rarityMax } = await indexPieces(documents)
  return (question) => {
    const scores = new Float64Array(size)
    const asked = [...piecesOf(question)].map((piece) => pieces.get(piece))
    const length = Math.hypot(...asked.map((piece) => piece?.rarity ?? rarityMax)) || 1
    for (const piece of asked) {
      if (piece === undefined) continue
      const share = piece.rarity / length
      for (const [at, document] of piece.documents.entries())
        scores[document] = (scores[document] ?? 0) + share * (piece.weights[at] ?? 0)
    }
    return scores
  }
}

interface TornText {
  readonly document: number
  readonly weight: number
  readonly own: ReadonlySet<string>
}

async function indexPieces(documents: readonly ActionTexts[]) {
  const texts: TornText[] = []
  const counts = new Map<string, number>()
  await inTurns(documents, documentsPerTurn, (fields, document) => {
    for (const [field, weight] of Object.entries(fieldWeights)) {
      for (const text of fields[field as Field]) {
        const own = piecesOf(text)
        texts.push({ document, weight, own })
        for (const piece of own) counts.set(piece, (counts.get(piece) ?? 0) + 1)
      }
    }
  })
  const rarityOf = (count: number) => Math.log((texts.length + 1) / (count + 0.5))
  const sums = new Map<string, Map<number, number>>()
  await inTurns(texts, textsPerTurn, ({ document, weight, own }) => {
    const known = [...own]
      .map((piece) => ({ piece, count: counts.get(piece) ?? 0 }))
      .filter(({ count }) => count >= textsMin)
      .map(({ piece, count }) => ({ piece, rarity: rarityOf(count) }))
    const length = Math.hypot(...known.map(({ rarity }) => rarity))
    for (const { piece, rarity } of known) {
      const byDocument = sums.get(piece) ?? new Map<number, number>()
      byDocument.set(document, (byDocument.get(document) ?? 0) + (weight * rarity) / length)
      sums.set(piece, byDocument)
    }
  })
  const pieces = new Map<string, Piece>()
  await inTurns(sums, piecesPerTurn, ([piece, byDocument]) => {
    pieces.set(piece, {
      rarity: rarityOf(counts.get(piece) ?? 0),
      documents: Uint16Array.from(byDocument.keys()),
      // The root: the tenth text with a piece says less than the first.
      weights: Float32Array.from(byDocument.values(), Math.sqrt),
    })
  })
  return { pieces, rarityMax: rarityOf(0) }
}

function piecesOf(text: string): Set<string> {
  const words = text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .match(/[\p{L}\d]+/gu)
  const pieces = new Set<string>()
  for (const word of words ?? []) {
    const marked = `<${word}>`
    for (const length of lengths)
      for (let at = 0; at + length <= marked.length; at += 1)
        pieces.add(marked.slice(at, at + length))
  }
  return pieces
}
