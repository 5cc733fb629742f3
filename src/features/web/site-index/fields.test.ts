import { expect, test } from 'vitest'
import { impactsOf, mentionImpactsOf, vectorOf } from './fields.ts'
import { tokensOf } from './words.ts'

const passage = (title: string, headings: string, listed: string, text: string) => {
  const tokens = tokensOf(`${listed} ${text}`)
  return {
    A: tokensOf(title),
    B: tokensOf(headings),
    C: tokens.filter(({ at }) => at < listed.length),
    D: tokens.filter(({ at }) => at >= listed.length),
  }
}
const page = (...passages: ReturnType<typeof passage>[]) => ({
  path: tokensOf('/manual'),
  passages,
})
const stemsOf = (...words: string[]) => new Map(words.map((word) => [word, word]))

test('a page is more about a word of its title than of its text, and each repetition counts less', () => {
  const fields = page(passage('storm', 'ropes', '', 'anchor anchor anchor bow'))
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
  expect(impactsOf(page(one, one, one), stems).get('ropes')).toBe(
    impactsOf(page(one), stems).get('ropes'),
  )
})

test('a word counts less in a longer page', () => {
  const long = passage('', '', '', `bow ${'other '.repeat(3_000)}`)
  const short = passage('', '', '', 'bow')
  const of = (fields: typeof long) => impactsOf(page(fields), stemsOf('bow')).get('bow') ?? 0
  expect(of(long)).toBeLessThan(of(short))
})

test('a word in a list of other pages counts little for the page that has the list, and much for the other one', () => {
  const stems = stemsOf('bow', 'stern')
  const impacts = impactsOf(page(passage('', '', 'bow', 'stern')), stems)
  const [listed = 0, own = 0] = [impacts.get('bow'), impacts.get('stern')]
  const mentioned = mentionImpactsOf(tokensOf('the bow'), stems).get('bow') ?? 0
  expect(listed).toBeLessThan(own / 2)
  expect(mentioned).toBeGreaterThan(own)
  expect(mentionImpactsOf(tokensOf(`bow ${'other '.repeat(30)}`), stems).get('bow')).toBeLessThan(
    mentioned,
  )
})

test('a search vector names field and place, and leaves out words without a stem', () => {
  const stems = new Map([
    ['lines', 'line'],
    ['storm', 'storm'],
    ['buoys', 'buoy'],
  ])
  expect(vectorOf(passage('Storm', '', 'Buoys', 'The lines in a storm'), stems)).toBe(
    "'storm':1A,27D 'buoy':22C 'line':24D",
  )
})
