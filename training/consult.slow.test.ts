import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { namingFile, writeNaming } from '#features/knowledge/plans/consult/naming.ts'
import { outcomesFile, writeOutcomes } from '#features/knowledge/plans/consult/outcomes.ts'
import { readIntents, readNamed, trainNaming, trainOutcomes } from './consult.ts'

const toTrain = 'Run `npm run train:consult`.'

test('training gives the weights of outcomes, byte for byte', () => {
  const isSame = writeOutcomes(trainOutcomes(readIntents())) === readFileSync(outcomesFile, 'utf8')
  expect(isSame, toTrain).toBe(true)
})

test('training gives the weights of naming, byte for byte', () => {
  const learned = writeNaming(trainNaming(readNamed()))
  expect(learned === readFileSync(namingFile, 'utf8'), toTrain).toBe(true)
})
