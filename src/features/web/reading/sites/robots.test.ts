import { expect, test } from 'vitest'
import { crawlDelayMsMax, parseRobots } from './robots.ts'

const site = 'https://example.com'
const rules = (...lines: string[]) => parseRobots(['User-agent: *', ...lines].join('\n'))
const judge = (text: string, path: string) => parseRobots(text).allows(`${site}${path}`)

test.each([
  // The table of RFC 9309, section 2.2.3, and of Google's documentation of the same rules.
  ['/fish', '/fish.html', true],
  ['/fish', '/fish/salmon', true],
  ['/fish', '/fishheads?id=any', true],
  ['/fish', '/Fish.asp', false],
  ['/fish', '/catfish', false],
  ['/fish*', '/fish', true],
  ['/fish/', '/fish', false],
  ['/fish/', '/fish/?id=any', true],
  ['/*.php', '/folder/filename.php?parameters', true],
  ['/*.php', '/windows.PHP', false],
  ['/*.php$', '/filename.php', true],
  ['/*.php$', '/filename.php5', false],
  ['/*.php$', '/a.php/b.php', true],
  ['/fish*.php', '/fishheads/catfish.php?p', true],
  ['/fish*.php', '/Fish.PHP', false],
  ['*/private', '/very/private', true],
  ['/a$', '/a', true],
  ['/a$', '/a/', false],
  ['/*a*a$', '/a', false],
  ['/foo/bar?baz=http://foo.bar', '/foo/bar?baz=http://foo.bar', true],
  ['/foo/bar/ツ', '/foo/bar/%E3%83%84', true],
  ['/foo/bar/%E3%83%84', '/foo/bar/ツ', true],
  ['/foo/bar/%62%61%7A', '/foo/bar/baz', true],
  ['/foo/bar/%e3%83%84', '/foo/bar/%E3%83%84', true],
  ['/%2A', '/*', true],
  ['/%2A', '/a', false],
  ['/%24x', '/$x', true],
  ['/$x', '/$x', true],
  ['/a%3Cd', '/a<d', true],
  ['fish', '/fish', false],
  ['', '/fish', false],
])('Disallow: %s applies to %s: %s', (pattern, path, applies) => {
  expect(rules(`Disallow: ${pattern}`).allows(`${site}${path}`)).toBe(!applies)
})

test('the longest match counts, and of two as long the one that allows', () => {
  const robots = rules(
    'Disallow: /a',
    'Allow: /a/b',
    'Disallow: /a/b/c',
    'Disallow: /x',
    'Allow: /x',
  )
  const allowed = ['/a', '/a/b', '/a/b/c/d', '/x', '/'].filter((path) =>
    robots.allows(`${site}${path}`),
  )
  expect(allowed).toEqual(['/a/b', '/x', '/'])
  expect(rules('Disallow: /', 'Allow: /$').allows(site)).toBe(true)
  expect(rules('Disallow: /').allows(`${site}/robots.txt`)).toBe(true)
})

test('our own groups count together and instead of those for everyone', () => {
  const text = `
    User-Agent: Tollway/2.0 # the gateway
    Disallow: /a
    User-agent: *
    Disallow: /
    user-agent : other
    Sitemap: /s.xml
    USER-AGENT: TOLLWAY
    disallow: /b`
  const open = ['/a', '/b', '/c'].filter((path) => judge(text, path))
  expect(open).toEqual(['/c'])
  expect(judge('User-agent: TollwayNot\nDisallow: /', '/')).toBe(true)
  expect(judge('User-agent: *\nUser-agent: x\nDisallow: /', '/')).toBe(false)
})

test('a group for us without a rule allows everything', () => {
  expect(judge('User-agent: *\nDisallow: /\nUser-agent: Tollway\nDisallow:', '/a')).toBe(true)
})

test.each([
  ['Crawl-delay: 1.5', 1_500],
  ['Crawl-delay: 0', 0],
  ['Crawl-delay: 3600', crawlDelayMsMax],
  ['Crawl-delay: Infinity', crawlDelayMsMax],
  ['Crawl-delay: soon', undefined],
  ['Crawl-delay: -1', undefined],
  ['Crawl-delay:', undefined],
  ['Disallow: /', undefined],
])('%s means %s ms', (line, delayMs) => {
  expect(rules(line).crawlDelayMs).toBe(delayMs)
})

test('a delay ends the list of agents that it is for', () => {
  expect(judge('User-agent: *\nCrawl-delay: 1\n\nUser-agent: bad\nDisallow: /', '/')).toBe(true)
})

test('sitemaps are listed once each, in any group', () => {
  const text =
    '\ufeffSitemap: https://example.com/1.xml\r\nUser-agent: x\r\nsitemap:/2.xml\rSitemap:/2.xml'
  expect(parseRobots(text).sitemaps).toEqual(['https://example.com/1.xml', '/2.xml'])
  const many = Array.from({ length: 1_000 }, (_, index) => `Sitemap: /${index}`).join('\n')
  expect(parseRobots(many).sitemaps).toHaveLength(50)
})

test('an HTML page in its place allows everything', () => {
  const html = '<!doctype html><title>Not: found</title><style>a{disallow:/}</style>'
  expect(judge(html, '/a')).toBe(true)
})

test.each([
  ['many agents', `${'user-agent:a\n'.repeat(20_000)}${'disallow:/x\n'.repeat(20_000)}`],
  [
    'many rules',
    `user-agent:*\n${Array.from({ length: 40_000 }, (_, n) => `allow:/${n}\n`).join('')}`,
  ],
  ['many stars', `user-agent:*\n${`allow:/${'*a'.repeat(100)}b\n`.repeat(2_300)}`],
  [
    'many patterns that nearly match',
    `user-agent:*\n${Array.from({ length: 480 }, (_, n) => `allow:/*b${'a'.repeat(980)}${n}\n`).join('')}`,
  ],
])('%s are judged in no time', (_title, text) => {
  const url = `${site}/${'a'.repeat(2_000)}`
  const robots = parseRobots(text)
  for (let round = 0; round < 5; round += 1) robots.allows(url)
  expect(robots.size).toBeLessThan(600_000)
})

test('with the stars used up, rules err on the side of the site', () => {
  const used = `Disallow: /a*${'x'.repeat(10_000)}`
  const robots = rules(used, 'Disallow: /shop/*?sort=', 'Allow: /shop/*/open', 'Disallow: /b')
  const allowed = ['/shop/1', '/shop/1/open', '/b', '/c'].filter((path) =>
    robots.allows(`${site}${path}`),
  )
  expect(allowed).toEqual(['/c'])
})
