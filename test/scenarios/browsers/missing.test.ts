// A machine that cannot confine a browser, and what it says of it.
import { expect, test } from 'vitest'
import { adminToken, shareGatewayOfWorker } from '#test/harness.ts'

const shared = shareGatewayOfWorker({ env: { CHROMIUM_PATH: '/nowhere/chromium' } })

test('browsers are unavailable, with the reason', async () => {
  const { body } = await shared().request('GET', '/api/run/ns_browser/create_session')
  expect(body).toMatchObject({ mode: 'unavailable' })
  expect(body.reason).toMatch(/NS_BROWSER_API_KEY.*UPSTREAM_WALLET_KEY.* Or: Chromium/)
  const account = await shared().account(100)
  const reply = await account.call('ns_browser/create_session', {})
  expect([reply.status, reply.body.error]).toEqual([503, 'provider_not_configured'])
  expect(await account.state()).toEqual({ availableCents: 100, heldCents: 0, transactions: 0 })
  const health = await shared().request('GET', '/api/v1/admin/health', { key: adminToken })
  expect(health.body.browsers).toMatchObject({ ok: false, open: 0, at_once_max: 10 })
})
