import { expect, test } from 'vitest'
import { seePage } from '../page/see-page.ts'
import { dropHiddenCopies } from './drop-hidden-copies.ts'
import { readPageTree } from './page-tree.ts'

const story = [
  'The mill has stood at the bend of the river for two hundred years.',
  'Two fires.',
  'The second fire took the wheel, the loft and most of the records of the early years.',
]
const other = 'Visitors are welcome to watch from the gallery on three days of the week.'
const paragraphs = (texts: readonly string[]) => texts.map((text) => `<p>${text}</p>`).join('')

function left(html: string): string[] {
  const tree = readPageTree(seePage(html))
  const chosen = new Uint8Array(tree.blocks.length).fill(1)
  dropHiddenCopies(tree, chosen)
  return tree.blocks.filter((_block, index) => chosen[index] === 1).map(({ text }) => text)
}

test.each([
  '<div hidden>',
  '<div style="display: none">',
  '<div class="d-none d-md-block">',
  '<div class="flex md:hidden">',
  '<div class="mobile-only">',
])('of a text and its copy in %s, the copy goes, its short lines included', (tag) => {
  const copy = `${tag}${paragraphs(story)}</div>`
  const expected = [...story, other]
  expect(left(`${paragraphs(story)}${copy}<p>${other}</p>`)).toEqual(expected)
  expect(left(`${copy}${paragraphs(story)}<p>${other}</p>`)).toEqual(expected)
})

test('of two copies, each for one kind of screen, the first stays', () => {
  const [first, second] = ['hidden-xs', 'visible-xs hide'].map(
    (name) => `<div class="${name}">${paragraphs(story)}</div>`,
  )
  expect(left(`<p>${other}</p>${first}${second}`)).toEqual([other, ...story])
})

test('an article that stands a second time in one block loses that block', () => {
  const pieces = [...story, other, 'Bread is baked on Saturdays from the flour of the same week.']
  expect(left(`<div>${pieces.join(' ')}</div>${paragraphs(pieces)}`)).toEqual(pieces)
})

test('repetition that a reader sees stays', () => {
  const [line = '', short = ''] = story
  const pages = [
    [line, other, line, short, line],
    [...story, other, ...story],
    Array.from({ length: 8 }, (_each, index) => `${line} It was built in 180${index}.`),
  ]
  for (const texts of pages) expect(left(paragraphs(texts))).toEqual(texts)
})

test('repetition inside one hidden element, or in one whose overflow is hidden, stays', () => {
  const twice = [...story, ...story]
  expect(left(`<div class="d-none">${paragraphs(twice)}</div>`)).toEqual(twice)
  const clipped = `<div class="overflow-hidden">${paragraphs(story)}</div>`
  expect(left(clipped + clipped)).toEqual(twice)
})
