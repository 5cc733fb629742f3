import { expect, test } from 'vitest'
import { linksAsFootnotes } from './footnotes.ts'

test('links become numbered references, one number for each address', () => {
  const text =
    'See [the map](https://a.example/map) and [the *dam*](https://a.example/dam "Dam").\n\nThe [map](https://a.example/map) again.'
  expect(linksAsFootnotes(text)).toBe(
    'See [the map][1] and [the *dam*][2].\n\nThe [map][1] again.\n\n[1]: https://a.example/map\n[2]: https://a.example/dam',
  )
})

test.each([
  ['no link', 'Nothing leads away from here.'],
  ['a picture', '![A mill](https://a.example/mill.png)'],
  ['inline code', 'Write `[text](address)` for a link.'],
  ['a listing', '```md\n[text](https://a.example/)\n```'],
  ['a bracket', 'An array [1, 2](see below) of numbers'],
])('%s stays as it is', (_name, text) => {
  expect(linksAsFootnotes(text)).toBe(text)
})

test.each([
  [
    'a linked picture',
    '[![Mill](https://a.example/m.png)](https://a.example/)',
    '[![Mill](https://a.example/m.png)][1]',
  ],
  ['parentheses in the address', '[Mill](https://a.example/Mill_(Bath))', '[Mill][1]'],
  ['an escaped bracket', '[a \\] b](https://a.example/)', '[a \\] b][1]'],
])('%s is a link too', (_name, text, shaped) => {
  expect(linksAsFootnotes(text).split('\n')[0]).toBe(shaped)
})

test('hostile lines take linear time', () => {
  for (const hostile of ['![', '[', '[![](', '`', '[a](('])
    expect(linksAsFootnotes(hostile.repeat(100_000))).toHaveLength(hostile.length * 100_000)
})
