// Learns the weight of each feature of discover's ranking from questions with their right actions. It is deterministic:
// the same questions and catalog give the same weights.
import {
  addWordFeatures,
  type Feature,
  featureNames,
  meanings,
  weigh,
} from '../src/features/knowledge/discover/features.ts'
import type {
  LexicalIndex,
  LexicalWeights,
  Matches,
} from '../src/features/knowledge/discover/lexical.ts'
import { fieldNames } from '../src/features/knowledge/discover/texts.ts'
import type { LearnedWeights } from '../src/features/knowledge/discover/weights.ts'
import { fitLogistic, learnThreshold } from './confidence.ts'

export interface RankerExample {
  /** The indexes of the right actions; empty if there are none. */
  readonly right: ReadonlySet<number>
  readonly matches: Matches
  readonly index: LexicalIndex
  /** The features that depend on no weight, a row for each action. */
  readonly rows: readonly Float64Array[]
}

/** Fields by the logarithm of their weight, the length norm and the misspelt by their logit, then the features. */
type Parameters = readonly number[]
const wordParameters = fieldNames.length + 2
const startFeatures: Readonly<Record<Feature, number>> = {
  words: 2.4,
  share: 2,
  pairs: 1.2,
  pieces: 6,
  unservedPieces: 0,
  meaning: 6,
  unservedMeaning: 0,
  scope: 0,
  poll: -1,
  polled: -1,
  job: 0,
  needsId: 0,
  taken: 4,
  place: -0.2,
  telltale: 1,
}
const start: Parameters = [
  ...fieldNames.map(() => Math.log(0.5)),
  Math.log(0.3 / 0.7),
  Math.log(0.6 / 0.4),
  ...featureNames.map((name) => startFeatures[name]),
]
/** Keeps the weights near their start values unless the questions contradict them. */
const ridge = 0.002
const rounds = 4
const stepOfWords = 0.5
const passesFirst = 30
const passesLater = 15

const logistic = (value: number) => 1 / (1 + Math.exp(-value))

function unpack(parameters: Parameters): { words: LexicalWeights; features: readonly number[] } {
  const at = (place: number) => parameters[place] ?? 0
  return {
    words: {
      fields: Object.fromEntries(
        fieldNames.map((name, place) => [name, Math.exp(at(place))]),
      ) as LexicalWeights['fields'],
      lengthNorm: logistic(at(fieldNames.length)),
      misspelt: logistic(at(fieldNames.length + 1)),
    },
    features: parameters.slice(wordParameters),
  }
}

export function trainRanker(
  examples: readonly RankerExample[],
  { withModel }: { readonly withModel: boolean },
): LearnedWeights {
  const off = new Set(withModel ? [] : meanings.map((name) => featureNames.indexOf(name)))
  const answered = examples.filter(({ right }) => right.size > 0)
  let best: Parameters = start.map((value, place) => (off.has(place - wordParameters) ? 0 : value))
  const refit = (passes: number) => {
    rewriteWords(answered, unpack(best).words)
    best = fitFeatures(answered, best, off, passes)
    return lossOf(answered, best)
  }
  let least = refit(passesFirst)
  for (let round = 0; round < rounds; round += 1) {
    for (let place = 0; place < wordParameters; place += 1) {
      for (const step of [stepOfWords, -stepOfWords]) {
        const tried = best.with(place, (best[place] ?? 0) + step)
        rewriteWords(answered, unpack(tried).words)
        const loss = lossOf(answered, tried)
        if (loss >= least) continue
        least = loss
        best = tried
        break
      }
    }
    least = refit(passesLater)
  }
  const { words, features } = unpack(best)
  rewriteWords(examples, words)
  const confidence = fitLogistic(examples, features, off)
  return {
    words,
    features: Object.fromEntries(
      featureNames.map((name, place) => [name, features[place] ?? 0]),
    ) as LearnedWeights['features'],
    confidence,
    confidenceMin: learnThreshold(examples, features, confidence),
  }
}

function rewriteWords(examples: readonly RankerExample[], words: LexicalWeights) {
  for (const { rows, matches, index } of examples) addWordFeatures(rows, matches, index, words)
}

/** The logarithm of the right actions' share of the softmax over all actions, plus the ridge. */
function lossOf(examples: readonly RankerExample[], parameters: Parameters): number {
  const { features } = unpack(parameters)
  let loss = 0
  for (const { rows, right } of examples) {
    const { part } = softmax(rows, features, right)
    loss -= Math.log(Math.max(part, Number.MIN_VALUE))
  }
  const strain = parameters.reduce((sum, value, at) => sum + (value - (start[at] ?? 0)) ** 2, 0)
  return loss / examples.length + ridge * strain
}

function softmax(
  rows: readonly Float64Array[],
  features: readonly number[],
  right: ReadonlySet<number>,
) {
  const scores = rows.map((row) => weigh(row, features))
  const most = scores.reduce((max, score) => Math.max(max, score), -Infinity)
  const powers = scores.map((score) => Math.exp(score - most))
  const all = powers.reduce((sum, power) => sum + power, 0)
  let ofRight = 0
  for (const place of right) ofRight += powers[place] ?? 0
  return { shares: powers.map((power) => power / all), part: ofRight / all }
}

/** Resilient propagation: each weight has its own step, which grows while its gradient keeps its sign. */
function fitFeatures(
  examples: readonly RankerExample[],
  from: Parameters,
  off: ReadonlySet<number>,
  passes: number,
): Parameters {
  const values = [...from]
  const steps = featureNames.map(() => 0.1)
  let before = featureNames.map(() => 0)
  for (let pass = 0; pass < passes; pass += 1) {
    const gradient = gradientOf(examples, values)
    for (const place of featureNames.keys()) {
      const slope = gradient[place] ?? 0
      if (slope === 0 || off.has(place)) continue
      const turn = slope * (before[place] ?? 0)
      const step = steps[place] ?? 0
      const next = turn > 0 ? Math.min(step * 1.2, 0.8) : turn < 0 ? Math.max(step / 2, 1e-4) : step
      steps[place] = next
      values[wordParameters + place] =
        (values[wordParameters + place] ?? 0) - Math.sign(slope) * next
    }
    before = gradient
  }
  return values
}

function gradientOf(examples: readonly RankerExample[], parameters: Parameters): number[] {
  const { features } = unpack(parameters)
  const sums = new Float64Array(featureNames.length)
  for (const { rows, right } of examples) {
    const { shares, part } = softmax(rows, features, right)
    for (const [place, row] of rows.entries()) {
      const share = shares[place] ?? 0
      const pull = share - (right.has(place) ? share / Math.max(part, 1e-12) : 0)
      if (Math.abs(pull) < 1e-7) continue
      for (let at = 0; at < row.length; at += 1) sums[at] = (sums[at] ?? 0) + pull * (row[at] ?? 0)
    }
  }
  return featureNames.map((_, at) => {
    const value = (parameters[wordParameters + at] ?? 0) - (start[wordParameters + at] ?? 0)
    return (sums[at] ?? 0) / examples.length + 2 * ridge * value
  })
}
