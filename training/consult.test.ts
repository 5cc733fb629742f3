import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { outcomesFile, writeOutcomes } from '#features/plans/consult/outcomes.ts'
import { readIntents, trainOutcomes } from './consult.ts'

test('training gives the weights of consult, byte for byte', () => {
  const isSame = writeOutcomes(trainOutcomes(readIntents())) === readFileSync(outcomesFile, 'utf8')
  expect(isSame, 'Run `npm run train:consult`.').toBe(true)
})
