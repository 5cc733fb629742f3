import { expect, test } from 'vitest'
import { snippetOf } from './snippet.ts'
import { tokensOf } from './words.ts'

const filler = 'Nothing of that kind is said in this sentence. '
const cut = (text: string, ...wanted: string[]) =>
  snippetOf(text, tokensOf(text), (word) => wanted.includes(word))

test('a short passage is its own snippet, on one line', () => {
  expect(cut('Double the lines\nbefore a storm.', 'storm', 'lines')).toEqual({
    snippet: 'Double the lines before a storm.',
    matchedWords: ['lines', 'storm'],
  })
})

test('of a long passage the part with the most different words is shown', () => {
  const text = `The storm. ${filler.repeat(20)}Lines hold in a storm. ${filler.repeat(20)}`
  const { snippet, matchedWords } = cut(text, 'storm', 'lines')
  expect(snippet).toMatch(/^… .*Lines hold in a storm\..* …$/)
  expect(matchedWords).toEqual(['lines', 'storm'])
  expect(snippet.length).toBeLessThanOrEqual(404)
})

test('a passage that holds none of the words is shown from its beginning', () => {
  const { snippet, matchedWords } = cut(`Start. ${filler.repeat(20)}`, 'absent')
  expect(snippet).toMatch(/^Start\. /)
  expect(matchedWords).toEqual([])
})
