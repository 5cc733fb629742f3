// kill -9 of a gateway with ten rented browsers, twice: nothing of them is left, and each session goes on with a fresh
// browser.
import { expect, test } from 'vitest'
import { openPuppeteer } from '#test/browsers/puppeteer.ts'
import { canRent } from '#test/browsers/rented-browser.ts'
import { depth } from '#test/depth.ts'
import { until } from '#test/until.ts'
import { startMortalGateway } from './mortal-gateway.ts'
import { descendantsOf, foldersOf, listProcesses } from './processes.ts'

const browsers = depth(3, 10)
const balanceCents = 100
const env = { BROWSERS_AT_ONCE: String(browsers), BROWSERS_PER_ACCOUNT: String(browsers) }

test.skipIf(!canRent)('killed gateways leave no browser, and the sessions go on', async () => {
  const gateway = await startMortalGateway(env)
  const account = await gateway.openAccount(balanceCents)
  const call = (action: string, body: object) => account.call(`ns_browser/${action}`, body)

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
    const killed = gateway.pid()
    const family = await descendantsOf(killed)
    expect(family.length).toBeGreaterThan(browsers * 4)
    expect(await foldersOf('browser', [killed])).not.toEqual([])

    await gateway.kill()
    await until(async () => {
      const alive = await listProcesses()
      return !family.some((name) => alive.has(name))
    })
    await gateway.start()
    expect(await foldersOf('browser', [killed])).toEqual([])
  }

  for (const session_id of sessions) {
    expect(await call('session_status', { session_id })).toMatchObject({ alive: true })
    expect(await call('release_session', { session_id })).toMatchObject({ status: 'released' })
  }
  expect(await account.get('/api/v1/account')).toMatchObject({
    available_cents: balanceCents - browsers * 6,
    held_cents: 0,
  })
  await gateway.expectBooksRight()
})
