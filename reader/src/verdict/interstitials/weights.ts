// The trained weights of the features of interstitials, and what they were trained on.
import { readFileSync } from 'node:fs'
import { hashText } from '../../extraction/words.ts'
import { type Candidate, featureNames, type InterstitialFeature } from './evidence.ts'
import { interstitialKinds } from './kinds.ts'
import { loadVocabulary, type Vocabulary } from './vocabulary.ts'

export const weightsFile = new URL('./weights.json', import.meta.url)

export type Weights = Readonly<Record<InterstitialFeature, number>>

export interface WrittenWeights {
  /** Stands for the features, the kinds and the vocabulary that the weights were trained with. */
  readonly trainedWith: number
  readonly weights: Weights
}

let loaded: Weights | undefined

export function loadWeights(): Weights {
  loaded ??= readWeights(JSON.parse(readFileSync(weightsFile, 'utf8')), loadVocabulary())
  return loaded
}

/** Throws where the weights were trained with other features, kinds or words than these. */
export function readWeights(written: WrittenWeights, vocabulary: Vocabulary): Weights {
  if (written.trainedWith !== hashOf(vocabulary))
    throw new Error(
      'The weights of verdicts were trained with other features or another vocabulary. Train them again: npm run train',
    )
  return written.weights
}

export function writeWeights(weights: Weights, vocabulary: Vocabulary): WrittenWeights {
  return { trainedWith: hashOf(vocabulary), weights }
}

function hashOf(vocabulary: Vocabulary): number {
  return hashText(JSON.stringify([featureNames, interstitialKinds, vocabulary]))
}

/** The logarithm of the odds that the page is this and nothing else. */
export function oddsOf({ features }: Candidate, weights: Weights): number {
  return featureNames.reduce((sum, name) => sum + weights[name] * features[name], 0)
}
