import { expect, test } from 'vitest'
import { impactsOf, vectorOf } from './fields.ts'
import { tokensOf } from './words.ts'

const passage = (title: string, headings: string, path: string, text: string) => ({
  A: tokensOf(title),
  B: tokensOf(headings),
  C: tokensOf(path),
  D: tokensOf(text),
})
const stemsOf = (...words: string[]) => new Map(words.map((word) => [word, word]))

test('a page is more about a word of its title than of its text, and each repetition counts less', () => {
  const fields = [passage('storm', 'ropes', '/manual', 'anchor anchor anchor bow')]
  const impacts = impactsOf(fields, stemsOf('storm', 'ropes', 'anchor', 'bow'))
  const of = (word: string) => impacts.get(word) ?? 0
  expect(of('storm')).toBeGreaterThan(of('ropes'))
  expect(of('anchor')).toBeGreaterThan(of('bow'))
  expect(of('anchor')).toBeLessThan(3 * of('bow'))
  expect(Math.max(...impacts.values())).toBeLessThan(1_000)
})

test('a heading counts once, however many passages it stands above', () => {
  const one = passage('', 'ropes', '', 'bow')
  const stems = stemsOf('ropes', 'bow')
  expect(impactsOf([one, one, one], stems).get('ropes')).toBe(impactsOf([one], stems).get('ropes'))
})

test('a word counts less in a longer page', () => {
  const long = passage('', '', '', `bow ${'other '.repeat(3_000)}`)
  const short = passage('', '', '', 'bow')
  const of = (fields: typeof long) => impactsOf([fields], stemsOf('bow')).get('bow') ?? 0
  expect(of(long)).toBeLessThan(of(short))
})

test('a search vector names field and place, and leaves out words without a stem', () => {
  const stems = new Map([
    ['lines', 'line'],
    ['storm', 'storm'],
  ])
  expect(vectorOf(passage('Storm', '', '', 'The lines in a storm'), stems)).toBe(
    "'storm':1A,36D 'line':33D",
  )
})
