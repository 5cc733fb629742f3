// Questions with the actions that answer them, as numbers that the trainer of discover learns from.
import { readFileSync } from 'node:fs'
import type { CatalogEntry } from '#core/catalog.ts'
import type { Encoder } from '#features/discover/encoder.ts'
import { fixedFeatures } from '#features/discover/features.ts'
import { createLexicalIndex } from '#features/discover/lexical.ts'
import { createPieceIndex } from '#features/discover/pieces.ts'
import { readQuestion } from '#features/discover/question.ts'
import { readTexts, readUnserved } from '#features/discover/texts.ts'
import { loadMeanings } from '#features/discover/vectors.ts'
import { ownNamespace } from '#test/own-actions.ts'
import type { RankerExample } from './ranker.ts'

export interface LabelledQuestion {
  readonly style: string
  readonly question: string
  /** `service/action` of all that answer it; none for what no action answers. */
  readonly labels: readonly string[]
}

const folder = new URL('../bench/discover/', import.meta.url)
/** By an author who had seen the names of the actions and their parameters, and none of their texts. */
export const independentFile = new URL('independent.tsv', folder)
/** By authors of the catalog's texts: of little worth as a measure, but of some as a lesson. */
export const ownFile = new URL('own.tsv', folder)

/** Lines of style, question, and the acceptable actions with commas or `none`. `own/` is the gateway's namespace. */
export function readQuestions(file: string | URL): LabelledQuestion[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line, at) => {
      const [style = '', question = '', labels = ''] = line.split('\t')
      if (question === '' || labels.trim() === '')
        throw new Error(`Line ${at + 1} has no three columns: style, question, actions or none.`)
      const ids = labels.trim().replaceAll(/\bown\//g, `${ownNamespace}/`)
      return { style, question, labels: ids === 'none' ? [] : ids.split(/\s*,\s*/) }
    })
}

export type Example = RankerExample & { readonly asked: LabelledQuestion }

export async function createExamples(
  entries: readonly CatalogEntry[],
  questions: readonly LabelledQuestion[],
  encoder: Encoder,
): Promise<Example[]> {
  const texts = readTexts(entries, ownNamespace)
  const documents = new Map([...texts, ...readUnserved()])
  const index = createLexicalIndex(texts)
  const piecesFor = createPieceIndex([...documents.values()])
  const meaningsFor = await loadMeanings(documents, encoder)
  const places = new Map(index.ids.map((id, place) => [id, place]))
  const examples: Example[] = []
  for (const asked of questions) {
    const right = new Set(asked.labels.flatMap((id) => places.get(id) ?? []))
    // Of another catalog.
    if (asked.labels.length > 0 && right.size === 0) continue
    const read = readQuestion(asked.question, index)
    const embedded = await encoder.embed(read.corrected === '' ? [] : [read.corrected])
    if (embedded === undefined) throw new Error('The sentence model is not available.')
    const [vector] = embedded
    const rows = fixedFeatures(entries, {
      ...read,
      pieces: piecesFor(read.words),
      meanings: vector && meaningsFor(vector),
    })
    examples.push({ asked, right, index, rows, matches: read.matches })
  }
  return examples
}
