// What `npm run train:discover` has learned, for questions with a meaning and for those that are words alone.
import { readFileSync } from 'node:fs'
import { type Feature, featureNames, type RankWeights } from './features.ts'
import { fieldNames } from './texts.ts'

export interface LearnedWeights extends RankWeights {
  /** Of the logistic function that says how likely it is that the catalog answers the question by this action. */
  readonly confidence: Readonly<Record<Feature | 'constant', number>>
  /** A question has no hits if the likelihood of its best hit is below this. */
  readonly confidenceMin: number
}
export interface WeightsFile {
  readonly withModel: LearnedWeights
  readonly withoutModel: LearnedWeights
}

export const weightsFile = new URL('./weights.json', import.meta.url)

/** Throws when the file does not fit the code: then it is to be trained anew. */
export function loadWeights(): WeightsFile {
  const file: WeightsFile = JSON.parse(readFileSync(weightsFile, 'utf8'))
  for (const { words, features, confidence } of [file.withModel, file.withoutModel]) {
    const expected = [
      [words.fields, fieldNames],
      [features, featureNames],
      [confidence, [...featureNames, 'constant']],
    ] as const
    for (const [given, names] of expected) {
      if (names.some((name) => !Number.isFinite((given as Record<string, number>)[name])))
        throw new Error('weights.json does not fit the features: run `npm run train:discover`.')
    }
  }
  return file
}
