import { expect, test } from 'vitest'
import {
  type ChoiceWeights,
  choiceFeatures,
  choose,
} from '#features/knowledge/plans/consult/choice.ts'

const weights = {
  ...Object.fromEntries(choiceFeatures.map((name) => [name, 0])),
  named: 1,
} as ChoiceWeights

test('several options of a kind together outweigh a better one of another kind', () => {
  const options = [
    { kind: 'nothing', row: { named: 1 } },
    { kind: 'call', row: { named: 0.7 } },
    { kind: 'call', row: { named: 0.8 } },
  ]
  expect(choose(options, weights)).toBe(options[2])
})

test('nothing is chosen among no options', () => {
  expect(choose([], weights)).toBeUndefined()
})
