// Rented browsers that open pages from a country.
import { describe, expect, onTestFinished, test } from 'vitest'
import { serve } from '#platform/egress/loopback.fixture.ts'
import { serveProxy } from '#platform/egress/operator-proxy.fixture.ts'
import { openPuppeteer } from '#test/browsers/puppeteer.ts'
import { canRent, rentBrowser } from '#test/browsers/rented-browser.ts'
import { startGateway } from '#test/harness.ts'

describe.skipIf(!canRent)('proxies', () => {
  test('pages are opened through the operator’s proxy of that country', async () => {
    const site = await serve((_incoming, response) => void response.end('from Germany'))
    const proxy = await serveProxy({ leadsTo: site.port })
    onTestFinished(site.close)
    onTestFinished(proxy.close)
    const gateway = await startGateway({ env: { BROWSER_PROXIES: `de=${proxy.address}` } })
    const account = await gateway.account(100)
    const { connectUrl } = await rentBrowser(account, { proxies: { country: 'de' } })
    const browser = await openPuppeteer(connectUrl)
    const page = await browser.newPage()
    await page.goto('http://93.184.216.34/')
    expect(await page.content()).toContain('from Germany')
    expect(proxy.asked).toContain('93.184.216.34:80')
    // The guard still decides which addresses may be reached.
    const reply = await page.goto('http://10.0.0.1/').catch(() => null)
    expect(reply?.status() ?? 403).toBe(403)
    expect(proxy.asked).not.toContain('10.0.0.1:80')

    const elsewhere = await account.call('ns_browser/create_session', {
      proxies: { country: 'US' },
    })
    expect([elsewhere.status, elsewhere.body.data]).toEqual([400, { countries: ['DE'] }])
    expect(elsewhere.body.message).toContain('in DE only')
    expect(await account.state()).toMatchObject({ availableCents: 99, heldCents: 0 })
  })
})
