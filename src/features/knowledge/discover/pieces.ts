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
  readonly own: readonly FoundPiece[]
}

/** A piece while the texts are read. The last text that has it is kept, so that it counts once for each text. */
interface FoundPiece {
  texts: number
  lastText: number
  readonly documents: number[]
  readonly sums: number[]
}

async function indexPieces(documents: readonly ActionTexts[]) {
  const texts: TornText[] = []
  const found = new Map<string, FoundPiece>()
  await inTurns(documents, documentsPerTurn, (fields, document) => {
    for (const [field, weight] of Object.entries(fieldWeights)) {
      for (const text of fields[field as Field]) {
        texts.push({ document, weight, own: tear(text, texts.length, found) })
      }
    }
  })
  const rarityOf = (count: number) => Math.log((texts.length + 1) / (count + 0.5))
  await inTurns(texts, textsPerTurn, ({ document, weight, own }) => {
    const known = own.filter((piece) => piece.texts >= textsMin)
    const rarities = known.map((piece) => rarityOf(piece.texts))
    const length = Math.hypot(...rarities)
    for (const [at, piece] of known.entries())
      addTo(piece, document, (weight * (rarities[at] ?? 0)) / length)
  })
  const pieces = new Map<string, Piece>()
  await inTurns(found, piecesPerTurn, ([piece, { texts: count, documents, sums }]) => {
    if (count < textsMin) return
    pieces.set(piece, {
      rarity: rarityOf(count),
      documents: Uint16Array.from(documents),
      // The root: the tenth text with a piece says less than the first.
      weights: Float32Array.from(sums, Math.sqrt),
    })
  })
  return { pieces, rarityMax: rarityOf(0) }
}

/** The pieces of a text, each once, counted among those found before. */
function tear(text: string, at: number, found: Map<string, FoundPiece>): FoundPiece[] {
  const own: FoundPiece[] = []
  for (const name of eachPiece(text)) {
    let piece = found.get(name)
    if (piece === undefined) {
      piece = { texts: 0, lastText: -1, documents: [], sums: [] }
      found.set(name, piece)
    }
    if (piece.lastText === at) continue
    piece.lastText = at
    piece.texts += 1
    own.push(piece)
  }
  return own
}

/** The texts of a document follow each other. */
function addTo({ documents, sums }: FoundPiece, document: number, weight: number): void {
  const last = documents.length - 1
  if (documents[last] === document) sums[last] = (sums[last] ?? 0) + weight
  else {
    documents.push(document)
    sums.push(weight)
  }
}

const piecesOf = (text: string): ReadonlySet<string> => new Set(eachPiece(text))

function eachPiece(text: string): string[] {
  const words = text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .match(/[\p{L}\d]+/gu)
  const pieces: string[] = []
  for (const word of words ?? []) {
    const marked = `<${word}>`
    for (const length of lengths)
      for (let at = 0; at + length <= marked.length; at += 1)
        pieces.push(marked.slice(at, at + length))
  }
  return pieces
}
