// kill -9 of a gateway with ten rented browsers, twice: nothing of them is left, and each session goes on with a fresh browser.
import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { expect, onTestFinished, test } from 'vitest'
import { canRent, openPuppeteer } from '#test/browsers/rented-browser.ts'
import { makeDataDirectory } from '#test/data-directory.ts'
import { until } from '#test/until.ts'
import { adminToken, type GatewayProcess, send, startGatewayProcess } from './gateway-process.ts'
import { descendantsOf, listProcesses } from './processes.ts'

const browsers = 10
const env = { BROWSERS_AT_ONCE: String(browsers), BROWSERS_PER_ACCOUNT: String(browsers) }

/** Folders of gateways that have ended. */
async function foldersLeft(): Promise<string[]> {
  const names = await readdir(tmpdir())
  const pids = names.flatMap((name) => /^tollway-browser-.*-(\d+)-\w+$/.exec(name)?.[1] ?? [])
  return pids.filter((pid) => !existsSync(`/proc/${pid}`))
}

test.skipIf(!canRent)(
  'killed gateways leave no browser, and the sessions go on',
  async () => {
    const dataDir = await makeDataDirectory()
    let gateway: GatewayProcess = startGatewayProcess(dataDir, env)
    onTestFinished(async () => {
      await gateway.stop()
      await rm(dataDir, { recursive: true, force: true })
    })
    let url = await gateway.listening
    const opened = await send(url, {
      path: '/api/v1/admin/accounts',
      key: adminToken,
      body: { balance_cents: 100 },
    })
    const key: string = opened?.body.api_key
    const call = async (action: string, body: object) =>
      (await send(url, { path: `/api/run/ns_browser/${action}`, key, body }))?.body.data

    const sessions: string[] = []
    for (let count = 0; count < browsers; count += 1)
      sessions.push(
        (await call('create_session', { estimatedMinutes: 30, keepAlive: true })).sessionId,
      )

    for (const _kill of [1, 2]) {
      const connectUrls: string[] = []
      for (const session_id of sessions)
        connectUrls.push((await call('session_status', { session_id })).connectUrl)
      const clients = await Promise.all(connectUrls.map(openPuppeteer))
      expect(await Promise.all(clients.map((client) => client.version()))).toHaveLength(browsers)
      const family = await descendantsOf(gateway.child.pid ?? 0)
      expect(family.length).toBeGreaterThan(browsers * 4)

      await gateway.kill()
      await until(async () => {
        const alive = await listProcesses()
        return !family.some((name) => alive.has(name))
      })
      gateway = startGatewayProcess(dataDir, env)
      url = await gateway.listening
      expect(await foldersLeft()).toEqual([])
    }

    for (const session_id of sessions) {
      expect(await call('session_status', { session_id })).toMatchObject({ alive: true })
      expect(await call('release_session', { session_id })).toMatchObject({ status: 'released' })
    }
    const account = await send(url, { path: '/api/v1/account', key })
    expect(account?.body).toMatchObject({ available_cents: 100 - browsers * 6, held_cents: 0 })
    const books = await send(url, { path: '/api/v1/admin/ledger/verify', key: adminToken })
    expect(books?.body).toMatchObject({ ok: true, problems: [] })
  },
  300_000,
)
