import { expect, test } from 'vitest'
import { replayAction } from '#test/run-action.ts'
import { resi } from '../provider.ts'

const everything = {
  url: 'https://example.com/a?b=c&d=e',
  browser: true,
  wait_for_selector: '#ready',
  js_snippet: btoa('window.scrollTo(0, 1e4)'),
  timeout: 5,
  cookies: 'a=1;b=2',
  return_page_source: false,
}

test.each([
  ['scrape', '/general', 'datacenter'],
  ['scrape_residential', '/general', 'residential'],
  ['markdown', '/markdown', 'datacenter'],
])('%s asks for %s through the %s pool, with every parameter', async (action, path, proxy_type) => {
  const { output, error } = await replayAction(resi, action, {
    exchanges: [
      {
        request: {
          method: 'GET',
          path,
          query: {
            ...everything,
            browser: 'true',
            timeout: '5',
            return_page_source: 'false',
            proxy_country: 'DE',
            proxy_type,
          },
        },
        reply: { status: 200, body: { url: everything.url, markdown: '# Hi' } },
      },
    ],
    input: { ...everything, proxy_country: 'de' },
  })
  expect(error).toBeUndefined()
  expect(output).toEqual(
    action === 'markdown'
      ? { url: everything.url, markdown: '# Hi' }
      : { raw: JSON.stringify({ url: everything.url, markdown: '# Hi' }), status_code: null },
  )
})

test('the status of the page’s own server is returned', async () => {
  const { output } = await replayAction(resi, 'scrape', {
    exchanges: [
      {
        request: {
          method: 'GET',
          path: '/general',
          query: { url: 'https://example.com/', browser: 'false', proxy_type: 'datacenter' },
        },
        reply: { status: 200, headers: { 'ant-page-status-code': '404' }, text: '<p>Gone</p>' },
      },
    ],
    input: { url: 'example.com', browser: false },
  })
  expect(output).toEqual({ raw: '<p>Gone</p>', status_code: 404 })
})

test.each([
  ['scrape', '/general', {}, '', 'all_blocked'],
  ['scrape', '/general', {}, '  ', 'all_blocked'],
  ['extract', '/extract', { extract_properties: 'title' }, {}, 'upstream_error'],
  ['extract', '/extract', { extract_properties: 'title' }, [], 'upstream_error'],
])('%s: an empty reply is not a page: %s %o %o', async (action, path, more, body, code) => {
  const url = 'https://example.com/'
  const query = { url, browser: 'true', proxy_type: 'datacenter', ...more }
  const reply = typeof body === 'string' ? { status: 200, text: body } : { status: 200, body }
  const { error } = await replayAction(resi, action, {
    exchanges: [{ request: { method: 'GET', path, query }, reply }],
    input: { url, ...more },
  })
  expect(error).toMatchObject({ code })
})
