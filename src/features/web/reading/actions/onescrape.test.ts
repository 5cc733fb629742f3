import { createServer as createTlsServer } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Action, Hop } from '#core/action.ts'
import { anonymous } from '#core/caller.ts'
import { CallError } from '#core/errors.ts'
import type { Log } from '#core/ports.ts'
import { quotePrice } from '#core/price.ts'
import type { UntypedJson } from '#core/replies/untyped-json.ts'
import { systemClock } from '#platform/clock.ts'
import { createEgressGuard } from '#platform/egress/guard.ts'
import { type LoopbackServer, serve } from '#platform/egress/loopback.fixture.ts'
import { portOf } from '#platform/http/port.ts'
import { createRenderers } from '../browsers/renderers.ts'
import { createReading, type Reading } from '../reading.ts'

const log: Log = { debug() {}, info() {}, warn() {}, error() {} }
const words = 'The river ran past the old mill and the miller counted his sacks of flour. '.repeat(
  8,
)

/** It has no certificate, so no handshake with it succeeds. */
const insecure = createTlsServer()
let insecureUrl: string
let server: LoopbackServer
let reading: Reading
let onescrape: Action

beforeAll(async () => {
  insecure.on('tlsClientError', () => {})
  await new Promise<void>((resolve) => insecure.listen(0, '127.0.0.1', resolve))
  const insecureHost = `127.0.0.1:${portOf(insecure)}`
  insecureUrl = `https://${insecureHost}/`
  server = await serve((incoming, response) => {
    const send = (type: string, body: string | Buffer, headers = {}) =>
      void response.writeHead(200, { 'content-type': type, ...headers }).end(body)
    const answers: Record<string, () => void> = {
      '/article': () =>
        send(
          'text/html',
          `<title>Mill</title><nav><a href="/">Home</a></nav><article><h1>Mill</h1><p>${words} See the <a href="map">map</a>.</p></article>`,
        ),
      '/who': () => {
        const { authorization, cookie, 'accept-language': language } = incoming.headers
        const told = { authorization, cookie, language, agent: incoming.headers['user-agent'] }
        send('application/json', JSON.stringify(told))
      },
      '/away': () =>
        void response.writeHead(302, { location: `http://localhost:${server.port}/who` }).end(),
      '/slow': () => {},
      '/described': () =>
        send(
          'text/html',
          `<html lang="en-GB"><title>Mill</title><link rel="canonical" href="/canonical">
           <meta name="description" content="How a mill counts."><meta name="author" content="Ada Miller">
           <meta property="og:site_name" content="Mill News"><meta property="og:image" content="/wheel.png">
           <meta property="article:published_time" content="2026-03-04T05:06:07Z">
           <meta property="article:modified_time" content="2026-05-06"><h1>Mill</h1><p>${words}</p>`,
        ),
      '/chapters': () => {
        const years = [1801, 1802, 1803, 1804, 1805, 1806]
        const chapters = years.map(
          (year) => `<h2>${year}</h2><p>In <a href="/${year}">${year}</a>: ${words}</p>`,
        )
        send('text/html', `<title>Mill</title><h1>Mill</h1>${chapters.join('')}`)
      },
      '/gzip': () =>
        send('text/html', gzipSync(`<title>Zip</title><p>${words}</p>`), {
          'content-encoding': 'gzip',
        }),
      '/sjis': () =>
        send(
          'text/html; charset=shift_jis',
          Buffer.from([
            ...Buffer.from('<title>J</title><p>'),
            ...Array(30).fill([0x93, 0xfa, 0x96, 0x7b]).flat(),
          ]),
        ),
      '/long': () =>
        send(
          'text/html',
          Array.from(
            { length: 6_000 },
            (_each, index) => `<p>Sack ${index} of the mill. ${'It held rye. '.repeat(80)}</p>`,
          ).join(''),
        ),
      '/frameset': () =>
        send(
          'text/html',
          '<title>Docs</title><frameset><frame src="menu"><frame src="main"></frameset>',
        ),
      '/menu': () => send('text/html', '<a href="/docs/mill">Mill</a>'),
      '/main': () => send('text/html', `<h1>Mill</h1><p>${words}</p><a href="docs/dam">dam</a>`),
      '/framed': () =>
        send(
          'text/html',
          `<title>Rye</title><h1>Rye</h1><iframe src="/main"></iframe><iframe src="http://10.0.0.1/"></iframe>
           <iframe src="http://other.example/"></iframe><iframe src="/inwards"></iframe><iframe src="/gone"></iframe>
           <iframe src="/framed"></iframe>`,
        ),
      '/inwards': () => void response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
      '/moved': () => void response.writeHead(301, { location: '/article' }).end(),
      '/wall': () =>
        send('text/html', '<title>Just a moment...</title><script>window._cf_chl_opt={}</script>'),
      '/shell': () => send('text/html', '<div id="root"></div><script src="a.js"></script>'),
      '/api': () => send('application/json', '{"sacks":90}'),
      '/problem': () => send('application/problem+json; charset=utf-8', '{"title":"No such sack"}'),
      '/sitemap': () => send('text/xml', '<urlset><url><loc>/a</loc></url></urlset>'),
      '/rss': () =>
        send(
          'application/rss+xml',
          '<rss><channel><title>Mill</title><item><title>Rye</title><link>/rye</link></item></channel></rss>',
        ),
      '/rss-as-html': () =>
        send(
          'text/html',
          '<?xml version="1.0"?><!-- made by hand --><rss><channel><title>Mill</title><item><title>Rye</title><link>/rye</link></item></channel></rss>',
        ),
      '/xhtml': () =>
        send(
          'application/xml',
          `<?xml version="1.0"?><!DOCTYPE html><html><title>X</title><p>${words}</p></html>`,
        ),
      '/atom': () =>
        send(
          'text/xml; charset=utf-8',
          '<feed><title>Mill</title><entry><title>Rye</title><link href="/rye"/></entry></feed>',
        ),
      '/feed.json': () =>
        send(
          'application/feed+json',
          '{"version":"https://jsonfeed.org/version/1.1","title":"Mill","items":[{"title":"Rye","url":"/rye"}]}',
        ),
      '/notes.md': () => send('text/markdown', '# Notes\n\nninety sacks'),
      '/plain': () => send('text/plain', 'ninety sacks of flour'),
      '/picture': () => send('image/png', Buffer.from([0x89, 0x50])),
      '/report': () => send('application/pdf', '%PDF-1.7'),
      '/hidden-report': () => send('application/octet-stream', '%PDF-1.7'),
      '/said-twice': () =>
        void response
          .writeHead(200, ['content-type', 'text/html', 'content-type', 'text/html'])
          .end(`<title>Mill</title><h1>Mill</h1><p>${words}</p>`),
      '/bare': () => void response.writeHead(200).end(`<html><p>${words}</p></html>`),
    }
    const answer = answers[incoming.url ?? '']
    if (answer) answer()
    else
      response
        .writeHead(404, { 'content-type': 'text/html' })
        .end('<title>404 Not Found</title><h1>Not Found</h1>')
  })
  const guard = createEgressGuard({
    allow: [server.host, insecureHost, `localhost:${server.port}`],
    lookup: async (name) => (name === 'localhost' ? ['127.0.0.1'] : []),
  })
  reading = createReading({
    guard,
    renderers: createRenderers({
      guard,
      clock: systemClock,
      log,
      chromiumPath: '/nowhere/chromium',
    }),
    clock: systemClock,
    log,
    ownNamespace: 'tollway',
    userAgent: 'Tollway',
  })
  onescrape = reading.actions[0] as Action
})

afterAll(async () => {
  await reading.close()
  insecure.close()
  await server.close()
})

async function call(urls: string[], fields: object = {}) {
  const input = onescrape.input.parse({
    urls: urls.map((url) => (url.startsWith('/') ? server.origin + url : url)),
    ...fields,
  })
  onescrape.check?.(input)
  const hops: Hop[] = []
  const run = onescrape.run as (context: object) => Promise<never>
  const output = await run({
    input,
    caller: anonymous,
    signal: AbortSignal.timeout(30_000),
    record: (hop: Hop) => hops.push(hop),
    available: () => false,
  })
  return { output: onescrape.output.parse(output) as UntypedJson, hops }
}

test('a page is read as markdown of its main content', async () => {
  const { output, hops } = await call(['/article'])
  expect(output).toMatchObject({
    url_count: 1,
    row_count: 1,
    read_count: 1,
    format: 'markdown',
    hard: false,
  })
  expect(output).not.toHaveProperty('next')
  const url = `${server.origin}/article`
  expect(output.rows).toEqual([
    {
      id: url,
      url,
      final_url: url,
      title: 'Mill',
      content: expect.stringContaining('miller counted'),
      format: 'markdown',
      chars: output.rows[0].content.length,
      tokens: expect.any(Number),
      word_count: expect.any(Number),
      metadata: expect.objectContaining({ description: null, author: null }),
      status_code: 200,
      content_type: 'text/html',
      provider: 'fetch',
      yield: expect.any(Number),
      quality_flags: [],
      hops,
      hard: false,
      charged_cents: 0,
    },
  ])
  expect(output.rows[0].content).toContain(`[map](${server.origin}/map)`)
  expect(output.rows[0].content).not.toContain('Home')
  expect(output.calls).toEqual([{ url, ...hops[0] }])
})

test('a caller can have HTML, and the whole page', async () => {
  const { output } = await call(['/article'], { format: 'html', main_content: false })
  expect(output.rows[0].content).toContain(`<a href="${server.origin}/">Home</a>`)
  expect(output.rows[0]).toMatchObject({ format: 'html' })
})

test.each([
  ['/gzip', { title: 'Zip', format: 'markdown' }],
  ['/sjis', { content: expect.stringContaining('日本'), format: 'markdown' }],
  ['/moved', { final_url: expect.stringContaining('/article'), title: 'Mill' }],
  ['/api', { content: '```json\n{"sacks":90}\n```', format: 'markdown' }],
  ['/problem', { content: '```json\n{"title":"No such sack"}\n```', format: 'markdown' }],
  ['/sitemap', { content: expect.stringMatching(/^```xml\n<urlset>/), format: 'markdown' }],
  [
    '/rss',
    { content: expect.stringMatching(/^# Mill\n\n## \[Rye\]\(http:.*\/rye\)/), title: 'Mill' },
  ],
  [
    '/atom',
    { content: expect.stringMatching(/^# Mill\n\n## \[Rye\]\(http:.*\/rye\)/), title: 'Mill' },
  ],
  ['/rss-as-html', { content: expect.stringContaining('## [Rye](http') }],
  ['/xhtml', { title: 'X', content: expect.stringContaining('miller') }],
  ['/feed.json', { content: expect.stringMatching(/^# Mill\n\n## \[Rye\]\(http:.*\/rye\)/) }],
  ['/notes.md', { content: '# Notes\n\nninety sacks', format: 'markdown' }],
  ['/plain', { content: 'ninety sacks of flour', format: 'text' }],
  ['/said-twice', { title: 'Mill', format: 'markdown' }],
  ['/bare', { content: expect.stringContaining('miller'), format: 'markdown' }],
])('%s is read', async (path, row) => {
  expect((await call([path])).output.rows[0]).toMatchObject({ provider: 'fetch', ...row })
})

test('a row says what the page says about itself', async () => {
  const { output } = await call(['/described'])
  expect(output.rows[0]).toMatchObject({
    metadata: {
      description: 'How a mill counts.',
      author: 'Ada Miller',
      published_time: '2026-03-04T05:06:07Z',
      modified_time: '2026-05-06',
      language: 'en-GB',
      site_name: 'Mill News',
      canonical_url: `${server.origin}/canonical`,
      image: `${server.origin}/wheel.png`,
    },
    status_code: 200,
    content_type: 'text/html',
    word_count: expect.any(Number),
  })
})

test('several forms of a page come at once, and content is in the format that was asked for', async () => {
  const formats = ['markdown', 'html', 'links', 'images']
  const { output } = await call(['/article'], { formats, main_content: false })
  const [row] = output.rows
  expect(row.content).toContain(`[map](${server.origin}/map)`)
  expect(row).not.toHaveProperty('markdown')
  expect(row.html).toContain(`<a href="${server.origin}/map">map</a>`)
  expect(row.links).toEqual([
    { url: `${server.origin}/`, text: 'Home' },
    { url: `${server.origin}/map`, text: 'map' },
  ])
  expect(row.images).toEqual([])
  const html = (await call(['/article'], { formats, format: 'html', main_content: false })).output
  expect(html.rows[0]).toMatchObject({ content: row.html, markdown: row.content })
  const plain = (await call(['/plain'], { formats })).output
  expect(plain.rows[0]).toMatchObject({ content: 'ninety sacks of flour', links: [], images: [] })
})

test('selectors choose what is returned, and a page without the elements is not read', async () => {
  const { output } = await call(['/article'], { include_selectors: ['article > h1'] })
  expect(output.rows[0].content).toBe('# Mill')
  const without = await call(['/article'], { exclude_selectors: ['h1'], main_content: false })
  expect(without.output.rows[0].content).not.toContain('# Mill')
  await expect(call(['/article'], { include_selectors: ['.nothing'] })).rejects.toMatchObject({
    code: 'all_blocked',
    message: expect.stringContaining('no element that matches include_selectors'),
  })
})

const secrets = { headers: { authorization: 'Bearer mine' }, cookies: { session: 'mine-too' } }

test('a page is asked for with the headers, cookies, language and device of the caller', async () => {
  const options = { ...secrets, language: 'de', country: 'CH', mobile: true, format: 'html' }
  const { output } = await call(['/who'], options)
  expect(JSON.parse(output.rows[0].content)).toEqual({
    authorization: 'Bearer mine',
    cookie: 'session=mine-too',
    language: 'de-CH,de;q=0.9,en;q=0.8',
    agent: expect.stringContaining('Mobile Safari'),
  })
})

test('headers and cookies of the caller are not sent to where the page redirects', async () => {
  const { output } = await call(['/away'], { ...secrets, format: 'html' })
  expect(output.rows[0].final_url).toContain('localhost')
  const told = JSON.parse(output.rows[0].content)
  expect(told).not.toHaveProperty('authorization')
  expect(told).not.toHaveProperty('cookie')
})

test('a rung that lacks what the caller wants is skipped with the reason', async () => {
  const hopsOf = async (fields: object) => {
    const failure = await call(['/shell'], fields).catch((thrown: CallError) => thrown)
    const { rows } = (failure as CallError).data as { rows: { hops: Hop[] }[] }
    return rows[0]?.hops.map(({ provider, skipped }) => [provider, skipped])
  }
  expect(await hopsOf(secrets)).toContainEqual(['ns_render_b', 'headers'])
  expect(await hopsOf(secrets)).toContainEqual(['chromium', 'headers'])
  const waiting = await hopsOf({ wait_for: '#root p' })
  expect(waiting).toContainEqual(['fetch', 'wait_selector'])
  expect(waiting).toContainEqual(['ns_render_b', 'wait_selector'])
  expect(await hopsOf({ wait_for: 500 })).toContainEqual(['browser_fetch', 'wait'])
})

test('a page has the time that the caller gives it', async () => {
  await expect(call(['/slow'], { timeout_ms: 1_000 })).rejects.toMatchObject({
    code: 'all_blocked',
    message: expect.stringContaining('could not be read in time'),
    data: {
      rows: [
        {
          hops: expect.arrayContaining([
            expect.objectContaining({ provider: 'fetch', ok: false }),
            expect.objectContaining({ provider: 'browser_fetch', skipped: 'deadline' }),
          ]),
        },
      ],
    },
  })
})

test('a token budget cuts between blocks, and the next call goes on from there', async () => {
  const whole = (await call(['/chapters'])).output.rows[0]
  expect(whole).not.toHaveProperty('next_offset')
  const parts: string[] = []
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const { output } = await call(['/chapters'], { max_tokens: 250, offset })
    const [row] = output.rows
    expect(row.tokens).toBeLessThanOrEqual(250)
    expect(row.chars).toBe(row.content.length)
    parts.push(row.content)
    offset = row.next_offset
  }
  expect(parts.length).toBeGreaterThan(2)
  expect(parts.join('\n\n')).toBe(whole.content)
})

test('links can be footnotes, and tokens and words count what is returned', async () => {
  const inline = (await call(['/chapters'])).output.rows[0]
  const { output } = await call(['/chapters'], { link_style: 'footnotes' })
  const [row] = output.rows
  expect(row.content).toContain('In [1801][1]: The river')
  expect(row.content.endsWith(`[6]: ${server.origin}/1806`)).toBe(true)
  expect(row.word_count).toBeGreaterThanOrEqual(inline.word_count)
  expect(row.tokens).not.toBe(inline.tokens)
})

test.each([
  [{ format: 'html', max_tokens: 100 }, 'are for Markdown'],
  [{ format: 'html', link_style: 'footnotes' }, 'are for Markdown'],
  [{ urls: ['https://a.example/', 'https://b.example/'], offset: 5 }, 'belongs to one page'],
])('%j is refused before anything is fetched', (fields, message) => {
  const input = onescrape.input.parse({ urls: ['https://a.example/'], ...fields })
  expect(() => onescrape.check?.(input)).toThrow(message)
})

test('JSON that is asked for as html is returned as text', async () => {
  const { output } = await call(['/api'], { format: 'html' })
  expect(output.rows[0]).toMatchObject({ content: '{"sacks":90}', format: 'text' })
})

test('rows keep their order, and each unread one says why', async () => {
  const { output } = await call([
    '/wall',
    '/article',
    '/gone',
    '/picture',
    'https://nowhere.example/',
  ])
  expect(output).toMatchObject({ row_count: 5, read_count: 1 })
  expect(output.rows).toMatchObject([
    { content: null, error: 'blocked', quality_flags: ['blocked'], chars: 0, provider: null },
    { provider: 'fetch' },
    { content: null, error: 'not_found', quality_flags: ['thin_content'] },
    { content: null, error: 'not_a_page' },
    { content: null, error: 'dns', final_url: null },
  ])
  expect(output.rows[2].message).toContain(
    '/gone answered that there is no such page (status 404).',
  )
  expect(output.next).toContain('nowhere.example has no address')
  expect(output.next).toContain(`Retry on tollway/onescrape-deep: ${server.origin}/wall.`)
  expect(output.next).toContain(`Check the address: ${server.origin}/gone.`)
  expect(output.next).toContain(`Leave out, because no rung can read it: ${server.origin}/picture.`)
})

test.each(['/frameset', '/framed'])(
  '%s is read with what its frames of the same site show',
  async (path) => {
    const before = server.hits.length
    const { output } = await call([path], { main_content: false })
    expect(output.rows[0]).toMatchObject({ provider: 'fetch' })
    expect(output.rows[0].content).toContain('miller counted')
    expect(output.rows[0].content).toContain(`[dam](${server.origin}/docs/dam)`)
    expect(server.hits.slice(before).filter((hit) => hit === `GET ${path}`)).toHaveLength(1)
  },
)

test('a redirect to a private address is refused, and no other rung follows it', async () => {
  const { output } = await call(['/inwards', '/article'])
  expect(output.rows[0]).toMatchObject({
    error: 'redirect_refused',
    message: expect.stringContaining('/inwards redirects to an address that is not read.'),
  })
  expect(output.rows[0].hops.at(-1)).toMatchObject({ skipped: 'redirect_refused' })
})

test('a site whose TLS is not valid is told from one that does not answer', async () => {
  const { output } = await call([insecureUrl, '/article'])
  expect(output.rows[0]).toMatchObject({ error: 'tls' })
  expect(output.next).toContain(`Only the site can repair this: ${insecureUrl}.`)
})

test('of a page beyond the size limit the beginning is read', async () => {
  const { output } = await call(['/long'])
  expect(output.rows[0]).toMatchObject({ truncated: true, provider: 'fetch' })
  expect(output.rows[0].content).toContain('Sack 0 of')
})

test('a rung that is not available is shown with the reason', async () => {
  const { output } = await call(['/shell', '/article'])
  expect(output.rows[0].hops).toMatchObject([
    { provider: 'fetch', ok: false },
    { provider: 'ns_semantic', action: 'contents', skipped: 'not_configured' },
    { provider: 'chromium', skipped: expect.stringContaining('/nowhere/chromium') },
    { provider: 'chromium_whole', skipped: expect.stringContaining('is not installed') },
    { provider: 'ns_render_b', skipped: 'not_configured' },
    { provider: 'ns_render_a', skipped: 'not_configured' },
    { provider: 'browser_fetch', action: 'get', ok: false },
    { provider: 'ns_resi', skipped: 'not_configured' },
  ])
})

test('a call that reads no page fails, with its rows for diagnosis', async () => {
  const failure = await call(['/wall', '/shell']).catch((thrown: unknown) => thrown)
  expect(failure).toBeInstanceOf(CallError)
  expect(failure).toMatchObject({
    code: 'all_blocked',
    status: 502,
    data: { read_count: 0, rows: [{ content: null }, { content: null }] },
  })
})

test.each(['/report', '/hidden-report'])('%s turns out to be a document', async (path) => {
  await expect(call(['/article', path])).rejects.toMatchObject({
    code: 'onescrape_document',
    status: 400,
    data: { next: expect.stringContaining('read-document') },
  })
})

test.each([
  ['bad_url', 'not a url'],
  ['bad_url', 'http://169.254.169.254/'],
  ['onescrape_social', 'https://x.com/a'],
  ['onescrape_document', 'https://example.com/a.pdf'],
])('%s is thrown by the check, before anything is held or fetched', (code, url) => {
  const before = server.hits.length
  const input = onescrape.input.parse({ urls: [`${server.origin}/article`, url] })
  expect(() => onescrape.check?.(input)).toThrow(expect.objectContaining({ code, status: 400 }))
  expect(server.hits).toHaveLength(before)
})

test.each([
  [['https://a.com/'], 20_000],
  [['a.com', 'https://a.com/#x', 'HTTPS://A.com:443'], 20_000],
  [['a.com', 'b.com', 'c.com', 'd.com', 'e.com'], 100_000],
])('%j is quoted by the distinct page', (urls, micros) => {
  expect(quotePrice(onescrape.price, onescrape.input.parse({ urls }))).toEqual({
    kind: 'exact',
    micros,
  })
})

test.each([
  { urls: [] },
  { urls: Array(6).fill('a.example') },
  { urls: 'a.example' },
  { urls: ['a.example'], format: 'pdf' },
  { urls: ['a.example'], hard: true },
  { urls: ['a.example'], max_tokens: 49 },
  { urls: ['a.example'], formats: ['pdf'] },
  { urls: ['a.example'], wait_for: 10_001 },
  { urls: ['a.example'], wait_for: 'p:hover' },
  { urls: ['a.example'], timeout_ms: 999 },
  { urls: ['a.example'], timeout_ms: 25_001 },
  { urls: ['a.example'], language: 'de_CH' },
  { urls: ['a.example'], country: 'CHE' },
  { urls: ['a.example'], headers: { host: 'b.example' } },
  { urls: ['a.example'], headers: { 'Content-Length': '5' } },
  { urls: ['a.example'], headers: { 'x y': '1' } },
  { urls: ['a.example'], headers: { x: 'a\r\nhost: b.example' } },
  {
    urls: ['a.example'],
    headers: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`x${n}`, ''])),
  },
  { urls: ['a.example'], cookies: { a: 'b; c=d' } },
  { urls: ['a.example'], cookies: { a: 'x'.repeat(4_001) } },
  { urls: ['a.example'], include_selectors: ['p:first-child'] },
  { urls: ['a.example'], exclude_selectors: Array(11).fill('p') },
  { urls: ['a.example'], exclude_selectors: ['p >'] },
  { urls: ['a.example'], max_tokens: 200_001 },
  { urls: ['a.example'], offset: -1 },
  { urls: ['a.example'], link_style: 'none' },
  {},
])('%j does not fit the schema', (body) => {
  expect(onescrape.input.safeParse(body).success).toBe(false)
})
