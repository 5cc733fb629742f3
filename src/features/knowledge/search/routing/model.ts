// The linear model of `npm run train:search`: how likely a question belongs to each facet.
import { readFileSync } from 'node:fs'
import {
  classShares,
  type LinearModel,
  parseLinearModel,
  writeLinearModel,
} from '#core/classifier/linear.ts'
import { type SelectableFacet, selectableFacets } from '../facets.ts'
import { gramsOf } from './grams.ts'

export const modelFile = new URL('../../../../../models/search/routing.tsv', import.meta.url)

let loaded: LinearModel | undefined

/** Read at the first question. */
export function getModel(): LinearModel {
  loaded ??= parseLinearModel(
    readFileSync(modelFile, 'utf8'),
    selectableFacets,
    'npm run train:search',
  )
  return loaded
}

export const writeModel = (model: LinearModel): string => writeLinearModel(model, selectableFacets)

/** How likely the question belongs to each facet, the likeliest first. */
export function classify(
  question: string,
  model: LinearModel,
): { readonly facet: SelectableFacet; readonly confidence: number }[] {
  const shares = classShares(gramsOf(question), model, selectableFacets.length)
  return selectableFacets
    .map((facet, place) => ({ facet, confidence: shares[place] ?? 0 }))
    .toSorted((one, other) => other.confidence - one.confidence)
}
