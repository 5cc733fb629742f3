import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { modelFile, writeModel } from '#features/knowledge/search/routing/model.ts'
import { readQuestions, trainRouter } from './search-router.ts'

test('training gives the weights of the repository, byte for byte', () => {
  const isSame = writeModel(trainRouter(readQuestions())) === readFileSync(modelFile, 'utf8')
  expect(isSame, 'Run `npm run train:search`.').toBe(true)
})
