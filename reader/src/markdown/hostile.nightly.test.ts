import { expect, test } from 'vitest'
import { readBody } from '../read-body.ts'

const repeat = (text: string, count: number) => text.repeat(count)
const pages: readonly (readonly [string, string])[] = [
  ['paragraphs', repeat('<p>a b', 190_000)],
  ['rows', `<table>${repeat('<tr><td>a<td>b', 60_000)}`],
  ['cells in a row', `<table><tr>${repeat('<td>a', 150_000)}`],
  ['fences in a listing', `<pre>${repeat('``` a ', 600_000)}</pre>`],
  ['backticks in code', `<code>${repeat('` a', 1_000_000)}</code>`],
  ['deep quotations', repeat('<blockquote>', 120) + repeat('some words<br>', 50_000)],
  ['deep lists', repeat('<ul><li>', 60) + repeat('some words<br>', 50_000)],
  ['items', `<ul>${repeat('<li>a', 190_000)}`],
  ['cards', repeat('<a href=x><h3>a</h3><p>b</p></a>', 30_000)],
  ['definitions', `<dl>${repeat('<dt>a<dd>b', 90_000)}`],
  ['nested listings', repeat('<table><tr><td>1<td><pre>', 30) + repeat('a\n', 500_000)],
  ['formulas', repeat('<math><mi>x</mi></math>', 50_000)],
  ['marks', `<p>${repeat('*_`[<&~\\', 300_000)}`],
  ['blanks', `<p>${repeat(' \n', 1_000_000)}x`],
  ['dashes', `<p>${repeat('- ', 1_000_000)}`],
]

test.each(pages)('%s: no crash, no hang', (_name, body) => {
  const page = { kind: 'html', body, finalUrl: 'https://example.com/' } as const
  expect(readBody(page, { format: 'markdown', mainContent: false }).content).not.toBe('')
})
