// Learns a linear model of text from labelled lines. It is deterministic: the same lines give the same weights.
import { bias, type LinearModel, toShares, weightStep } from '../src/core/classifier/linear.ts'

const passes = 12
const stepSize = 0.5
const ridge = 1e-3
/** A piece of a word that occurs in fewer texts is left out. */
const pieceTextsMin = 2
/** Of the generator that shuffles the texts. */
const seed = 1

export interface LabelledText {
  readonly grams: ReadonlyMap<string, number>
  /** The place of its class. */
  readonly label: number
  /** How much it counts. Default 1. */
  readonly weight?: number
}

/** A text by the places of its grams and their strengths. */
interface Row {
  readonly grams: readonly (readonly [place: number, strength: number])[]
  readonly label: number
  readonly weight: number
}

export function trainLinearModel(lines: readonly LabelledText[], classes: number): LinearModel {
  const names = chooseGrams(lines.map(({ grams }) => grams))
  const places = new Map(names.map((name, place) => [name, place]))
  const rows = lines.map(({ grams, label, weight = 1 }) => ({
    label,
    weight,
    grams: [...grams, [bias.gram, bias.strength] as const].flatMap(([name, strength]) => {
      const place = places.get(name)
      return place === undefined ? [] : [[place, strength] as const]
    }),
  }))
  return quantise(names, learn(rows, names.length, classes), classes)
}

function chooseGrams(texts: readonly ReadonlyMap<string, number>[]): string[] {
  const counts = new Map<string, number>()
  for (const grams of texts) {
    for (const gram of grams.keys()) counts.set(gram, (counts.get(gram) ?? 0) + 1)
  }
  const frequent = [...counts].filter(
    ([gram, count]) => !gram.startsWith('c') || count >= pieceTextsMin,
  )
  return [bias.gram, ...frequent.map(([gram]) => gram).sort()]
}

/**
 * Softmax regression by stochastic gradient descent. Each weight has its own step, which shrinks with its gradients.
 */
function learn(rows: readonly Row[], gramCount: number, classes: number): Float64Array {
  const weights = new Float64Array(gramCount * classes)
  const squares = new Float64Array(weights.length)
  const random = createRandom()
  const order = [...rows]
  for (let pass = 0; pass < passes; pass += 1) {
    shuffle(order, random)
    for (const { grams, label, weight: counts } of order) {
      const shares = sharesOf(grams, weights, classes)
      for (let each = 0; each < classes; each += 1) {
        const error = counts * ((shares[each] ?? 0) - (each === label ? 1 : 0))
        for (const [place, strength] of grams) {
          const index = place * classes + each
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

function sharesOf(grams: Row['grams'], weights: Float64Array, classes: number): Float64Array {
  const sums = new Float64Array(classes)
  for (const [place, strength] of grams) {
    for (let each = 0; each < classes; each += 1) {
      sums[each] = (sums[each] ?? 0) + (weights[place * classes + each] ?? 0) * strength
    }
  }
  return toShares(sums)
}

/** A linear congruential generator of numbers from 0 to 1. */
function createRandom(): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

function shuffle<Item>(order: Item[], random: () => number) {
  for (let last = order.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1))
    const swapped = order[last] as Item
    order[last] = order[other] as Item
    order[other] = swapped
  }
}

function quantise(names: readonly string[], weights: Float64Array, classes: number): LinearModel {
  return new Map(
    names.flatMap((name, place) => {
      const row = Int8Array.from(weights.slice(place * classes, (place + 1) * classes), (weight) =>
        Math.max(-127, Math.min(127, Math.round(weight / weightStep))),
      )
      return row.some((weight) => weight !== 0) ? [[name, row] as const] : []
    }),
  )
}
