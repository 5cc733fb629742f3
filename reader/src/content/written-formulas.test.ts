import { expect, test } from 'vitest'
import { writeMarkdown } from '../markdown/blocks.ts'
import { seePage } from '../page/see-page.ts'
import { buildContent } from './content-tree.ts'

const markdown = (html: string) =>
  writeMarkdown(buildContent(seePage(html), {}), 'https://mill.example/')
const script = '<script src="https://cdn.example/mathjax/tex-chtml.js"></script>'

test.each([
  ['in the line', '<p>Let \\(a_{i}*b\\) be it.', 'Let $a_{i}*b$ be it.'],
  [
    'on its own',
    '<p>So \\[ \\int_0^1 f\\,dt = \\{y\\} \\] holds.',
    'So\n\n$$\\int_0^1 f\\,dt = \\{y\\}$$\n\nholds.',
  ],
  ['between dollars', '<p>$$a_1 < b_1 &lt; c$$', '$$a_1 < b_1 < c$$'],
  [
    'an environment',
    '<p>\\begin{align} a_1 &amp;= b \\\\ c &amp;= d \\end{align}',
    '$$\\begin{align} a_1 &= b \\\\ c &= d \\end{align}$$',
  ],
  ['one letter', '<li>for \\(n\\) sacks', '- for $n$ sacks'],
])('a formula in the text stays as TeX: %s', (_name, html, expected) => {
  expect(markdown(html)).toBe(expected)
})

test.each([
  ['brackets of an expression', '<p>\\(foo\\) and \\[0\\]', '\\\\(foo\\\\) and \\\\[0\\\\]'],
  ['a name of shells', '<p>echo $$ and $$', 'echo $$ and $$'],
  ['prices', '<p>from $5 to $6 a sack_of_flour', 'from $5 to $6 a sack_of_flour'],
  ['code', '<p><code>\\(a_i\\)</code>', '`\\(a_i\\)`'],
  ['a listing', '<pre>\\[a_i\\] $$b_i$$</pre>', '```\n\\[a_i\\] $$b_i$$\n```'],
  ['no end', '<p>\\(a_i and \\(b_i', '\\\\(a_i and \\\\(b_i'],
])('what only looks like one is text: %s', (_name, html, expected) => {
  expect(markdown(html)).toBe(expected)
})

test('a page with a script for formulas says what they are', () => {
  expect(markdown(`${script}<p>\\(foo\\) for $5 and $6`)).toBe('$foo$ for $5 and $6')
  const setting =
    "<script>MathJax = { tex: { inlineMath: [['$', '$'], ['\\\\(', '\\\\)']] } }</script>"
  expect(markdown(`${setting}<p>$x_i*y_i$ for $5 and \\$6`)).toBe('$x_i*y_i$ for $5 and \\\\$6')
})

test('the TeX that MathJax 4 notes is taken', () => {
  const formula = '<mjx-container><mjx-math data-latex="x_i^2"></mjx-math></mjx-container>'
  expect(markdown(`<p>Let ${formula} be it.`)).toBe('Let $x_i^2$ be it.')
})

test.each([
  ['openings', '\\('.repeat(500_000)],
  ['environments', '\\begin{a}'.repeat(200_000)],
  ['dollars', '$a '.repeat(500_000)],
])('many %s without end: no hang', (_name, text) => {
  seePage(text)
  expect(markdown(`<p>${text}`)).not.toBe('')
})
