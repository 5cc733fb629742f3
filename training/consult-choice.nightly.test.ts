// The weights of consult's choice belong to what they were learned from.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createDiscover } from '#features/knowledge/discover/discover.ts'
import { choiceWeightsFile } from '#features/knowledge/plans/consult/choice.ts'
import { readAuthors } from '#features/knowledge/plans/consult/intents.ts'
import { ownNamespace } from '#test/own-actions.ts'
import { hashAsked, hashOf, readRecord, recordChoice } from './choice-record.ts'
import { createAllExamples, trainChoice, writeChoice } from './consult-choice.ts'
import { openWholeCatalog } from './discover-catalog.ts'

/** A change of the catalog, of discover or of how calls are drafted changes the options of many intents. */
const madeEvery = 20
const help = 'Run `npm run train:consult`.'
const record = readRecord()

test('the weights are those that were learned from the recorded intents', () => {
  expect(record.weights, help).toBe(hashOf(readFileSync(choiceWeightsFile, 'utf8')))
  const asked = readAuthors(ownNamespace).flatMap(({ intents }) => intents.map(hashAsked))
  expect(
    record.examples.map((example) => example.asked),
    help,
  ).toEqual(asked)
})

test('consult has the options that its weights were learned from, and they give the same weights each time', async () => {
  const { catalog, close } = openWholeCatalog()
  const { rank } = createDiscover({ catalog: () => catalog, ownNamespace })
  const examples = await createAllExamples(catalog, rank, madeEvery)
  await close()
  const weights = writeChoice(trainChoice(examples))
  const recorded = new Map(record.examples.map(({ asked, options }) => [asked, options]))
  const made = recordChoice(examples, weights).examples
  expect(made.length).toBeGreaterThan(100)
  expect(
    made.filter(({ asked, options }) => recorded.get(asked) !== options),
    help,
  ).toEqual([])
  expect(writeChoice(trainChoice(examples.map((example) => ({ ...example }))))).toBe(weights)
})
