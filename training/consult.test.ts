import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createDiscover } from '#features/discover/discover.ts'
import { choiceWeightsFile } from '#features/plans/consult/choice.ts'
import { namingFile, writeNaming } from '#features/plans/consult/naming.ts'
import { outcomesFile, writeOutcomes } from '#features/plans/consult/outcomes.ts'
import { ownNamespace } from '#test/own-actions.ts'
import { readIntents, readNamed, trainNaming, trainOutcomes } from './consult.ts'
import { createChoiceExamples, readAllJudged, trainChoice, writeChoice } from './consult-choice.ts'
import { openWholeCatalog } from './discover-catalog.ts'

const toTrain = 'Run `npm run train:consult`.'

test('training gives the weights of outcomes, byte for byte', () => {
  const isSame = writeOutcomes(trainOutcomes(readIntents())) === readFileSync(outcomesFile, 'utf8')
  expect(isSame, toTrain).toBe(true)
})

test('training gives the weights of naming, byte for byte', () => {
  const learned = writeNaming(trainNaming(readNamed()))
  expect(learned === readFileSync(namingFile, 'utf8'), toTrain).toBe(true)
})

test('training gives the weights of the choice, byte for byte', async () => {
  const { catalog, close } = openWholeCatalog()
  const { rank } = createDiscover({ catalog: () => catalog, ownNamespace })
  const examples = await createChoiceExamples(catalog, rank, readAllJudged())
  await close()
  expect(writeChoice(trainChoice(examples)), toTrain).toBe(readFileSync(choiceWeightsFile, 'utf8'))
})
