import { expect, test } from 'vitest'
import { readBody } from './read-body.ts'

const paragraph = (number: number) =>
  `<p>In the ${number}th year of the mill the wheel was taken off its axle, and the bearings, which had run dry in the summer, were cleaned and put back before the first rye came in from the fields.</p>`

test.each([120, 600, 1_500])('an article of %i paragraphs is read to its end', (count) => {
  const paragraphs = Array.from({ length: count }, (_each, index) => paragraph(index + 3)).join('')
  const body = `<title>The wheel | Mill</title><nav><ul><li><a href="/">Home</a></li><li><a href="/prices">Prices</a></li></ul></nav><main><h1>The wheel</h1>${paragraphs}</main><footer><p>© Mill Street 3</p></footer>`
  const page = { kind: 'html', body, finalUrl: 'https://mill.example/wheel' } as const
  const { content } = readBody(page, { format: 'markdown', mainContent: true })
  expect(content.match(/In the \d+th year/g)).toHaveLength(count)
  expect(content).not.toMatch(/Prices|Mill Street/)
})
