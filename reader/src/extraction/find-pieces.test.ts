import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createPieceFinder } from './find-pieces.ts'

function find(pieces: readonly string[], text: string): string[] {
  const found: string[] = []
  const finder = createPieceFinder(new Map(pieces.map((piece, index) => [piece, index])))
  finder(text, (index) => found.push(pieces[index] as string))
  return found
}

test('the longest piece at a place counts, and the search goes on behind it', () => {
  expect(find(['side', 'sidebar', 'bar', 'nav'], 'sidebar-nav side')).toEqual([
    'sidebar',
    'nav',
    'side',
  ])
})

test('where a longer piece fails, the shorter counts and nothing is skipped', () => {
  expect(find(['col', 'collapse', 'lab'], 'collab')).toEqual(['col', 'lab'])
})

test('any text is searched as by an expression that lists longer pieces first', () => {
  const letters = (minLength: number, maxLength: number) =>
    fc.string({ unit: fc.constantFrom('a', 'b', '-', 'é'), minLength, maxLength })
  const ascii = letters(1, 4).filter((piece) => !piece.includes('é'))
  fc.assert(
    fc.property(fc.uniqueArray(ascii, { minLength: 1 }), letters(0, 40), (pieces, text) => {
      const longerFirst = pieces.toSorted((a, b) => b.length - a.length)
      expect(find(pieces, text)).toEqual(text.match(new RegExp(longerFirst.join('|'), 'g')) ?? [])
    }),
  )
})
