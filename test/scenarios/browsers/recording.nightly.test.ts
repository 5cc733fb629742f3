// Recordings of rented browsers, as their owners get them.
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openPuppeteer } from '#test/browsers/puppeteer.ts'
import { colourIn, framesOf, hasRecorded } from '#test/browsers/recorded.ts'
import { openBrowsers, shareWithClock } from '#test/browsers/rental-gateway.ts'
import { canRent, rentBrowser, statusOf } from '#test/browsers/rented-browser.ts'
import type { Gateway, TestAccount } from '#test/harness.ts'
import { probeFilm } from '#test/media-samples.ts'
import { until } from '#test/until.ts'

const minuteMs = 60_000
const roomBytes = 50_000_000

const show = (colour: string) => `<body style="background:${colour}"><h1>Harbour</h1>`

/** A page of the browser that shows colours, once each is recorded. */
async function openPage(gateway: Gateway, session: { connectUrl: string; sessionId: string }) {
  const browser = await openPuppeteer(session.connectUrl)
  const page = await browser.newPage()
  return {
    browser,
    async show(colour: 'red' | 'blue') {
      await page.setContent(show(colour === 'red' ? '#e00' : '#00e'))
      await until(() => hasRecorded(gateway.dataDir, session.sessionId, colour))
    },
  }
}

async function usedBytes(account: TestAccount): Promise<number> {
  return (await account.call('files/list', {})).body.data.used_bytes
}

async function savedFile(account: TestAccount, sessionId: string) {
  await until(async () => (await statusOf(account, sessionId)).recording.status === 'saved')
  const { file_id } = (await statusOf(account, sessionId)).recording
  const { data } = (await account.call('files/get', { file_id })).body
  return data
}

describe.skipIf(!canRent)('a recorded browser', () => {
  const open = shareWithClock()
  const openSmall = shareWithClock({ FILES_QUOTA_MB: '49' })

  test('is a video with the pictures at their times, stored as a file of the caller', async () => {
    const { clock, gateway, account } = await open()
    const session = await rentBrowser(account, {
      estimatedMinutes: 10,
      keepAlive: true,
      recording: true,
    })
    const { sessionId } = session
    expect(session).toMatchObject({ recording: { status: 'recording', file_id: null } })
    expect(await usedBytes(account)).toBe(roomBytes)
    const page = await openPage(gateway, session)
    await page.show('red')
    clock.skip(3 * minuteMs)
    await page.show('blue')
    clock.skip(2 * minuteMs)
    await account.call('ns_browser/release_session', { session_id: sessionId })

    const file = await savedFile(account, sessionId)
    expect(file).toMatchObject({
      source: 'action',
      mime: 'video/mp4',
      filename: `browser-${sessionId}.mp4`,
    })
    expect(await usedBytes(account)).toBe(file.size)
    const film = await probeFilm(file.get_url)
    expect(film).toMatchObject({ streams: ['h264'], width: 1_280, height: 800 })
    const { seconds } = film
    expect(seconds).toBeGreaterThan(299)
    expect(await colourIn(file.get_url, 60)).toBe('red')
    expect(await colourIn(file.get_url, 170)).toBe('red')
    expect(await colourIn(file.get_url, seconds - 100)).toBe('blue')
    expect(await colourIn(file.get_url, seconds - 1)).toBe('blue')
    expect(existsSync(path.join(gateway.dataDir, 'recordings', sessionId))).toBe(false)
  })

  test('that expires and was restarted meanwhile is one video', async () => {
    const { clock, gateway, account } = await open()
    const session = await rentBrowser(account, {
      estimatedMinutes: 10,
      keepAlive: true,
      recording: true,
    })
    const { sessionId } = session
    const first = await openPage(gateway, session)
    await first.show('red')
    await first.browser.close()
    await until(async () => (await openBrowsers(gateway)) === 0)
    clock.skip(minuteMs)
    const second = await openPage(gateway, session)
    await second.show('blue')
    clock.skip(10 * minuteMs)
    const file = await savedFile(account, sessionId)
    expect(await statusOf(account, sessionId)).toMatchObject({ status: 'expired' })
    expect(await colourIn(file.get_url, 50)).toBe('red')
    expect(await colourIn(file.get_url, 120)).toBe('blue')
  })

  test('is recorded for an hour', async () => {
    const { clock, gateway, account } = await open()
    const session = await rentBrowser(account, {
      estimatedMinutes: 120,
      keepAlive: true,
      recording: true,
    })
    const page = await openPage(gateway, session)
    await page.show('red')
    clock.skip(70 * minuteMs)
    const { browser } = page
    const late = await browser.newPage()
    await late.setContent(show('#00e'))
    await account.call('ns_browser/release_session', { session_id: session.sessionId })
    const file = await savedFile(account, session.sessionId)
    expect((await probeFilm(file.get_url)).seconds).toBeCloseTo(3_600, 0)
  })

  test('needs room in the quota, and is refused without it for nothing', async () => {
    const { account } = await openSmall()
    const refused = await account.call('ns_browser/create_session', { recording: true })
    expect([refused.status, refused.body.error]).toEqual([413, 'file_quota_exceeded'])
    expect(await account.state()).toMatchObject({ availableCents: 100, heldCents: 0 })
    expect(await usedBytes(account)).toBe(0)
    await rentBrowser(account)
  })

  test('without pictures has failed, tells why, and gives its room back', async () => {
    const { gateway, account } = await open()
    const { sessionId, connectUrl } = await rentBrowser(account, {
      keepAlive: true,
      recording: true,
    })
    const page = await openPage(gateway, { sessionId, connectUrl })
    await page.show('red')
    await rm(path.join(gateway.dataDir, 'recordings', sessionId), { recursive: true })
    await account.call('ns_browser/release_session', { session_id: sessionId })
    const recording = async () => (await statusOf(account, sessionId)).recording
    await until(async () => (await recording()).status === 'failed')
    expect(await recording()).toEqual({
      status: 'failed',
      file_id: null,
      reason: expect.stringMatching(/no picture.*Record another session/),
    })
    expect(await usedBytes(account)).toBe(0)
  })

  test('that was not asked for is not made', async () => {
    const { gateway, account } = await open()
    const { sessionId, connectUrl } = await rentBrowser(account)
    const browser = await openPuppeteer(connectUrl)
    onTestFinished(() => browser.disconnect())
    expect(await statusOf(account, sessionId)).not.toHaveProperty('recording')
    expect(await framesOf(gateway.dataDir, sessionId)).toEqual([])
    expect(await usedBytes(account)).toBe(0)
    await account.call('ns_browser/release_session', { session_id: sessionId })
  })
})
