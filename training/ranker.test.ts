import { expect, test } from 'vitest'
import { featureNames } from '#features/knowledge/discover/features.ts'
import { createLexicalIndex, matchQuestion } from '#features/knowledge/discover/lexical.ts'
import { type ActionTexts, fieldNames } from '#features/knowledge/discover/texts.ts'
import { type RankerExample, trainRanker } from './ranker.ts'

const textsOf = (own: Partial<ActionTexts>): ActionTexts => ({
  ...(Object.fromEntries(fieldNames.map((name) => [name, []])) as unknown as ActionTexts),
  ...own,
})
// The synonyms are right. The notes describe the purpose of the other action.
const index = await createLexicalIndex(
  new Map([
    ['fruit/pick', textsOf({ synonym: ['apple', 'pear', 'plum'], note: ['lathe drill anvil'] })],
    ['tool/lend', textsOf({ synonym: ['lathe', 'drill', 'anvil'], note: ['apple pear plum'] })],
  ]),
)
const example = (query: string, right: readonly number[]): RankerExample => ({
  right: new Set(right),
  index,
  matches: matchQuestion(index, query),
  rows: index.ids.map(() => new Float64Array(featureNames.length)),
})
const examples = () => [
  ...['apple', 'pear', 'plum'].map((word) => example(word, [0])),
  ...['lathe', 'drill', 'anvil'].map((word) => example(word, [1])),
  example('unicorn', []),
]

test('a helpful field receives a higher weight than a misleading one', () => {
  const { words } = trainRanker(examples(), { withModel: true })
  expect(words.fields.synonym).toBeGreaterThan(2 * words.fields.note)
})

test('the same questions give the same weights', () => {
  expect(trainRanker(examples(), { withModel: true })).toEqual(
    trainRanker(examples(), { withModel: true }),
  )
})

test('weights for questions that are words alone do not count meanings', () => {
  const { features, confidence } = trainRanker(examples(), { withModel: false })
  expect([features.meaning, confidence.meaning, confidence.unservedMeaning]).toEqual([0, 0, 0])
  expect(confidence.scope).toBe(0)
  expect(features.words).toBeGreaterThan(0)
})
