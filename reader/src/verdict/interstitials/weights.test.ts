import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { loadVocabulary } from './vocabulary.ts'
import { readWeights, type WrittenWeights, weightsFile } from './weights.ts'

const written: WrittenWeights = JSON.parse(readFileSync(weightsFile, 'utf8'))

test('the weights fit the features and the vocabulary of the repository', () => {
  expect(readWeights(written, loadVocabulary())).toBe(written.weights)
})

test('weights are refused once a word was added', () => {
  const more = { ...loadVocabulary(), xx: { missing: ['brint'] } }
  expect(() => readWeights(written, more)).toThrow('npm run train')
})
