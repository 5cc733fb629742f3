// Rented browsers where several gateways share a database.
import { describe, expect, onTestFinished, test } from 'vitest'
import { openPuppeteer } from '#test/browsers/puppeteer.ts'
import { coloursOf, hasRecorded } from '#test/browsers/recorded.ts'
import { openBrowsers } from '#test/browsers/rental-gateway.ts'
import { canRent, refusalOf, rentBrowser } from '#test/browsers/rented-browser.ts'
import { createSkippingClock } from '#test/browsers/skipping-clock.ts'
import { makeDataDirectory, removeDataDirectory } from '#test/data-directory.ts'
import { type Gateway, startGateway } from '#test/harness.ts'
import { until } from '#test/until.ts'

const hourMs = 3_600_000
const lookMs = 5_000

/** Two gateways of one machine, and one of another. They share their database and their clock. */
async function startGateways() {
  const clock = createSkippingClock()
  const DATA_DIR = await makeDataDirectory()
  onTestFinished(() => removeDataDirectory(DATA_DIR))
  const one = await startGateway({ clock, env: { DATA_DIR } })
  const { databaseUrl } = one
  const two = await startGateway({ clock, databaseUrl, env: { DATA_DIR } })
  const far = await startGateway({ clock, databaseUrl })
  const account = await one.account(100)
  const call = async (gateway: Gateway, action: string, body: object) =>
    (await gateway.call(action, body, { key: account.key })).body.data
  return { clock, dataDir: DATA_DIR, one, two, far, account, call }
}

describe.skipIf(!canRent)('with several gateways', () => {
  test('a browser belongs to one, which the others say, and any of them ends it', async () => {
    const { clock, one, two, account, call } = await startGateways()
    const { sessionId: session_id, connectUrl } = await rentBrowser(account, { keepAlive: true })
    const browser = await openPuppeteer(connectUrl)
    const status = await call(two, 'ns_browser/session_status', { session_id })
    expect(status).toMatchObject({ alive: true, status: 'active' })
    expect(await refusalOf(status.connectUrl)).toBe(503)
    const view = await fetch(status.liveViewUrl.replace('/live?', '/frames?'))
    expect(view.headers.get('retry-after')).toBe('2')
    expect(await view.json()).toMatchObject({ error: 'session_elsewhere' })
    expect(browser.connected).toBe(true)
    const released = await call(two, 'ns_browser/release_session', { session_id })
    expect(released).toMatchObject({ alive: false, status: 'released' })
    clock.skip(lookMs)
    await until(async () => (await openBrowsers(one)) === 0)
    expect(browser.connected).toBe(false)
  })

  test('a recording is finished once by a gateway that has its pictures, or is lost with them', async () => {
    const { clock, dataDir, one, two, far, call } = await startGateways()
    const order = { keepAlive: true, recording: true }
    const rented = await call(one, 'ns_browser/create_session', order)
    const { sessionId: session_id, connectUrl } = rented
    const page = await (await openPuppeteer(connectUrl)).newPage()
    await page.setContent('<body style="background:#e00">')
    await until(() => hasRecorded(dataDir, session_id, 'red'))
    const lost = await call(far, 'ns_browser/create_session', order)
    await far.close()
    const three = await startGateway({
      clock,
      databaseUrl: one.databaseUrl,
      env: { DATA_DIR: dataDir },
    })
    await one.close()
    for (const id of [session_id, lost.sessionId])
      await call(two, 'ns_browser/release_session', { session_id: id })
    const recording = async (id: string) =>
      (await call(three, 'ns_browser/session_status', { session_id: id })).recording
    clock.skip(lookMs)
    await until(async () => (await recording(session_id)).status === 'saved')
    const { files, used_bytes } = await call(three, 'files/list', {})
    const stored = files.filter(({ status }: { status: string }) => status === 'stored')
    expect(stored).toMatchObject([{ file_id: (await recording(session_id)).file_id }])
    const { get_url } = await call(two, 'files/get', { file_id: stored[0].file_id })
    expect(await coloursOf(get_url)).toContain('red')

    expect(await recording(lost.sessionId)).toMatchObject({ status: 'encoding' })
    expect(used_bytes).toBeGreaterThan(50_000_000)
    clock.skip(24 * hourMs)
    await until(async () => (await recording(lost.sessionId)).status === 'failed')
    expect((await recording(lost.sessionId)).reason).toMatch(/down for more than 24 hours/)
    expect((await call(two, 'files/list', {})).used_bytes).toBe(stored[0].size)
  })
})
