// Learns the weights of onesearch’s routing from labelled questions.
import { readFileSync } from 'node:fs'
import type { LinearModel } from '../src/core/classifier/linear.ts'
import { type SelectableFacet, selectableFacets } from '../src/features/knowledge/search/facets.ts'
import { gramsOf } from '../src/features/knowledge/search/routing/grams.ts'
import { trainLinearModel } from './linear-model.ts'

export interface FacetQuestion {
  readonly question: string
  readonly facet: SelectableFacet
  /** Other facets that are right too. */
  readonly acceptable: readonly SelectableFacet[]
}

const folder = new URL('./search/', import.meta.url)
/** By an author who had not read the recognisers. */
const independentFile = new URL('independent.jsonl', folder)
/** By the author of the recognisers. Lines of a facet and a question. */
const ownFile = new URL('own.tsv', folder)

export const readQuestions = (): FacetQuestion[] => [
  ...readJsonLines(independentFile),
  ...readFileSync(ownFile, 'utf8').trimEnd().split('\n').map(readOwnLine),
]

export const readJsonLines = (file: string | URL): FacetQuestion[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as FacetQuestion)

function readOwnLine(line: string): FacetQuestion {
  const [name = '', question = ''] = line.split('\t')
  const facet = selectableFacets.find((each) => each === name)
  if (facet === undefined || question === '')
    throw new Error(`A line is not a facet, a tab and a question: ${line}`)
  return { question, facet, acceptable: [] }
}

export const trainRouter = (questions: readonly FacetQuestion[]): LinearModel =>
  trainLinearModel(
    questions.map(({ question, facet }) => ({
      grams: gramsOf(question),
      label: selectableFacets.indexOf(facet),
    })),
    selectableFacets.length,
  )
