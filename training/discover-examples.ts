// Turns questions with their right actions into numbers for the trainer of discover.
import { readFileSync } from 'node:fs'
import type { CatalogEntry } from '#core/catalog.ts'
import { createCorpus } from '#features/knowledge/discover/corpus.ts'
import type { Encoder } from '#features/knowledge/discover/encoder.ts'
import { ownNamespace } from '#test/own-actions.ts'
import type { RankerExample } from './ranker.ts'

export interface LabelledQuestion {
  readonly style: string
  readonly question: string
  /** `service/action` of each right answer; empty for a question that no action answers. */
  readonly labels: readonly string[]
}

const folder = new URL('../bench/discover/', import.meta.url)
/** Written by an author who knew the names of actions and parameters, but not their texts. */
export const independentFile = new URL('independent.tsv', folder)
/** Written by authors of the catalog's texts, so useful for training but not for measuring. */
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
  const corpus = await createCorpus({ entries, ownNamespace, encoder })
  const { index } = corpus
  const places = new Map(index.ids.map((id, place) => [id, place]))
  const examples: Example[] = []
  for (const asked of questions) {
    const right = new Set(asked.labels.flatMap((id) => places.get(id) ?? []))
    // A question for another catalog.
    if (asked.labels.length > 0 && right.size === 0) continue
    const question = corpus.read(asked.question)
    const { rows } = corpus.measure(question)
    examples.push({ asked, right, index, rows, matches: question.matches })
  }
  return examples
}
