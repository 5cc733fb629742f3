// Learns the likelihood that a hit answers its question, and the likelihood below which a hit is dropped.
import { type Feature, featureNames, weigh } from '../src/features/knowledge/discover/features.ts'
import type { LearnedWeights } from '../src/features/knowledge/discover/weights.ts'
import type { RankerExample } from './ranker.ts'

const hitsAmong = 5
const ridge = 0.0001
const passes = 300
/** The share of answerable questions that may have no hit. */
const silencedMax = 0.005

interface Case {
  readonly row: Float64Array
  readonly isRight: boolean
  readonly weight: number
}

const bestOf = ({ rows }: RankerExample, features: readonly number[], count: number) =>
  rows
    .map((row, place) => ({ row, place, score: weigh(row, features) }))
    .toSorted((one, other) => other.score - one.score)
    .slice(0, count)

/**
 * Right: the accepted actions among the first hits. Wrong: the first hit of a question that no action answers. Other
 * hits of answerable questions are not used, because many of them are acceptable too.
 */
function casesOf(examples: readonly RankerExample[], features: readonly number[]): Case[] {
  const cases = examples.flatMap((example) => {
    const isAnswered = example.right.size > 0
    return bestOf(example, features, isAnswered ? hitsAmong : 1)
      .filter(({ place }) => !isAnswered || example.right.has(place))
      .map(({ row }) => ({ row, isRight: isAnswered }))
  })
  const ofRight = cases.filter(({ isRight }) => isRight).length
  // Both kinds have the same weight, regardless of their numbers.
  return cases.map((one) => ({
    ...one,
    weight: 1 / (2 * (one.isRight ? ofRight : cases.length - ofRight)),
  }))
}

export function fitLogistic(
  examples: readonly RankerExample[],
  features: readonly number[],
  off: ReadonlySet<number>,
): LearnedWeights['confidence'] {
  const cases = casesOf(examples, features)
  const constant = featureNames.length
  const values = new Array<number>(constant + 1).fill(0)
  const steps = values.map(() => 0.1)
  let before = values.map(() => 0)
  for (let pass = 0; pass < passes; pass += 1) {
    const gradient = values.map((value, at) => (at === constant ? 0 : 2 * ridge * value))
    for (const { row, isRight, weight } of cases) {
      const sum = weigh(row, values) + (values[constant] ?? 0)
      const error = weight * (1 / (1 + Math.exp(-sum)) - Number(isRight))
      for (let at = 0; at < row.length; at += 1)
        gradient[at] = (gradient[at] ?? 0) + error * (row[at] ?? 0)
      gradient[constant] = (gradient[constant] ?? 0) + error
    }
    for (const at of values.keys()) {
      const slope = gradient[at] ?? 0
      if (off.has(at) || slope === 0) continue
      const turn = slope * (before[at] ?? 0)
      const step = steps[at] ?? 0
      steps[at] = turn > 0 ? Math.min(step * 1.2, 0.5) : turn < 0 ? Math.max(step / 2, 1e-5) : step
      values[at] = (values[at] ?? 0) - Math.sign(slope) * (steps[at] ?? 0)
    }
    before = gradient
  }
  return Object.fromEntries(
    [...featureNames, 'constant'].map((name, at) => [name, values[at] ?? 0]),
  ) as Record<Feature | 'constant', number>
}

/** The highest threshold at which nearly all answerable questions keep their hits. */
export function learnThreshold(
  examples: readonly RankerExample[],
  features: readonly number[],
  confidence: LearnedWeights['confidence'],
): number {
  const list = featureNames.map((name) => confidence[name])
  const best = examples
    .filter(({ right }) => right.size > 0)
    .map((example) => {
      const sums = bestOf(example, features, hitsAmong).map(({ row }) => weigh(row, list))
      return 1 / (1 + Math.exp(-Math.max(...sums) - confidence.constant))
    })
    .toSorted((one, other) => one - other)
  return best[Math.floor(silencedMax * best.length)] ?? 0
}
