import { expect, test } from 'vitest'
import { createEgressGuard } from '#platform/egress/guard.ts'
import { isSocial, normalizeUrl, readUrls } from './intake.ts'

const guard = createEgressGuard({ allow: ['intranet', '127.0.0.1:8080'] })
const code = (name: string) => expect.objectContaining({ name: 'CallError', code: name })

test.each([
  ['example.com', 'https://example.com/'],
  ['  example.com/a ', 'https://example.com/a'],
  ['//example.com/a', 'https://example.com/a'],
  ['example.com:8443/a', 'https://example.com:8443/a'],
  ['HTTP://Example.COM:80/A?b=1&a=2#c', 'http://example.com/A?b=1&a=2'],
  ['https://user:secret@example.com/', 'https://example.com/'],
  ['https://example.com./x', 'https://example.com/x'],
  ['https://münchen.example/straße', 'https://xn--mnchen-3ya.example/stra%C3%9Fe'],
  ['https://example.com//a//b/', 'https://example.com//a//b/'],
  ['https://example.com/?utm_source=x&q=%20', 'https://example.com/?utm_source=x&q=%20'],
])('%s means %s', (input, url) => {
  expect(normalizeUrl(input)).toBe(url)
})

test.each([
  '',
  '   ',
  'hello world',
  'localhost',
  'localhost:3000',
  'ftp://example.com/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'data:text/html,hi',
  'mailto:somebody@example.com',
  'somebody@example.com',
  'index.html',
  'report.txt',
  'http://',
  'https://exa mple.com/',
  'http://10.0.0.1/',
  'http://127.0.0.1/',
  'http://localhost/',
  'http://2130706433/',
  'http://0177.1/',
  'http://[::1]/',
  'http://169.254.169.254/latest/',
  'https://example.com:22/',
  `https://example.com/${'a'.repeat(3_000)}`,
])('"%s" is refused as no web address, by name', (input) => {
  const thrown = (() => {
    try {
      return readUrls(['https://example.com/', input], guard)
    } catch (error) {
      return error
    }
  })()
  expect(thrown).toEqual(code('bad_url'))
  expect(String(thrown)).toContain(`"${input.slice(0, 200)}`)
})

test('an address that the operator allowed is read', () => {
  expect(readUrls(['http://127.0.0.1:8080/', 'http://intranet/'], guard)).toHaveLength(2)
})

test('duplicates collapse in order of first appearance', () => {
  const inputs = ['b.com', 'https://a.com/#x', 'HTTPS://B.com/', 'a.com']
  expect(readUrls(inputs, guard)).toEqual(['https://b.com/', 'https://a.com/'])
})

test.each([
  'https://www.facebook.com/somebody',
  'https://m.facebook.com/x',
  'x.com/somebody/status/1',
  'https://mobile.twitter.com/x',
  'https://www.linkedin.com/in/x',
  'https://de.linkedin.com/in/x',
  'https://youtu.be/abc',
  'https://old.reddit.com/r/x',
  'https://www.pinterest.co.uk/x',
  'https://somebody.tumblr.com/',
  'https://t.me/x',
  'https://bloggers.facebook.com/x',
  'https://mastodon.social/@ada',
  'https://truthsocial.com/@ada',
  'https://www.douyin.com/video/1',
  'https://www.xiaohongshu.com/explore/1',
  'https://m.ok.ru/profile/1',
  'https://space.bilibili.com/1',
])('%s is refused as social', (url) => {
  expect(() => readUrls([url], guard)).toThrow(code('onescrape_social'))
})

test.each([
  'https://developers.facebook.com/docs',
  'https://about.instagram.com/blog',
  'https://help.x.com/en',
  'https://engineering.linkedin.com/',
  'https://netflix.com/',
  'https://dropbox.com/',
  'https://facebook.com.example.org/',
  'https://notreddit.com/',
])('%s is not', (url) => {
  expect(isSocial(new URL(url).hostname)).toBe(false)
})

test.each([
  'a.pdf',
  'a.PDF',
  'report.docx?download=1',
  'x/y.xlsx#page',
  'a.pptx',
  'a.odt',
  'a.rtf',
  'a%20b.pdf',
])('%s is refused as a document', (path) => {
  expect(() => readUrls([`https://example.com/${path}`], guard)).toThrow(code('onescrape_document'))
})

test.each([
  'wiki/File:Report.pdf',
  'view?file=a.pdf',
  'a.pdf/',
  'pdf',
  'a.html',
  'keynote',
  'v1.2',
])('%s is a page', (path) => {
  expect(readUrls([`https://example.com/${path}`], guard)).toHaveLength(1)
})
