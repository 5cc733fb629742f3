import { expect, test } from 'vitest'
import { readSeal, sealFromText, sealToText } from './seal.ts'

test('a seal keeps its maker, its model and its data', () => {
  const seal = {
    maker: 'gemini',
    model: 'google/x',
    id: 'call:0',
    data: 'a.b=',
    hidden: true,
  } as const
  expect(readSeal(sealToText(seal))).toEqual(seal)
})

test.each(['EqQBCkYICxgCKkA', 'tollway.', 'tollway.e30.x', 'tollway.%%%.x', ''])(
  '%j is the seal of the wire that it came from',
  (text) => {
    expect(readSeal(text)).toBeUndefined()
    expect(sealFromText(text, 'anthropic')).toEqual({ maker: 'anthropic', data: text })
  },
)
