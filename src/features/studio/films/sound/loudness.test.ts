import { expect, test } from 'vitest'
import { loudnessOf, readBlocks } from './loudness.ts'

const steady = (lufs: number, seconds: number) => Array<number>(seconds * 10).fill(lufs)

test('reads what ffmpeg prints, with silence as no loudness', () => {
  const printed =
    'frame:0 pts:0\nlavfi.r128.M=-120.691\nframe:1\nlavfi.r128.M=-23.046\nx\nlavfi.r128.M=nan\n'
  expect(readBlocks(printed)).toEqual([-120.691, -23.046, Number.NEGATIVE_INFINITY])
})

test('steady sound is as loud as each of its blocks', () => {
  expect(loudnessOf(steady(-23, 10))).toBeCloseTo(-23)
})

test('pauses are not counted, neither silent ones nor quiet ones', () => {
  expect(loudnessOf([...steady(-20, 5), ...steady(-120, 5)])).toBeCloseTo(-20)
  expect(loudnessOf([...steady(-20, 5), ...steady(-45, 5)])).toBeCloseTo(-20)
})

test('silence has no loudness', () => {
  expect(loudnessOf(steady(-120, 3))).toBe(Number.NEGATIVE_INFINITY)
  expect(loudnessOf([])).toBe(Number.NEGATIVE_INFINITY)
})

test('a span holds only the blocks within it', () => {
  const blocks = [...steady(-40, 2), ...steady(-10, 2), ...steady(-40, 2)]
  expect(loudnessOf(blocks, { start: 2, end: 4 })).toBeCloseTo(-10)
  expect(loudnessOf(blocks, { start: 0, end: 2 })).toBeCloseTo(-40)
})

test.each([0.05, 0.1, 0.3])('a span of %d s has the loudness around it', (length) => {
  const blocks = [...steady(-40, 2), ...steady(-10, 2)]
  expect(loudnessOf(blocks, { start: 3, end: 3 + length })).toBeCloseTo(-10)
})
