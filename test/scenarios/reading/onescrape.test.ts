// Page reading through the door: what it costs, what it refuses, what it says of pages that it could not read.
import { createServer } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { portOf } from '#platform/http/port.ts'
import {
  shareGateway,
  shareGatewayOfWorker,
  type TestAccount,
  timelineOf,
  verify,
} from '#test/harness.ts'

const paragraph =
  '<p>Every account in these books is the sum of its postings, and every posting has its opposite.</p>'
const pages: Record<string, { status?: number; type?: string; body: string }> = {
  '/article': {
    body: `<title>On books</title><nav><a href="/">Home</a></nav><main><h1>On books</h1>${paragraph.repeat(9)}</main>`,
  },
  '/wall': {
    body: '<title>Just a moment...</title><div id="cf-challenge-running">Checking your browser before accessing</div>',
  },
  '/late.pdf-in-disguise': { type: 'application/pdf', body: '%PDF-1.7 …' },
}

async function serveSite() {
  const visited: string[] = []
  const server = createServer((request, reply) => {
    visited.push(request.url ?? '')
    const page = pages[request.url ?? ''] ?? { status: 404, body: '<h1>Not found</h1>' }
    reply
      .writeHead(page.status ?? 200, { 'content-type': page.type ?? 'text/html; charset=utf-8' })
      .end(page.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { origin: `http://127.0.0.1:${portOf(server)}`, visited }
}

// What browsers do with pages is shown in the slow suite.
const reading = shareGateway({
  env: { EGRESS_ALLOW: '127.0.0.0/8', CHROMIUM_PATH: '/nowhere/chromium' },
})

async function setUp() {
  const site = await serveSite()
  const gateway = reading()
  const account = await gateway.account(100)
  const scrape = (body: object, by: TestAccount = account) => by.call('tollway/onescrape', body)
  return { site, gateway, account, scrape }
}

describe('tollway/onescrape', () => {
  test('reads a page with its main content, for 2¢, and tells its hops', async () => {
    const { site, gateway, account, scrape } = await setUp()
    const { body } = await scrape({ urls: [`${site.origin}/article`] })
    expect(body).toMatchObject({ ok: true, charged_cents: 2, balance_remaining_cents: 98 })
    const [row] = body.data.rows
    expect(row).toMatchObject({
      url: `${site.origin}/article`,
      final_url: `${site.origin}/article`,
      title: 'On books',
      format: 'markdown',
      quality_flags: [],
      hard: false,
      hops: [{ provider: 'fetch', ok: true, charged_cents: 0, latency_ms: expect.any(Number) }],
    })
    expect(row.content).toContain('Every account in these books')
    expect(row.content).not.toContain('Home')
    expect(row.chars).toBe(row.content.length)
    expect(row.yield).toBeGreaterThan(0.5)
    expect(await timelineOf(account, body.transaction_id)).toEqual(['hold', 'hop', 'settle'])
    expect(await verify(gateway)).toMatchObject({ ok: true })
  })

  test('charges for each address once, however it is spelt, and keeps the order', async () => {
    const { site, scrape } = await setUp()
    const host = site.origin.replace('http://', 'HTTP://')
    const { body } = await scrape({
      urls: [`${site.origin}/article`, `${host}/article#top`, `${site.origin}/nowhere`],
    })
    expect(body).toMatchObject({
      charged_cents: 4,
      data: { url_count: 2, row_count: 2, read_count: 1 },
    })
    expect(body.data.rows.map((row: { error?: string }) => row.error)).toEqual([
      undefined,
      'not_found',
    ])
  })

  test('a wall with status 200 is not a read: 502 all_blocked, free, with the hops', async () => {
    const { site, account, scrape } = await setUp()
    const reply = await scrape({ urls: [`${site.origin}/wall`] })
    expect(reply.status).toBe(502)
    expect(reply.body).toMatchObject({ ok: false, error: 'all_blocked' })
    expect(reply.body.data.rows[0]).toMatchObject({
      content: null,
      error: 'blocked',
      quality_flags: ['blocked'],
    })
    expect(await account.state()).toEqual({ availableCents: 100, heldCents: 0, transactions: 1 })
  })

  const refusals = [
    {
      title: 'a social platform',
      urls: ['https://www.linkedin.com/in/somebody'],
      error: 'onescrape_social',
    },
    {
      title: 'a document by its extension',
      urls: ['https://example.com/report.PDF'],
      error: 'onescrape_document',
    },
    { title: 'a file address', urls: ['file:///etc/passwd'], error: 'bad_url' },
    { title: 'no address', urls: ['not an address'], error: 'bad_url' },
    {
      title: 'a private address',
      urls: ['http://169.254.169.254/latest/meta-data'],
      error: 'bad_url',
    },
    { title: 'a decimal spelling of loopback', urls: ['http://2130706433/'], error: 'bad_url' },
    { title: 'no addresses', urls: [], error: 'bad_request' },
    {
      title: 'six addresses',
      urls: ['a.com', 'b.com', 'c.com', 'd.com', 'e.com', 'f.com'],
      error: 'bad_request',
    },
    {
      title: 'one bad address among good ones',
      urls: ['https://example.com', 'javascript:alert(1)'],
      error: 'bad_url',
    },
  ]
  const shared = shareGatewayOfWorker()
  test.each(refusals)('refuses $title: 400 $error, nothing held', async ({ urls, error }) => {
    const account = await shared().account(100)
    const reply = await account.call('tollway/onescrape', { urls })
    expect(reply.status).toBe(400)
    expect(reply.body).toMatchObject({ ok: false, error })
    expect(await account.state()).toEqual({ availableCents: 100, heldCents: 0, transactions: 0 })
  })

  test('refuses a document that only its content type tells: 400, free', async () => {
    const { site, account, scrape } = await setUp()
    const reply = await scrape({ urls: [`${site.origin}/late.pdf-in-disguise`] })
    expect(reply.status).toBe(400)
    expect(reply.body.error).toBe('onescrape_document')
    expect(await account.state()).toMatchObject({ availableCents: 100, heldCents: 0 })
  })
})
