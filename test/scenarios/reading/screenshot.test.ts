// What a screenshot refuses before a browser starts.
import { expect, test } from 'vitest'
import { findChromium } from '#platform/chromium/chromium.ts'
import { shareGatewayOfWorker } from '#test/harness.ts'

const isInstalled = (await findChromium()) !== undefined
const shared = shareGatewayOfWorker()
const withoutBrowser = shareGatewayOfWorker({ env: { CHROMIUM_PATH: '/nowhere/chromium' } })
const url = 'https://example.com'

test.runIf(isInstalled).each([
  ['a private address', { url: 'http://10.0.0.1/' }, 'bad_url'],
  ['a document', { url: `${url}/a.pdf` }, 'onescrape_document'],
  ['a window that is too wide', { url, width: 1_921 }, 'bad_request'],
  ['a window that is too low', { url, height: 239 }, 'bad_request'],
  ['a format that is not sold', { url, format: 'gif' }, 'bad_request'],
  ['a selector that cannot be read', { url, wait_for: 'a:hover(' }, 'bad_request'],
])('refuses %s: 400, nothing held', async (_title, body, error) => {
  const account = await shared().account(100)
  const reply = await account.call('tollway/screenshot', body)
  expect([reply.status, reply.body.error]).toEqual([400, error])
  expect(await account.state()).toEqual({ availableCents: 100, heldCents: 0, transactions: 0 })
})

test('without a browser it is unavailable, and says what would help', async () => {
  const gateway = withoutBrowser()
  const { body: described } = await gateway.request('GET', '/api/run/tollway/screenshot')
  expect([described.mode, described.reason]).toEqual([
    'unavailable',
    expect.stringContaining('/nowhere/chromium'),
  ])
  const account = await gateway.account(100)
  const reply = await account.call('tollway/screenshot', { url })
  expect([reply.status, reply.body.error]).toEqual([503, 'provider_not_configured'])
  expect(await account.state()).toMatchObject({ availableCents: 100, transactions: 0 })
})
