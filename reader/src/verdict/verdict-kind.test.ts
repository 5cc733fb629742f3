// The kind of a verdict tells the caller what came instead of the page.
import { expect, test } from 'vitest'
import { seePage } from '../page/see-page.ts'
import { surveyPage } from '../page/survey.ts'
import { judgePage } from './verdict.ts'

const page = (title: string, body: string) => `<title>${title}</title><body>${body}</body>`

test.each([
  ['content', 200, page('Mill', `<p>${'The wheel turns again. '.repeat(9)}</p>`)],
  ['empty', 200, page('', '')],
  [
    'javascript_required',
    200,
    page('Shop', '<div id="root"></div><script src="/app.js"></script>'),
  ],
  [
    'skeleton',
    200,
    page(
      'Team',
      `<h1>Team directory</h1><p>Find a colleague by name or place, on any day.</p>${'<p class="skeleton"></p>'.repeat(4)}`,
    ),
  ],
  ['redirect', 200, '<meta http-equiv="refresh" content="0;url=/next"><p>One moment</p>'],
  [
    'not_found',
    200,
    page(
      'Page not found',
      '<h1>Page not found</h1><p>Sorry, the page you requested does not exist.</p>',
    ),
  ],
  ['not_found', 404, page('Shop', '<p>Nothing here.</p>')],
  ['error', 500, page('Shop', '<p>Oh.</p>')],
  [
    'maintenance',
    200,
    page('Maintenance', '<h1>Scheduled maintenance</h1><p>We will be back shortly.</p>'),
  ],
  ['parked', 200, page('mill.example', '<h1>This domain is for sale</h1><p>Buy this domain.</p>')],
  [
    'login',
    200,
    page(
      'Log in',
      '<h1>Log in</h1><p>Please log in to continue to this page.</p><form><input type="password"></form>',
    ),
  ],
  [
    'paywall',
    200,
    page('The wheel', '<p>Subscribe to continue reading.</p><p>Already a subscriber? Log in</p>'),
  ],
  ['restricted', 451, page('Shop', '<p>Unavailable for legal reasons.</p>')],
  [
    'bot_wall',
    200,
    page(
      'Access denied',
      '<h1>Access denied</h1><p>Your request was blocked by our security service.</p>',
    ),
  ],
  [
    'captcha',
    200,
    page(
      'Are you human?',
      '<h1>Verify that you are human</h1><p>Please solve the captcha to continue.</p>',
    ),
  ],
  ['rate_limited', 429, page('Shop', '<p>Slow down.</p>')],
  [
    'queue',
    200,
    page(
      'Waiting room',
      '<h1>You are now in line</h1><p>Your estimated wait time is 5 minutes. Please wait in the queue.</p>',
    ),
  ],
] as const)('%s, status %s', (kind, status, html) => {
  const finalUrl = 'https://shop.example/p/1'
  const survey = surveyPage(seePage(html))
  const verdict = judgePage({ kind: 'html', html, status, headers: {}, finalUrl, survey })
  expect(verdict).toMatchObject({ kind, read: kind === 'content' })
})
