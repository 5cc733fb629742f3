// Rented browsers of this machine, driven by the clients that people use.
import { once } from 'node:events'
import { chromium as playwright } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { connect as connectPuppeteer } from '#oracles/puppeteer.ts'
import { openPuppeteer } from '#test/browsers/puppeteer.ts'
import { openBrowsers, shareWithClock } from '#test/browsers/rental-gateway.ts'
import {
  canRent,
  openPlaywright,
  refusalOf,
  rentBrowser,
  statusOf,
} from '#test/browsers/rented-browser.ts'
import { adminToken, shareGateway, startGateway } from '#test/harness.ts'
import { until } from '#test/until.ts'

const shared = shareGateway()
const openWithClock = shareWithClock()
const minuteMs = 60_000

describe.skipIf(!canRent)('rented browsers', () => {
  test('Playwright and Puppeteer drive the same browser', async () => {
    const account = await shared().account(100)
    const { connectUrl } = await rentBrowser(account, { estimatedMinutes: 2 })
    const browser = await openPlaywright(connectUrl)
    const page = await (browser.contexts()[0] ?? (await browser.newContext())).newPage()
    await page.setContent('<title>Harbour</title><h1 style="background:#c00">Boats</h1>')
    expect((await page.screenshot()).subarray(1, 4).toString()).toBe('PNG')
    const other = await openPuppeteer(connectUrl)
    const titles = await Promise.all((await other.pages()).map((each) => each.title()))
    expect(titles).toContain('Harbour')
    expect(await browser.newContext().then((context) => context.newPage())).toBeTruthy()
  })

  test('minutes are paid ahead at 0.2 cents each, and told', async () => {
    const account = await shared().account(100)
    const { sessionId } = await rentBrowser(account, { estimatedMinutes: 11 })
    expect(await account.state()).toMatchObject({ availableCents: 97, heldCents: 0 })
    const status = await statusOf(account, sessionId)
    expect(status).toMatchObject({
      status: 'active',
      alive: true,
      paidMinutes: 11,
      keepAlive: false,
    })
    expect(status.remainingSeconds).toBeGreaterThan(0)
    expect(status.remainingSeconds).toBeLessThanOrEqual(660)
    const extended = await account.call('ns_browser/extend_session', {
      session_id: sessionId,
      estimatedMinutes: 4,
    })
    expect(extended.body).toMatchObject({ charged_usd: '0.008000', data: { paidMinutes: 15 } })
    const tooLong = await account.call('ns_browser/extend_session', {
      session_id: sessionId,
      estimatedMinutes: 346,
    })
    expect([tooLong.status, tooLong.body.message]).toEqual([400, expect.stringContaining('360')])
    for (const _time of [1, 2]) {
      const released = await account.call('ns_browser/release_session', { session_id: sessionId })
      expect(released.body).toMatchObject({
        charged_cents: 0,
        data: { status: 'released', alive: false, remainingSeconds: 0 },
      })
    }
    const late = await account.call('ns_browser/extend_session', { session_id: sessionId })
    expect([late.status, late.body.error]).toEqual([409, 'session_closed'])
    expect(await account.state()).toMatchObject({ availableCents: 97, heldCents: 0 })
  })

  test('only its owner reads and ends a session, and only its address connects', async () => {
    const gateway = shared()
    const [account, stranger] = [await gateway.account(100), await gateway.account(100)]
    const { sessionId, connectUrl } = await rentBrowser(account)
    for (const action of ['session_status', 'release_session', 'extend_session']) {
      const reply = await stranger.call(`ns_browser/${action}`, { session_id: sessionId })
      expect(reply.status).toBe(404)
    }
    const other = await rentBrowser(account)
    const swapped = new URL(connectUrl)
    swapped.pathname = new URL(other.connectUrl).pathname
    const bare = new URL(connectUrl)
    bare.search = ''
    const forged = connectUrl.replace(/sig=./, 'sig=~')
    for (const address of [String(swapped), String(bare), forged])
      expect(await refusalOf(address)).toBe(401)
    expect(await refusalOf(connectUrl)).toBe(101)
    const plain = await fetch(connectUrl.replace(/^ws/, 'http'))
    expect([plain.status, await plain.json()]).toMatchObject([
      400,
      { message: expect.stringContaining('WebSocket') },
    ])
    await account.call('ns_browser/release_session', { session_id: sessionId })
    expect(await refusalOf(connectUrl)).toBe(409)
  })

  test('with keepAlive a browser keeps its pages while no client is connected', async () => {
    const { clock, account } = await openWithClock()
    const { connectUrl, sessionId } = await rentBrowser(account, {
      estimatedMinutes: 10,
      keepAlive: true,
    })
    const first = await connectPuppeteer({ browserWSEndpoint: connectUrl })
    await (await first.newPage()).setContent('<title>Kept</title>')
    await first.disconnect()
    clock.skip(5 * minuteMs)
    const again = await openPuppeteer(connectUrl)
    const titles = await Promise.all((await again.pages()).map((page) => page.title()))
    expect(titles).toContain('Kept')
    expect(await statusOf(account, sessionId)).toMatchObject({ alive: true, keepAlive: true })
    await account.call('ns_browser/release_session', { session_id: sessionId })
  })

  test('without keepAlive a session ends a minute after its last client has left', async () => {
    const { clock, account, gateway } = await openWithClock()
    const { connectUrl, sessionId } = await rentBrowser(account, { estimatedMinutes: 10 })
    const first = await playwright.connectOverCDP(connectUrl)
    await first.close()
    clock.skip(minuteMs / 2)
    const second = await connectPuppeteer({ browserWSEndpoint: connectUrl })
    clock.skip(2 * minuteMs)
    expect(await statusOf(account, sessionId)).toMatchObject({ alive: true })
    await second.disconnect()
    await until(async () => {
      clock.skip(minuteMs)
      return (await statusOf(account, sessionId)).status === 'released'
    })
    await until(async () => (await openBrowsers(gateway)) === 0)
  })

  test('a session ends at the second at which its minutes are over, and later when it was extended', async () => {
    const { clock, account, gateway } = await openWithClock()
    const { connectUrl, sessionId } = await rentBrowser(account, { estimatedMinutes: 1 })
    const client = await openPuppeteer(connectUrl)
    const left = once(client as unknown as NodeJS.EventEmitter, 'disconnected')
    const extended = await account.call('ns_browser/extend_session', { session_id: sessionId })
    const end = Date.parse(extended.body.data.expiresAt)
    clock.skip(end - clock.now() - minuteMs / 2)
    expect(await client.version()).toContain('Chrome')
    expect(await statusOf(account, sessionId)).toMatchObject({ alive: true })
    clock.skip(Math.max(0, end - clock.now()))
    await left
    expect(await statusOf(account, sessionId)).toMatchObject({
      status: 'expired',
      alive: false,
      paidMinutes: 2,
      remainingSeconds: 0,
    })
    expect(await refusalOf(connectUrl)).toBe(409)
    await until(async () => (await openBrowsers(gateway)) === 0)
  })

  test('a client that closes the browser ends its session; with keepAlive the next one gets a fresh browser', async () => {
    const account = await shared().account(100)
    const kept = await rentBrowser(account, { keepAlive: true })
    const brief = await rentBrowser(account)
    for (const { connectUrl } of [kept, brief]) {
      const client = await connectPuppeteer({ browserWSEndpoint: connectUrl })
      await (await client.newPage()).setContent('<title>Old</title>')
      await client.close()
    }
    await until(async () => (await statusOf(account, brief.sessionId)).status === 'released')
    const fresh = await openPuppeteer(kept.connectUrl)
    const titles = await Promise.all((await fresh.pages()).map((page) => page.title()))
    expect(titles).not.toContain('Old')
  })

  test('a browser that crashes is started again for the minutes that are left', async () => {
    const account = await shared().account(100)
    const { connectUrl, sessionId } = await rentBrowser(account, { estimatedMinutes: 5 })
    const client = await openPuppeteer(connectUrl)
    const left = once(client as unknown as NodeJS.EventEmitter, 'disconnected')
    const session = await client.target().createCDPSession()
    session.send('Browser.crash').catch(() => {})
    await left
    const again = await openPuppeteer(connectUrl)
    expect(await again.version()).toContain('Chrome')
    expect(await statusOf(account, sessionId)).toMatchObject({ alive: true, paidMinutes: 5 })
  })

  test('an account and a machine have only so many browsers, and more cost nothing', async () => {
    const env = { BROWSERS_PER_ACCOUNT: '1', BROWSERS_AT_ONCE: '2' }
    const gateway = await startGateway({ env })
    const accounts = await Promise.all([1, 2, 3].map(() => gateway.account(100)))
    const [first, second, third] = accounts as [
      (typeof accounts)[0],
      (typeof accounts)[0],
      (typeof accounts)[0],
    ]
    const { sessionId } = await rentBrowser(first)
    const more = await first.call('ns_browser/create_session', {})
    expect([more.status, more.body.error]).toEqual([429, 'too_many_inflight'])
    await rentBrowser(second)
    const full = await third.call('ns_browser/create_session', {})
    expect([full.status, full.headers.get('retry-after')]).toEqual([503, '30'])
    expect(await third.state()).toMatchObject({ availableCents: 100, heldCents: 0 })
    expect(await first.state()).toMatchObject({ availableCents: 99, heldCents: 0 })
    await first.call('ns_browser/release_session', { session_id: sessionId })
    await rentBrowser(third)
  })

  test('the operator sees the browsers of all accounts and ends one', async () => {
    const gateway = shared()
    const account = await gateway.account(100)
    const { sessionId } = await rentBrowser(account, { estimatedMinutes: 3 })
    const list = async () =>
      (await gateway.request('GET', '/api/v1/admin/browsers', { key: adminToken })).body.browsers
    expect(await list()).toContainEqual(
      expect.objectContaining({
        session_id: sessionId,
        account_id: account.id,
        paid_minutes: 3,
        place: 'here',
      }),
    )
    const ended = await gateway.request('DELETE', `/api/v1/admin/browsers/${sessionId}`, {
      key: adminToken,
    })
    expect(ended.body).toMatchObject({ status: 'released' })
    expect(await statusOf(account, sessionId)).toMatchObject({ status: 'released' })
    expect(await list()).not.toContainEqual(expect.objectContaining({ session_id: sessionId }))
  })
})
