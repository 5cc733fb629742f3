import { expect, test } from 'vitest'
import { seePage } from '../../page/see-page.ts'
import { measurePage } from '../page-measures.ts'
import { readPageTree } from '../page-tree.ts'
import { findLeftOut } from './left-out.ts'

const text = (number: number) =>
  `<p>In the ${number}th year of the mill the wheel was taken off its axle, and cleaned before the first rye came in.</p>`
const table =
  '<table><tr><td>Rye and wheat</td><td>90 sacks</td></tr><tr><td>Oats and barley</td><td>75 sacks</td></tr></table>'
const list =
  '<ul><li>Take the wheel off its axle</li><li>Clean the bearings before the rye</li></ul>'
const menu =
  '<ul><li><a href="/a">All about the mill and its wheel</a></li><li><a href="/b">All about the dam</a></li></ul>'

/** With the blocks of `chosen` texts taken, and all others as probable as `probability`. */
function leftOut(main: string, { chosen = /th year/, probability = 0.3 } = {}) {
  const html = `<title>The wheel</title><nav>${menu}</nav><main>${main}</main><footer><p>The miller lives in Mill Street 3, beside the old dam.</p></footer>`
  const tree = readPageTree(seePage(html))
  const page = measurePage(tree, '')
  const taken = Uint8Array.from(tree.blocks, (block) => (chosen.test(block.text) ? 1 : 0))
  return findLeftOut(page, new Float32Array(tree.blocks.length).fill(probability), taken)
}

test('a table, a list, a quotation and a listing among the content that were not taken are told', () => {
  const quote =
    '<blockquote>The wheel turned all night, said the miller of the upper dam.</blockquote>'
  const listing = '<pre>wheel = mill.wheel()\nwheel.turn(2, 3)\nwheel.stop(4, 5)</pre>'
  const main = [table, list, quote, listing].map((part, index) => text(index + 3) + part).join('')
  expect(leftOut(main)).toEqual([
    { kind: 'table', words: 10 },
    { kind: 'list', words: 12 },
    { kind: 'quote', words: 12 },
    { kind: 'code', words: 11 },
  ])
})

test('texts that follow each other count as one', () => {
  const aside = '<p>The miller keeps a horse.</p><p>It is older than the wheel.</p>'
  expect(leftOut(`${text(3)}${aside}${text(4)}`)).toEqual([{ kind: 'text', words: 11 }])
})

test('menus, labels, copies, and what is further away are not told', () => {
  const label = '<p>Share this page</p>'
  expect(leftOut(`${text(3)}${menu}${label}${text(4)}`)).toEqual([])
  expect(leftOut(text(3))).toEqual([])
  expect(
    leftOut(`${text(3)}<p>Subscribe to our weekly letter about all mills.</p>${text(4)}`, {
      probability: 0.01,
    }),
  ).toEqual([])
  expect(leftOut(table, { chosen: /never/ })).toEqual([])
})

test('a table is told however improbable it is', () => {
  expect(leftOut(`${text(3)}${table}${text(4)}`, { probability: 0.01 })).toEqual([
    { kind: 'table', words: 10 },
  ])
})
