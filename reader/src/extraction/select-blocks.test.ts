import fc from 'fast-check'
import { expect, test } from 'vitest'
import { selectByExpectedF1 } from './select-blocks.ts'

const blocks = fc.array(
  fc.record({
    probability: fc.float({ min: 0, max: 1, noNaN: true }),
    words: fc.integer({ min: 1, max: 50 }),
  }),
  { minLength: 1, maxLength: 9 },
)

function expectedF1(
  some: readonly { probability: number; words: number }[],
  subset: number,
): number {
  const all = some.reduce((sum, { probability, words }) => sum + probability * words, 0)
  const taken = some.filter((_block, index) => (subset & (1 << index)) !== 0)
  const hits = taken.reduce((sum, { probability, words }) => sum + probability * words, 0)
  const words = taken.reduce((sum, block) => sum + block.words, 0)
  return words + all === 0 ? 0 : (2 * hits) / (words + all)
}

test('no other set of blocks has a higher expected F1, and the confidence is that F1', () => {
  fc.assert(
    fc.property(blocks, (some) => {
      const { chosen, confidence } = selectByExpectedF1(
        some.map(({ probability }) => probability),
        some.map(({ words }) => words),
      )
      const subset = chosen.reduce((bits, taken, index) => bits | (taken << index), 0)
      const best = Math.max(
        ...Array.from({ length: 1 << some.length }, (_each, bits) => expectedF1(some, bits)),
      )
      expect(confidence).toBeCloseTo(best, 9)
      expect(expectedF1(some, subset)).toBeCloseTo(best, 9)
    }),
  )
})

test('a page of nothing has no content and no confidence', () => {
  expect(selectByExpectedF1([], [])).toEqual({ chosen: new Uint8Array(0), confidence: 0 })
  expect(selectByExpectedF1([0, 0], [5, 5])).toEqual({ chosen: new Uint8Array(2), confidence: 0 })
})
