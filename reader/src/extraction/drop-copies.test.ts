import { expect, test } from 'vitest'
import { dropCopies } from './drop-copies.ts'
import { readPageTree } from './page-tree.ts'

const story = [
  'The mill has stood at the bend of the river for two hundred years.',
  'Two fires.',
  'The second fire took the wheel, the loft and most of the records of the early years.',
]
const other = 'Visitors are welcome to watch from the gallery on three days of the week.'
const paragraphs = (texts: readonly string[]) => texts.map((text) => `<p>${text}</p>`).join('')

function left(html: string, probabilityOf: (index: number) => number): string[] {
  const tree = readPageTree(html)
  const chosen = new Uint8Array(tree.blocks.length).fill(1)
  dropCopies(
    tree,
    tree.blocks.map((_block, index) => probabilityOf(index)),
    chosen,
  )
  return tree.blocks.filter((_block, index) => chosen[index] === 1).map(({ text }) => text)
}

test('of a text that is there twice, the less probable copy goes, its short lines included', () => {
  const html = paragraphs([...story, other, ...story])
  expect(left(html, (index) => (index < 3 ? 0.4 : 0.9))).toEqual([other, ...story])
  expect(left(html, (index) => (index > 3 ? 0.4 : 0.9))).toEqual([...story, other])
})

test('repeats side by side stay', () => {
  const [line = ''] = story
  expect(left(paragraphs([other, line, line, line]), () => 0.9)).toEqual([other, line, line, line])
})

test('a sentence that comes back in a long text stays', () => {
  const long = Array.from(
    { length: 40 },
    (_each, index) =>
      `Number ${index} is a line of its own kind, unlike number ${index + 100} or ${index * 3}.`,
  )
  const [line = ''] = story
  expect(left(paragraphs([line, ...long, line]), () => 0.9)).toHaveLength(42)
})
