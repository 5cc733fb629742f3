// A site audit reads the page with its head: through the vendor of proxies where there is one, or by this machine.
import { createServer } from 'node:http'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { portOf } from '#platform/http/port.ts'
import { shareGateway, startGateway } from '#test/harness.ts'
import { startReplayServer } from '#test/replay-server.ts'

const audit = { endpoint: 'site-audit', url: 'https://example.com/' }

test('with ns_resi the page is audited, for the price of its endpoint', async () => {
  const html =
    '<html><head><title>Tea</title></head><body><h1>Tea</h1><img src="a.png"></body></html>'
  const server = await startReplayServer([
    {
      request: {
        method: 'GET',
        path: '/general',
        query: { url: audit.url, browser: 'true', proxy_type: 'datacenter' },
      },
      reply: { status: 200, text: html },
    },
  ])
  onTestFinished(server.close)
  const gateway = await startGateway({
    env: { NS_RESI_API_KEY: 'test-key', NS_RESI_BASE_URL: server.baseUrlFor('') },
  })
  const account = await gateway.account(20)
  const { body } = await account.call('ns_primary/fetch', audit)
  expect(server.problems()).toEqual([])
  expect(body).toMatchObject({
    charged_cents: 11,
    data: { result: { title: 'Tea', images_without_alt: 1 } },
  })
  expect(body.data.result.findings).toContain('There is no meta description.')
})

/** Long enough to be read as a page rather than as the shell of one. */
const page = `<html><head><title>Tea</title></head><body><main><h1>Tea</h1>${'<p>Green tea is made of leaves that were not oxidised, and black tea of leaves that were.</p>'.repeat(9)}<img src="a.png"></main></body></html>`

const site = createServer((_request, reply) =>
  reply.setHeader('content-type', 'text/html').end(page),
)
await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
afterAll(() => void site.close())
const host = `127.0.0.1:${portOf(site)}`
const alone = shareGateway({ env: { EGRESS_ALLOW: host } })

test('without it this machine reads the page, for the same price', async () => {
  const account = await alone().account(20)
  const { body } = await account.call('ns_primary/fetch', { ...audit, url: `http://${host}/` })
  expect(body).toMatchObject({
    charged_cents: 11,
    data: { result: { title: 'Tea', headings: ['Tea'], images_without_alt: 1 } },
  })
})

test.each([
  ['a parameter that is not an address', { ...audit, url: 'not a page' }, 'bad_url'],
  ['one that is not a CIK', { endpoint: 'filings', cik: 'Apple' }, 'bad_request'],
])('%s is refused before anything is held', async (_what, input, error) => {
  const account = await alone().account(20)
  const reply = await account.call('ns_primary/fetch', input)
  expect(reply).toMatchObject({ status: 400, body: { error } })
  expect(await account.state()).toEqual({ availableCents: 20, heldCents: 0, transactions: 0 })
})
