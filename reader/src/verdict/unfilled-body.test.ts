// A page that its script has yet to fill can have any number of words in its header and footer.
import { expect, test } from 'vitest'
import { seePage } from '../page/see-page.ts'
import { surveyPage } from '../page/survey.ts'
import { judgePage } from './verdict.ts'

const menu = `<header><a href="/">Bolts</a><nav>${'<a href="/x">One of the categories</a> '.repeat(20)}</nav></header>`
const footer = `<footer>${'<p>Bolts, nuts and washers for workshops since 1954, sent to all of Europe.</p>'.repeat(8)}</footer>`
const framed = (body: string) =>
  `<title>Orders</title><script src="/app.js"></script><div id="__next">${menu}${body}${footer}</div>`

function judge(html: string, rendered = false) {
  const survey = surveyPage(seePage(html))
  const reply = {
    kind: 'html',
    status: 200,
    headers: {},
    finalUrl: 'https://bolts.example/',
  } as const
  return judgePage({ ...reply, html, survey, rendered })
}

test.each([
  ['loading words', '<main><h1>Orders</h1><p>Loading your orders…</p></main>'],
  ['a spinner', '<div class="spinner"></div>'],
  ['a heading alone', '<h1>Price list</h1>'],
  [
    'empty cards',
    `<h1>Our bolts</h1><p>The right one for each of your projects.</p>${'<div class="card"></div>'.repeat(8)}`,
  ],
  [
    'a row that waits',
    '<h1>Stations</h1><p>Levels of all rivers, every minute, as they come in.</p><table><tr><td>Loading...</td></tr></table>',
  ],
  ['a template', '<h1>{{ title }}</h1><div><h2>{{ post.title }}</h2><p>{{ post.body }}</p></div>'],
  ['a frame that a script fills', '<h1>Opening hours</h1><iframe id="hours"></iframe>'],
])('%s between menu and footer is not read', (_name, body) => {
  expect(judge(framed(body))).toMatchObject({ read: false, kind: 'skeleton' })
})

test.each([
  [
    'a notice',
    '<main><h1>Closed</h1><p>The shop is closed on Monday and Tuesday for stocktaking. We are back on Wednesday at eight.</p></main>',
  ],
  [
    'a page about templates',
    '<h1>Interpolation</h1><p>Two braces on each side mark a field, as in {{ message }}; the property of that name takes its place.</p><pre>{{ message }}</pre>',
  ],
])('%s between menu and footer is read', (_name, body) => {
  expect(judge(framed(body))).toMatchObject({ read: true })
})

test('what a browser has rendered is as full as it gets', () => {
  expect(judge(framed('<h1>Price list</h1>'), true)).toMatchObject({ read: true })
})
