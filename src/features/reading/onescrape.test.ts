import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Action, Hop } from '#core/action.ts'
import { anonymous } from '#core/caller.ts'
import { CallError } from '#core/errors.ts'
import type { Log } from '#core/ports.ts'
import { quotePrice } from '#core/price.ts'
import { systemClock } from '#platform/clock.ts'
import { createEgressGuard } from '#platform/egress/guard.ts'
import { type LoopbackServer, serve } from '#platform/egress/loopback.fixture.ts'
import { createRenderers } from './browsers/renderers.ts'
import { createReading, type Reading } from './reading.ts'

const log: Log = { debug() {}, info() {}, warn() {}, error() {} }
const words = 'The river ran past the old mill and the miller counted his sacks of flour. '.repeat(
  8,
)

let server: LoopbackServer
let reading: Reading
let onescrape: Action

beforeAll(async () => {
  server = await serve((incoming, response) => {
    const send = (type: string, body: string | Buffer, headers = {}) =>
      void response.writeHead(200, { 'content-type': type, ...headers }).end(body)
    const answers: Record<string, () => void> = {
      '/article': () =>
        send(
          'text/html',
          `<title>Mill</title><nav><a href="/">Home</a></nav><article><h1>Mill</h1><p>${words}</p><p><a href="map">map</a></p></article>`,
        ),
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
  const guard = createEgressGuard({ allow: [server.host], lookup: async () => [] })
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
    signal: AbortSignal.timeout(10_000),
    record: (hop: Hop) => hops.push(hop),
    available: () => false,
  })
  // biome-ignore lint/suspicious/noExplicitAny: what the schema promises is asserted below.
  return { output: onescrape.output.parse(output) as any, hops }
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

test('html and the whole page can be had', async () => {
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

test('data asked for as html is given as the text that it is', async () => {
  const { output } = await call(['/api'], { format: 'html' })
  expect(output.rows[0]).toMatchObject({ content: '{"sacks":90}', format: 'text' })
})

test('rows keep their order; those not read say so and the rest are given', async () => {
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
    { content: null, error: 'blocked', quality_flags: ['thin_content'] },
    { content: null, error: 'blocked' },
    { content: null, error: 'blocked', final_url: null },
  ])
  expect(output.next).toContain('/gone answered with status 404')
  expect(output.next).toContain('nowhere.example has no address')
  expect(output.next).toContain('tollway/onescrape-deep')
})

test('a rung that could not be used is shown with its reason', async () => {
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

test('when no page was read the call fails, with the rows for diagnosis', async () => {
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
  {},
])('%j does not fit the schema', (body) => {
  expect(onescrape.input.safeParse(body).success).toBe(false)
})
