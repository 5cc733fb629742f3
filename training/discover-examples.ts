// Questions with the actions that answer them, as numbers that the trainer of discover learns from.
import { readFileSync } from 'node:fs'
import type { CatalogEntry } from '#core/catalog.ts'
import type { Encoder } from '#features/discover/encoder.ts'
import { fixedFeatures } from '#features/discover/features.ts'
import { createLexicalIndex, type LexicalIndex, withPairs } from '#features/discover/lexical.ts'
import { readQuestion } from '#features/discover/question.ts'
import { fieldNames, readTexts } from '#features/discover/texts.ts'
import { type ActionVectors, loadVectors } from '#features/discover/vectors.ts'
import { termsOf } from '#features/discover/words.ts'
import { ownNamespace } from '../test/own-actions.ts'
import type { RankerExample } from './ranker.ts'

export interface LabelledQuestion {
  readonly style: string
  readonly question: string
  /** `service/action` of all that answer it; none for what no action answers. */
  readonly labels: readonly string[]
}

export const questionsFile = new URL('../bench/discover/questions.tsv', import.meta.url)
/** Of the catalog's own questions: they are many, and each names one action where others would do. */
const weightOfOwn = 0.5

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

/** What stands in the catalog itself, to be asked of a catalog that lacks it. */
export interface OwnQuestion extends LabelledQuestion {
  readonly of: string
}

export const ownQuestions = (entries: readonly CatalogEntry[]): OwnQuestion[] =>
  entries.flatMap(({ id, action }) =>
    (action.questions ?? []).map((question) => ({
      style: 'catalog',
      question,
      labels: [id],
      of: id,
    })),
  )

export type Example = RankerExample & { readonly asked: LabelledQuestion }

export async function createExamples(
  entries: readonly CatalogEntry[],
  questions: readonly (LabelledQuestion | OwnQuestion)[],
  encoder: Encoder,
): Promise<Example[]> {
  const texts = readTexts(entries)
  const whole = createLexicalIndex(texts)
  const vectors = await loadVectors(texts, encoder)
  const places = new Map(whole.ids.map((id, place) => [id, place]))
  const examples: Example[] = []
  for (const asked of questions) {
    const right = new Set(asked.labels.flatMap((id) => places.get(id) ?? []))
    // Of another catalog.
    if (asked.labels.length > 0 && right.size === 0) continue
    const of = 'of' in asked ? asked.of : undefined
    const index = of === undefined ? whole : without(whole, places.get(of) ?? 0, asked.question)
    const read = readQuestion(asked.question, index, ownNamespace)
    const embedded = await encoder.embed(read.words === '' ? [] : [read.words])
    if (embedded === undefined) throw new Error('The sentence model is not available.')
    const [vector] = embedded
    const rows = fixedFeatures(entries, {
      ...read,
      vector,
      vectorsOf: (id) => withoutVector(vectors.get(id), id === of, texts.get(id)?.question, asked),
    })
    const weight = of === undefined ? 1 : weightOfOwn
    examples.push({ asked, right, weight, index, rows, matches: read.matches })
  }
  return examples
}

/** The index as it would be if the action had not this question. */
function without(index: LexicalIndex, place: number, question: string): LexicalIndex {
  const column = fieldNames.indexOf('question')
  const terms = termsOf(question).map(({ text }) => text)
  const counts = new Map<string, number>()
  for (const term of withPairs(terms)) counts.set(term, (counts.get(term) ?? 0) + 1)
  const less = (values: Float64Array | undefined, by: number) => {
    const copy = Float64Array.from(values ?? [])
    copy[column] = (copy[column] ?? 0) - by
    return copy
  }
  return {
    ...index,
    lengths: index.lengths.with(place, less(index.lengths[place], terms.length)),
    postings: (term) =>
      index
        .postings(term)
        .map((posting) =>
          posting.document === place && counts.has(term)
            ? { ...posting, counts: less(posting.counts, counts.get(term) ?? 0) }
            : posting,
        ),
  }
}

function withoutVector(
  vectors: ActionVectors | undefined,
  isItsOwn: boolean,
  questions: readonly string[] = [],
  { question }: LabelledQuestion,
): ActionVectors | undefined {
  if (vectors === undefined || !isItsOwn) return vectors
  return { ...vectors, question: vectors.question.filter((_, at) => questions[at] !== question) }
}
