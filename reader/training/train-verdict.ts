// Fits the weights of interstitials to the labelled samples: a logistic regression over the best candidate of each
// page, with the choice of candidates and the fit repeated until they agree. The same samples give the same weights.
import type { LabelledSample } from '../samples/read-samples.ts'
import {
  type Candidate,
  featureNames,
  type InterstitialFeature,
  listCandidates,
} from '../src/verdict/interstitials/evidence.ts'
import { bestCandidate, wordsOfInterstitial } from '../src/verdict/interstitials/recognize.ts'
import type { Weights } from '../src/verdict/interstitials/weights.ts'
import { evidenceOf } from './measure-verdicts.ts'

export interface VerdictTrainingOptions {
  /** How much more a page that is taken for a wall counts than a wall that is missed. */
  readonly pageWeight: number
  /** Pulls the weights towards zero. */
  readonly ridge: number
}

export const verdictTrainingOptions: VerdictTrainingOptions = { pageWeight: 3.5, ridge: 0.3 }

interface VerdictExample {
  readonly isWall: boolean
  readonly candidates: readonly Candidate[]
}

/** Where the choice of candidates begins: words of the kind speak for it, others against. */
const firstGuess: Partial<Weights> = { known: 1, strange: -0.25 }
const roundsMax = 50
const newtonSteps = 20

export function trainVerdict(
  samples: readonly LabelledSample[],
  options: VerdictTrainingOptions,
): Weights {
  const examples = samples.map(exampleOf).filter(({ candidates }) => candidates.length > 0)
  let weights = weightsFrom(featureNames.map((name) => firstGuess[name] ?? 0))
  let chosen = ''
  for (let round = 0; round < roundsMax; round += 1) {
    const best = examples.map(({ candidates }) => bestCandidate(candidates, weights) as Candidate)
    const choice = best
      .map(({ kind }, index) => examples[index]?.candidates.findIndex((each) => each.kind === kind))
      .join()
    if (choice === chosen) break
    chosen = choice
    weights = fitWeights(
      best.map(({ features }) => featureNames.map((name) => features[name])),
      examples.map(({ isWall }) => isWall),
      options,
    )
  }
  return weights
}

function exampleOf(sample: LabelledSample): VerdictExample {
  const { kind, survey } = evidenceOf(sample)
  const found = kind === 'html' ? wordsOfInterstitial(survey) : undefined
  return {
    isWall: sample.kind === 'wall',
    candidates: found === undefined ? [] : listCandidates(survey, found),
  }
}

/** InterstitialFeatures that count against an interstitial. All others, but for the bias, count for it. */
const counterEvidence: ReadonlySet<InterstitialFeature> = new Set([
  'strange',
  'length',
  'furnished',
  'wallFurnished',
  'asides',
  'subject',
])

/**
 * A weight with the wrong sign is an accident of the samples: its feature is left out, and the others are fitted again.
 */
function fitWeights(
  rows: readonly (readonly number[])[],
  labels: readonly boolean[],
  options: VerdictTrainingOptions,
): Weights {
  const left = new Set<number>()
  for (;;) {
    const weights = fitFreely(
      rows.map((row) => row.map((value, index) => (left.has(index) ? 0 : value))),
      labels,
      options,
    )
    const wrong = featureNames.findIndex(
      (name, index) =>
        name !== 'bias' &&
        name !== 'wall' &&
        name !== 'wallLength' &&
        (counterEvidence.has(name) ? 1 : -1) * at(weights, index) > 0,
    )
    if (wrong === -1) return weightsFrom(weights)
    left.add(wrong)
  }
}

/** Newton's method. The bias, which comes first, is not pulled towards zero. */
function fitFreely(
  rows: readonly (readonly number[])[],
  labels: readonly boolean[],
  { pageWeight, ridge }: VerdictTrainingOptions,
): number[] {
  const width = featureNames.length
  const weights = new Array<number>(width).fill(0)
  for (let step = 0; step < newtonSteps; step += 1) {
    const gradient = weights.map((weight, index) => (index === 0 ? 0 : ridge * weight))
    const hessian = weights.map((_weight, row) =>
      weights.map((_other, column) => (row === column && row > 0 ? ridge : 0)),
    )
    rows.forEach((row, index) => {
      const probability = 1 / (1 + Math.exp(-dot(row, weights)))
      const weight = labels[index] === true ? 1 : pageWeight
      const error = weight * (probability - (labels[index] === true ? 1 : 0))
      const curvature = weight * probability * (1 - probability)
      for (let i = 0; i < width; i += 1) {
        gradient[i] = at(gradient, i) + error * at(row, i)
        const line = hessian[i] as number[]
        for (let j = 0; j < width; j += 1)
          line[j] = at(line, j) + curvature * at(row, i) * at(row, j)
      }
    })
    const change = solve(hessian, gradient)
    for (let i = 0; i < width; i += 1) weights[i] = at(weights, i) - at(change, i)
  }
  return weights
}

/** Gaussian elimination with pivots. */
function solve(matrix: number[][], right: readonly number[]): number[] {
  const rows = matrix.map((row, index) => [...row, at(right, index)])
  const size = rows.length
  for (let column = 0; column < size; column += 1) {
    const below = rows.slice(column)
    const largest = Math.max(...below.map((row) => Math.abs(at(row, column))))
    const pivot = rows.findIndex(
      (row, index) => index >= column && Math.abs(at(row, column)) === largest,
    )
    const top = rows[pivot] as number[]
    rows[pivot] = rows[column] as number[]
    rows[column] = top
    for (const [index, row] of rows.entries()) {
      if (index === column || at(top, column) === 0) continue
      const factor = at(row, column) / at(top, column)
      for (let each = column; each <= size; each += 1)
        row[each] = at(row, each) - factor * at(top, each)
    }
  }
  return rows.map((row, index) => (at(row, index) === 0 ? 0 : at(row, size) / at(row, index)))
}

function dot(one: readonly number[], other: readonly number[]): number {
  return one.reduce((sum, value, index) => sum + value * at(other, index), 0)
}

function at(list: readonly number[], index: number): number {
  return list[index] ?? 0
}

/** Rounded, so that the last bits of another machine's arithmetic do not show. */
function weightsFrom(values: readonly number[]): Weights {
  const entries = featureNames.map((name, index): [InterstitialFeature, number] => [
    name,
    Math.round(at(values, index) * 1_000) / 1_000,
  ])
  return Object.fromEntries(entries) as Record<InterstitialFeature, number>
}
