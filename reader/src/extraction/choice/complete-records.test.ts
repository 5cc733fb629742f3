import { expect, test } from 'vitest'
import { seePage } from '../../page/see-page.ts'
import { featuresOf } from '../features.ts'
import { readPageTree } from '../page-tree.ts'
import { completeRecords } from './complete-records.ts'

const page = Array.from(
  { length: 6 },
  (_each, index) => `<div class="card"><h3>Teapot ${index}</h3><p>Stoneware</p><i>New</i></div>`,
).join('')
const measures = featuresOf(readPageTree(seePage(page)), '').measures
const kinds = measures.tree.blocks.map(({ node }) => measures.tree.names[node])

function complete(isChosen: (kind: string | undefined, card: number) => boolean): string {
  const chosen = Uint8Array.from(kinds, (kind, index) =>
    isChosen(kind, Math.floor((index * 6) / kinds.length)) ? 1 : 0,
  )
  completeRecords(measures, chosen)
  return chosen.join('')
}

test('the card left out of nearly all is chosen, in the parts that the others have', () => {
  const parts = (kind: string | undefined) => kind !== 'div'
  const whole = complete(parts)
  expect(complete((kind, card) => parts(kind) && card !== 0)).toBe(whole)
})

test('of cards of which few are chosen no other is', () => {
  const few = complete((_kind, card) => card === 2)
  expect(few.match(/1/g)).toHaveLength(kinds.length / 6)
})

test('a part of one card that nearly all others have is chosen', () => {
  const headings = (kind: string | undefined) => kind === 'h3' || kind === 'p'
  expect(complete((kind, card) => headings(kind) && !(kind === 'h3' && card === 5))).toBe(
    complete(headings),
  )
})
