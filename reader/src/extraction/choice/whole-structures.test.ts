import { expect, test } from 'vitest'
import { readBody } from '../../read-body.ts'

const paragraph = (number: number) =>
  `<p>In the ${number}th year of the mill the wheel was taken off its axle, and the bearings, which had run dry in the summer, were cleaned and put back before the first rye came in from the fields.</p>`

function read(main: string): string {
  const body = `<title>The wheel | Mill</title><nav><ul><li><a href="/">Home</a></li><li><a href="/prices">Prices</a></li></ul></nav><main><h1>The wheel</h1>${main}</main><footer><p>© Mill Street 3</p></footer>`
  const page = { kind: 'html', body, finalUrl: 'https://mill.example/wheel' } as const
  return readBody(page, { format: 'markdown', mainContent: true }).content
}

const article = (paragraphs: number) =>
  Array.from({ length: paragraphs }, (_each, index) => paragraph(index + 3)).join('')

const structures: readonly (readonly [string, string, readonly string[]])[] = [
  [
    'a table of two rows',
    '<table><tr><th>Stone</th><th>Load</th><th>Year</th></tr><tr><td>Upper</td><td>12.40 kg</td><td>1911</td></tr></table>',
    ['| Stone | Load | Year |', '| Upper | 12.40 kg | 1911 |'],
  ],
  [
    'a list of data',
    '<dl><dt>Stones</dt><dd>4.20 kg</dd><dt>Wheel</dt><dd>31,50 m²</dd><dt>Dam</dt><dd>88.10 MW</dd></dl>',
    ['Stones', '4.20 kg', 'Wheel', '31,50 m²', 'Dam', '88.10 MW'],
  ],
  [
    'a list of labels',
    '<ul><li>Harbour</li><li>Valley ferry</li><li>Orchard</li></ul>',
    ['- Harbour', '- Valley ferry', '- Orchard'],
  ],
  [
    'an address with its telephone number',
    '<p>Ada Brandt<br>Orchard Street 12<br>48143 Münster<br>Tel. +49 251 123456</p>',
    ['Orchard Street 12', 'Tel. +49 251 123456'],
  ],
]

test.each(structures)('%s is read whole after the last paragraph', (_name, html, pieces) => {
  const content = read(`${article(6)}${html}`)
  expect(pieces.filter((piece) => !content.includes(piece))).toEqual([])
  expect(content).not.toContain('© Mill')
})

test.each([120, 600, 1_500])('an article of %i paragraphs is read to its end', (paragraphs) => {
  const content = read(article(paragraphs))
  expect(content.match(/In the \d+th year/g)).toHaveLength(paragraphs)
  expect(content).not.toContain('Prices')
})
