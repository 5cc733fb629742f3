import fc from 'fast-check'
import { expect, test } from 'vitest'
import { linksAsFootnotes } from './footnotes.ts'
import { takePortion } from './portion.ts'
import { estimateTokens } from './tokens.ts'

function portionsOf(text: string, tokensMax: number) {
  const portions: string[] = []
  for (let offset: number | null = 0; offset !== null; ) {
    const portion = takePortion(text, { tokensMax, offset })
    portions.push(portion.text)
    expect(portion.nextOffset ?? Number.POSITIVE_INFINITY).toBeGreaterThan(offset)
    offset = portion.nextOffset
  }
  return portions
}

const paragraph = 'The river ran past the old mill, and the miller counted his sacks of flour.'

test('a text that fits is one portion', () => {
  expect(takePortion(paragraph, { tokensMax: 100, offset: 0 })).toEqual({
    text: paragraph,
    nextOffset: null,
  })
})

test('portions end between blocks and together are the text', () => {
  const text = Array.from({ length: 9 }, (_, number) => `${number}. ${paragraph}`).join('\n\n')
  const portions = portionsOf(text, 60)
  expect(portions.length).toBeGreaterThan(2)
  expect(portions.join('\n\n')).toBe(text)
  for (const portion of portions) expect(portion).toMatch(/^\d\. .*flour\.$/s)
})

test.each([
  ['a listing', '```js\nconst one = 1\n\nconst two = 2\n\nconst three = 3\n```'],
  ['a table', '| Year | Sacks |\n| --- | --- |\n| 1801 | 90 |\n| 1802 | 95 |'],
])('%s is not torn', (_name, block) => {
  const text = `${paragraph}\n\n${block}\n\n${paragraph}`
  const tokensMax = estimateTokens(`${paragraph}\n\n${block}`) - 1
  expect(portionsOf(text, tokensMax)[1]).toContain(block)
})

test('a block that is too long alone ends after a line, or after a word', () => {
  const lines = Array.from({ length: 40 }, () => '- a sack of flour').join('\n')
  for (const portion of portionsOf(lines, 50)) expect(portion).toMatch(/^- .*flour$/s)
  for (const portion of portionsOf(paragraph.repeat(5), 20)) expect(portion).not.toMatch(/^\s|\s$/)
})

test('any text comes whole in portions of any size, and a portion is within its size', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', 'word ', '\n', '\n\n', '```\n', '日', '😀'),
    maxLength: 200,
  })
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 30 }), (whole, tokensMax) => {
      const portions = portionsOf(whole, tokensMax)
      expect(portions.join('').replace(/\s/g, '')).toBe(whole.replace(/\s/g, ''))
      for (const portion of portions)
        if ([...portion].length > 1) expect(estimateTokens(portion)).toBeLessThanOrEqual(tokensMax)
    }),
  )
})

test('the shape of a portion counts', () => {
  const text = Array.from(
    { length: 6 },
    (_, n) => `[mill](https://a.example/${n}) ${paragraph}`,
  ).join('\n\n')
  const { text: shaped } = takePortion(text, { tokensMax: 120, offset: 0, shape: linksAsFootnotes })
  expect(shaped).toContain('[1]: https://a.example/0')
  expect(estimateTokens(shaped)).toBeLessThanOrEqual(120)
})
