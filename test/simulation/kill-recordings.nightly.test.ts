// kill -9 of a gateway that records a browser, and of one that encodes: the video is stored once, and nothing else is
// left.
import { mkdir, readdir } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openPuppeteer } from '#test/browsers/puppeteer.ts'
import { coloursOf, hasRecorded } from '#test/browsers/recorded.ts'
import { canRent } from '#test/browsers/rented-browser.ts'
import { until } from '#test/until.ts'
import { startMortalGateway } from './mortal-gateway.ts'

test.skipIf(!canRent)('a killed gateway loses no recording and stores none twice', async () => {
  const { dataDir, openAccount, killAndStart } = await startMortalGateway()
  const { call } = await openAccount(100)

  const { sessionId: session_id, connectUrl } = await call('ns_browser/create_session', {
    estimatedMinutes: 5,
    keepAlive: true,
    recording: true,
  })
  const status = async () => await call('ns_browser/session_status', { session_id })
  const show = async (address: string, style: string, colour: 'red' | 'blue') => {
    const page = await (await openPuppeteer(address)).newPage()
    await page.setContent(`<body style="background:${style}">`)
    await until(() => hasRecorded(dataDir, session_id, colour))
  }
  await show(connectUrl, '#e00', 'red')
  await killAndStart()
  expect(await status()).toMatchObject({ alive: true, recording: { status: 'recording' } })
  await show((await status()).connectUrl, '#00e', 'blue')
  await call('ns_browser/release_session', { session_id })
  // As when a gateway dies before it has removed the pictures of a finished recording.
  await mkdir(path.join(dataDir, 'recordings', 'finished'))
  await killAndStart()
  await until(async () => (await status()).recording.status === 'saved')
  const { file_id } = (await status()).recording
  const { files, used_bytes } = await call('files/list', {})
  expect(files).toMatchObject([{ file_id, source: 'action', status: 'stored' }])
  expect(used_bytes).toBe(files[0].size)
  const { get_url } = await call('files/get', { file_id })
  const colours = await coloursOf(get_url)
  expect(colours.filter((colour) => colour !== 'other')).toEqual(['red', 'blue'])
  await until(async () => (await readdir(path.join(dataDir, 'recordings'))).length === 0)
})
