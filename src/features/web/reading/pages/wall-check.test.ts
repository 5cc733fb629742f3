// A page that is sold is a page: not a wall, not a bare notice of one, and not an empty document.
import { afterAll, expect, test } from 'vitest'
import { createPageWorkers } from './page-workers.ts'
import { createWallCheck } from './wall-check.ts'

const workers = createPageWorkers({ threads: 1 })
afterAll(() => workers.close())
const isWall = createWallCheck(workers)
const url = 'https://example.com/a'
const judge = (body: string, status: number | null = null) => isWall({ body, status, url })

const moment = 'Just a moment...'
test.each([
  ['nothing', ''],
  ['white space', ' \n\t'],
  ['an empty document', '<html><head></head><body></body></html>'],
  ['an empty document of a browser', '<!DOCTYPE html><html><head></head><body>\n</body></html>'],
  ['a notice in the title', `<html><head><title>${moment}</title></head><body></body></html>`],
  ['a notice in title and text', `<title>${moment}</title><body>${moment}</body>`],
  [
    'a notice with an ellipsis',
    '<html><head><title>Just a moment…</title></head><body></body></html>',
  ],
  ['a notice as text', moment],
  ['a notice as Markdown', `# ${moment}`],
  [
    'a notice with its script',
    `<html><head><title>${moment}</title></head><body><noscript>Enable JavaScript and cookies to continue</noscript><script src="/cdn-cgi/challenge-platform/h/b.js"></script></body></html>`,
  ],
])('%s is not sold', async (_name, body) => {
  expect(await judge(body)).toBe(true)
  expect(await judge(body, 200)).toBe(true)
})

test.each([
  ['a short page', '<title>Status</title><body><p>All systems are running.</p></body>', 200],
  ['data', '{"price": 12}', 200],
  ['a page that is gone', '<p>Gone</p>', 404],
  [
    'an application that scripts fill',
    '<title>Shop</title><body><div id="root"></div><script src="/app.js"></script></body>',
    200,
  ],
])('%s is sold', async (_name, body, status) => {
  expect(await judge(body, status)).toBe(false)
})
