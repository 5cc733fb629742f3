// A site audit reads the page as its server sent it, which takes a vendor: without one it says so and costs nothing.
import { expect, onTestFinished, test } from 'vitest'
import { startGateway } from '../harness.ts'
import { startReplayServer } from '../replay-server.ts'

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

test('without it the call is refused and free', async () => {
  const gateway = await startGateway()
  const account = await gateway.account(20)
  const reply = await account.call('ns_primary/fetch', audit)
  expect(reply.status).toBe(503)
  expect(reply.body).toMatchObject({ error: 'provider_not_configured' })
  expect(await account.state()).toMatchObject({ availableCents: 20, heldCents: 0 })
})
