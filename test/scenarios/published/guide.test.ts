// The gateway's own guide: pages for people, and for the first call, which works without internet.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { shareGatewayOfWorker } from '#test/harness.ts'
import { matching } from '../../docs/doors/printed.ts'

const shared = shareGatewayOfWorker()

test('each document is a page and a text, and each link leads to a page and a heading of it', async () => {
  const gateway = shared()
  const contents = await gateway.request('GET', '/docs/')
  expect(contents.headers.get('content-type')).toBe('text/html; charset=utf-8')
  const addresses = [...contents.body.matchAll(/href="(\/docs\/[^"]+)"/g)].map(([, to]) => to)
  expect(addresses).toContain('/docs/use')
  /** The headings that documents link to, by the path of their page, with the documents. */
  const wanted = new Map<string, Map<string, string>>()
  for (const address of addresses) {
    const page = await gateway.request('GET', address)
    expect(page.status, address).toBe(200)
    for (const [, link] of page.body.matchAll(/href="(?![a-z]+:)([^"]+)/g)) {
      const { pathname, hash } = new URL(link, new URL(address, gateway.url))
      // The gateways of tests have no console, and a nightly test follows the links of every page.
      if (/^\/(console|docs\/actions)\b/.test(pathname)) continue
      const headings = wanted.get(pathname) ?? new Map()
      wanted.set(pathname, headings.set(hash.slice(1), `${address} -> ${link}`))
    }
  }
  for (const [pathname, headings] of wanted) {
    const { status, body } = await gateway.request('GET', pathname)
    for (const [heading, from] of headings) {
      expect(status, from).toBe(200)
      if (heading !== '') expect(body.includes(`id="${heading}"`), from).toBe(true)
    }
  }
  expect((await gateway.request('GET', '/docs/use.md')).body).toMatch(/^# Calling a gateway/)
  expect((await gateway.request('GET', '/docs/nothing')).status).toBe(404)
})

test('the first call reads a page of the guide without internet, and cannot read other addresses of the gateway', async () => {
  const gateway = shared()
  const account = await gateway.account(100)
  const read = (...urls: string[]) => account.call('tollway/onescrape', { urls })
  const reply = await read(`${gateway.url}/docs/use`)
  expect(reply.status).toBe(200)
  expect(reply.body.data.rows[0]).toMatchObject({
    title: expect.stringContaining('Calling a gateway'),
    provider: 'fetch',
  })
  expect(reply.body.data.rows[0].content).toContain('Every action is `POST /api/run')
  expect(reply.body.charged_cents).toBe(2)
  const others = [
    '/docs/use?x=1',
    '/docs/use/',
    '/docs/../healthz',
    '/docs/use.md',
    '/healthz',
    '/api/v1/admin/health',
    '/',
  ]
  for (const other of others) {
    const refused = await read(gateway.url + other)
    expect(refused.body, other).toMatchObject({ error: 'bad_url', ok: false })
  }
  for (const origin of [gateway.url.replace('127.0.0.1', 'localhost'), 'http://127.0.0.1:1']) {
    expect((await read(`${origin}/docs/use`)).body.error).toBe('bad_url')
  }
})

const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8')

test('about two fifths of the actions run without any key, as the README says', async () => {
  const catalog = await shared().request('GET', '/api/run')
  const actions = catalog.body.actions as { service: string; mode: string }[]
  const ours = actions.filter(({ service }) => service !== 'test')
  const running = ours.filter(({ mode }) => mode !== 'unavailable')
  expect(readme).toContain('About two fifths of the actions run without any key')
  expect(Math.round((5 * running.length) / ours.length)).toBe(2)
})

test('the call in the README returns the answer in the README', async () => {
  const gateway = shared()
  const account = await gateway.account(1_000)
  const here = (text: string) => text.replaceAll('http://127.0.0.1:4020', gateway.url)
  const [, action = '', body = ''] =
    /curl \S+\/api\/run\/(\S+) [\s\S]*?-d '(.+)'/.exec(readme) ?? []
  const [, answer = ''] = /```json\n([\s\S]+?)```/.exec(readme) ?? []
  const reply = await account.call(action, JSON.parse(here(body)))
  expect(reply.body).toMatchObject(matching(JSON.parse(here(answer))))
})
