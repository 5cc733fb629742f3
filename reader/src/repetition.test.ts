import { expect, test } from 'vitest'
import { readBody } from './read-body.ts'

const menu = '<nav><ul><li><a href="/">Home</a></li><li><a href="/docs">Docs</a></li></ul></nav>'
const footer = '<footer><p>© 2026 Mill Software. <a href="/terms">Terms</a></p></footer>'

function readPage(main: string): string {
  const body = `<title>Mill</title>${menu}<main><h1>Mill</h1>${main}</main>${footer}`
  const page = { kind: 'html', body, finalUrl: 'https://mill.example/page' } as const
  return readBody(page, { format: 'markdown', mainContent: true }).content
}

const numbers = (count: number) => Array.from({ length: count }, (_each, index) => index + 1)
const occurrences = (text: string, piece: string) => text.split(piece).length - 1

test('a changelog keeps each release, however alike they are', () => {
  const fixes =
    'This release contains bug fixes and performance improvements, and updates dependencies.'
  const releases = numbers(10).map((number) => `<h2>Version 2.${number}.0</h2><p>${fixes}</p>`)
  const content = readPage(releases.join(''))
  for (const number of numbers(10)) expect(content).toContain(`Version 2.${number}.0`)
  expect(occurrences(content, fixes)).toBe(10)
})

test('each of eight similar paragraphs stays', () => {
  const paragraph = (number: number) =>
    `Chapter ${number} of the manual explains how the wheel is taken off its axle, how the bearings are cleaned, and how the wheel is put back.`
  const content = readPage(
    numbers(8)
      .map((number) => `<p>${paragraph(number)}</p>`)
      .join(''),
  )
  for (const number of numbers(8)) expect(content).toContain(paragraph(number))
})

test('the refrain of a poem stays after each verse', () => {
  const refrain = 'Turn, wheel, turn, while the river runs to sea.'
  const verse = (number: number) =>
    `<p>In the ${number}th year of the water<br>the miller sang to his daughter:<br>${refrain}</p>`
  const content = readPage(numbers(6).map(verse).join(''))
  expect(occurrences(content, refrain)).toBe(6)
})

test('equal rows of a table stay', () => {
  const rows = numbers(12).map(
    (number) => `<tr><td>${number} May</td><td>The mill is open from nine to five</td></tr>`,
  )
  const head = '<tr><th>Day</th><th>Hours</th></tr>'
  const intro = '<p>These are the opening hours of the mill in May, when visitors are welcome.</p>'
  const content = readPage(`${intro}<table>${head}${rows.join('')}</table>`)
  expect(occurrences(content, 'The mill is open from nine to five')).toBe(12)
})
