import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readSamples } from '../samples/read-samples.ts'
import { weightsFile } from '../src/verdict/interstitials/weights.ts'
import { trainVerdict, verdictTrainingOptions } from './train-verdict.ts'

test('training on the dev split gives the weights of the repository', () => {
  const dev = readSamples().filter(({ split }) => split === 'dev')
  const weights = trainVerdict(
    dev.flatMap(({ samples }) => samples),
    verdictTrainingOptions,
  )
  expect(weights).toEqual(JSON.parse(readFileSync(weightsFile, 'utf8')).weights)
})
