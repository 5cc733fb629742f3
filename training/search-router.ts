// Learns the weights of onesearch's routing from labelled questions. It is deterministic: the same questions give the same
// weights.
import { readFileSync } from 'node:fs'
import { type SelectableFacet, selectableFacets } from '../src/features/search/facets.ts'
import { gramsOf } from '../src/features/search/routing/grams.ts'
import { bias, type FacetModel, weightStep } from '../src/features/search/routing/model.ts'

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

const passes = 12
const stepSize = 0.5
const ridge = 1e-3
/** A piece of a word that occurs in fewer questions is left out. */
const pieceQuestionsMin = 2
/** Of the generator that shuffles the questions. */
const seed = 1

/** A question by the places of its grams and their strengths. */
type Row = readonly (readonly [place: number, strength: number])[]

export function trainRouter(questions: readonly FacetQuestion[]): FacetModel {
  const grams = questions.map(({ question }) => gramsOf(question))
  const names = chooseGrams(grams)
  const places = new Map(names.map((name, place) => [name, place]))
  const rows: Row[] = grams.map((own) =>
    [...own, [bias.gram, bias.strength] as const].flatMap(([name, strength]) => {
      const place = places.get(name)
      return place === undefined ? [] : [[place, strength] as const]
    }),
  )
  const weights = learn(
    rows,
    questions.map(({ facet }) => selectableFacets.indexOf(facet)),
    names.length,
  )
  return quantise(names, weights)
}

function chooseGrams(questions: readonly ReadonlyMap<string, number>[]): string[] {
  const counts = new Map<string, number>()
  for (const grams of questions) {
    for (const gram of grams.keys()) counts.set(gram, (counts.get(gram) ?? 0) + 1)
  }
  const frequent = [...counts].filter(
    ([gram, count]) => !gram.startsWith('c') || count >= pieceQuestionsMin,
  )
  return [bias.gram, ...frequent.map(([gram]) => gram).sort()]
}

/** Softmax regression by stochastic gradient descent. Each weight has its own step, which shrinks with its gradients. */
function learn(rows: readonly Row[], labels: readonly number[], gramCount: number): Float64Array {
  const classes = selectableFacets.length
  const weights = new Float64Array(gramCount * classes)
  const squares = new Float64Array(weights.length)
  const random = createRandom()
  const order = [...rows.keys()]
  for (let pass = 0; pass < passes; pass += 1) {
    shuffle(order, random)
    for (const at of order) {
      const row = rows[at] ?? []
      const shares = sharesOf(row, weights)
      for (let facet = 0; facet < classes; facet += 1) {
        const error = (shares[facet] ?? 0) - (facet === labels[at] ? 1 : 0)
        for (const [place, strength] of row) {
          const index = place * classes + facet
          const weight = weights[index] ?? 0
          const slope = error * strength + ridge * weight
          const square = (squares[index] ?? 0) + slope * slope
          squares[index] = square
          weights[index] = weight - (stepSize * slope) / Math.sqrt(square + 1e-8)
        }
      }
    }
  }
  return weights
}

function sharesOf(row: Row, weights: Float64Array): Float64Array {
  const classes = selectableFacets.length
  const sums = new Float64Array(classes)
  for (const [place, strength] of row) {
    for (let facet = 0; facet < classes; facet += 1) {
      sums[facet] = (sums[facet] ?? 0) + (weights[place * classes + facet] ?? 0) * strength
    }
  }
  const most = Math.max(...sums)
  const powers = sums.map((sum) => Math.exp(sum - most))
  const all = powers.reduce((sum, power) => sum + power, 0)
  return powers.map((power) => power / all)
}

/** A linear congruential generator of numbers from 0 to 1. */
function createRandom(): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

function shuffle(order: number[], random: () => number) {
  for (let last = order.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1))
    const swapped = order[last] ?? 0
    order[last] = order[other] ?? 0
    order[other] = swapped
  }
}

function quantise(names: readonly string[], weights: Float64Array): FacetModel {
  const classes = selectableFacets.length
  return new Map(
    names.flatMap((name, place) => {
      const row = Int8Array.from(weights.slice(place * classes, (place + 1) * classes), (weight) =>
        Math.max(-127, Math.min(127, Math.round(weight / weightStep))),
      )
      return row.some((weight) => weight !== 0) ? [[name, row] as const] : []
    }),
  )
}
