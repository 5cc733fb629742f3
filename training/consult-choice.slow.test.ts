// The weights of consult's choice: every intent is planned once with each action that may answer it.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createDiscover } from '#features/discover/discover.ts'
import { choiceWeightsFile } from '#features/plans/consult/choice.ts'
import { ownNamespace } from '#test/own-actions.ts'
import { createAllExamples, trainChoice, writeChoice } from './consult-choice.ts'
import { openWholeCatalog } from './discover-catalog.ts'

test('training gives the weights of the choice, byte for byte', async () => {
  const { catalog, close } = openWholeCatalog()
  const { rank } = createDiscover({ catalog: () => catalog, ownNamespace })
  const examples = await createAllExamples(catalog, rank)
  await close()
  expect(writeChoice(trainChoice(examples)), 'Run `npm run train:consult`.').toBe(
    readFileSync(choiceWeightsFile, 'utf8'),
  )
})
