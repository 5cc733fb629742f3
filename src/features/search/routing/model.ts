// The linear model of `npm run train:search`: how much each gram of a question speaks for each facet.
import { readFileSync } from 'node:fs'
import { type SelectableFacet, selectableFacets } from '../facets.ts'
import { gramsOf } from './grams.ts'

export const modelFile = new URL('./model.tsv', import.meta.url)
/** Of a weight in the file, which is a whole number from -127 to 127. */
export const weightStep = 0.1
/** The gram that every question has, and its strength. */
export const bias = { gram: '*', strength: 0.3 } as const

export type FacetModel = ReadonlyMap<string, Int8Array>

let loaded: FacetModel | undefined

/** Read at the first question. */
export function getModel(): FacetModel {
  loaded ??= parseModel(readFileSync(modelFile, 'utf8'))
  return loaded
}

/** Lines of a gram and its weights for the facets, in base64. Throws when the file does not fit the code. */
export function parseModel(table: string): FacetModel {
  const [head = '', ...lines] = table.trimEnd().split('\n')
  if (head !== headOfModel())
    throw new Error('model.tsv does not fit the facets: run `npm run train:search`.')
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf('\t')
      return [line.slice(0, at), new Int8Array(Buffer.from(line.slice(at + 1), 'base64'))]
    }),
  )
}

export function writeModel(model: FacetModel): string {
  const lines = [...model].map(
    ([gram, weights]) => `${gram}\t${Buffer.from(weights.buffer).toString('base64')}`,
  )
  return `${[headOfModel(), ...lines].join('\n')}\n`
}

const headOfModel = () => `gram\t${selectableFacets.join(' ')}`

/** How likely the question belongs to each facet, the likeliest first. */
export function classify(
  question: string,
  model: FacetModel,
): { readonly facet: SelectableFacet; readonly confidence: number }[] {
  const sums = new Float64Array(selectableFacets.length)
  for (const [gram, strength] of [...gramsOf(question), [bias.gram, bias.strength] as const]) {
    const weights = model.get(gram)
    if (weights === undefined) continue
    for (const [place, weight] of weights.entries()) {
      sums[place] = (sums[place] ?? 0) + weight * weightStep * strength
    }
  }
  const most = Math.max(...sums)
  const powers = sums.map((sum) => Math.exp(sum - most))
  const all = powers.reduce((sum, power) => sum + power, 0)
  return selectableFacets
    .map((facet, place) => ({ facet, confidence: (powers[place] ?? 0) / all }))
    .toSorted((one, other) => other.confidence - one.confidence)
}
