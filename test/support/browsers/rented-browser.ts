// Browsers that tests rent, and pages for them to open.
import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { chromium as playwright } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { findConfinable } from '#platform/chromium/confined-chromium.ts'
import { systemClock as clock } from '#platform/clock.ts'
import { createSandbox } from '#platform/sandbox/sandbox.ts'
import type { TestAccount } from '../harness.ts'

/** Whether this machine has Chromium and boxes. */
export const canRent =
  (await findConfinable()) !== undefined && (await createSandbox({ clock }).missing()) === undefined

export interface Rented {
  readonly sessionId: string
  readonly connectUrl: string
  readonly liveViewUrl: string
}

/** Rents a browser for `account`, and releases it when the test has ended. */
export async function rentBrowser(account: TestAccount, body: object = {}): Promise<Rented> {
  const { body: reply } = await account.call('ns_browser/create_session', body)
  expect(reply).toMatchObject({ ok: true, data: { status: 'active', provider: 'embedded' } })
  const { sessionId } = reply.data
  onTestFinished(async () => {
    await account.call('ns_browser/release_session', { session_id: sessionId })
  })
  return reply.data
}

export async function statusOf(account: TestAccount, session_id: string) {
  const { body } = await account.call('ns_browser/session_status', { session_id })
  return body.data
}

/** Playwright, connected as its users connect it. */
export async function openPlaywright(connectUrl: string) {
  const browser = await playwright.connectOverCDP(connectUrl)
  onTestFinished(() => browser.close())
  return browser
}

/** The status with which the gateway answers a request to make a WebSocket of it. */
export async function refusalOf(connectUrl: string): Promise<number> {
  return await new Promise((resolve, reject) => {
    const headers = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': randomBytes(16).toString('base64'),
    }
    const asked = request(connectUrl.replace(/^ws/, 'http'), { headers, agent: false })
    asked.once('response', ({ statusCode = 0 }) => resolve(statusCode))
    asked.once('upgrade', ({ statusCode = 0 }, socket) => {
      socket.destroy()
      resolve(statusCode)
    })
    asked.once('error', reject)
    asked.end()
  })
}
