import fc from 'fast-check'
import { expect, test } from 'vitest'
import { citationsIn, pagesFound } from './citations.ts'

const page = 'https://en.wikipedia.org/wiki/Red_Cross'
const other = 'https://example.org/a'
const pages = new Map([
  [page, 'Red Cross'],
  [other, 'A'],
  [`${other}/b_(c)`, 'B'],
])
/** What a caller marks in the text. */
const marked = (text: string) =>
  citationsIn(text, pages).map(({ url, title, start_index, end_index }) => [
    pages.get(url) === title ? url : title,
    [...text].slice(start_index, end_index).join(''),
  ])

test.each([
  [`It began in Geneva ([Red Cross](${page})).`, [[page, `[Red Cross](${page})`]]],
  [`See ${page}. Then go.`, [[page, page]]],
  [
    `😀 [one](${other}), [two](${other} "A") 😀`,
    [
      [other, `[one](${other})`],
      [other, `[two](${other} "A")`],
    ],
  ],
  [
    `<${other}>, **${page}**`,
    [
      [other, other],
      [page, page],
    ],
  ],
  [`[b](${other}/b_(c))`, [[`${other}/b_(c)`, `[b](${other}/b_(c))`]]],
  [`At the end: ${other}`, [[other, other]]],
  [`[${other}](${other})`, [[other, `[${other}](${other})`]]],
])('%s', (text, expected) => {
  expect(marked(text)).toEqual(expected)
})

test.each([
  'The Red Cross began in Geneva.',
  `${page}_Society`,
  `${page}?action=edit`,
  `${page},_Geneva`,
  'https://en.wikipedia.org/wiki/Red',
  '[Red Cross](https://elsewhere.org/wiki/Red_Cross)',
])('%s cites nothing that was found', (text) => {
  expect(citationsIn(text, pages)).toEqual([])
})

test('a citation is always a piece of the text with the address that was found', () => {
  const piece = fc.constantFrom(page, other, `[a](${page})`, '😀', ' ', ').', '[', '](', 'x', '\n')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const text = pieces.join('')
      for (const { url, start_index, end_index } of citationsIn(text, pages))
        expect([...text].slice(start_index, end_index).join('')).toContain(url)
    }),
  )
})

test('pages are those of searches that have ended', () => {
  const found = { type: 'web_search_call', results: [{ url: page, title: 'Red Cross' }] }
  const items = [
    { ...found, status: 'completed' },
    { ...found, status: 'failed', results: [{ text: 'The tool failed.' }] },
    { type: 'message', status: 'completed', results: [{ url: other, title: 'A' }] },
  ]
  expect([...pagesFound(items)]).toEqual([[page, 'Red Cross']])
})
