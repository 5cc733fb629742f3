import { expect, test } from 'vitest'
import { gramsOfText } from './grams.ts'
import { classShares, parseLinearModel, writeLinearModel } from './linear.ts'

const model = new Map([
  ['wbees', Int8Array.from([50, -50])],
  ['wtrains', Int8Array.from([-50, 50])],
])
const classes = ['insects', 'travel']

test('a model that is written is read as it was', () => {
  expect(parseLinearModel(writeLinearModel(model, classes), classes, 'train')).toEqual(model)
})

test('a model of other classes is refused, with the command that makes it', () => {
  const table = writeLinearModel(model, ['insects', 'trains'])
  expect(() => parseLinearModel(table, classes, 'npm run train:x')).toThrow('npm run train:x')
})

test('the grams of a text speak for its class', () => {
  const [insects = 0, travel = 0] = classShares(gramsOfText('why do BEES dance?'), model, 2)
  expect(insects).toBeGreaterThan(travel)
  expect(insects + travel).toBeCloseTo(1)
})
