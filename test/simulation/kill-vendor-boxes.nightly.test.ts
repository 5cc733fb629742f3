// kill -9 of a gateway with boxes and browsers at vendors, twice: some are in use, and some are being created. The
// vendors outlive the gateway. What a caller pays for goes on; nothing else is left at a vendor.
import { expect, onTestFinished, test } from 'vitest'
import { startBrowserVendor, vendorKey } from '#test/browsers/browser-vendor.ts'
import { until } from '#test/until.ts'
import { modalKey, startStubModal } from '../boxes/modal/stub-modal.ts'
import { startStubVendor } from '../boxes/stub-vendor.ts'
import { vendors } from '../boxes/vendors/vendors.ts'
import { startMortalGateway } from './mortal-gateway.ts'

const services = ['sess_a', 'sess_b', 'sess_c', 'sess_d', 'sess_e']
const sessionsOfEach = 2
const balanceCents = 10_000

async function startVendors() {
  const modal = await startStubModal()
  const browsers = await startBrowserVendor()
  const boxes = await Promise.all(
    vendors.map(async ({ key, stub }, place) => ({
      service: services[place] ?? '',
      key,
      stub: await startStubVendor(stub),
    })),
  )
  onTestFinished(async () => {
    for (const { stub } of boxes) stub.close()
    await modal.close()
  })
  const env = Object.fromEntries(
    [
      { service: 'ns_sandbox', key: modalKey, stub: modal },
      { service: 'ns_browser', key: vendorKey, stub: browsers },
      ...boxes,
    ].flatMap(({ service, key, stub }) => [
      [`${service.toUpperCase()}_API_KEY`, key],
      [`${service.toUpperCase()}_BASE_URL`, stub.url],
    ]),
  )
  return { modal, browsers, boxes, env: env as Record<string, string> }
}

test('killed gateways leave nothing at a vendor that is not paid for', async () => {
  const { modal, browsers, boxes, env } = await startVendors()
  const gateway = await startMortalGateway(env)
  const { get, post, remove } = await gateway.openAccount(balanceCents)
  const sessions: string[] = []
  for (const { service } of boxes)
    for (let count = 0; count < sessionsOfEach; count += 1)
      sessions.push((await post(`/api/run/${service}/create_session`, {})).data.session_id)
  const paid = await post('/api/run/ns_sandbox/sandbox-create', { timeout: 1_800 })
  const { sandbox_id } = paid.data
  const rented = await post('/api/run/ns_browser/create_session', { estimatedMinutes: 30 })
  const { sessionId } = rented.data

  for (const turn of [1, 2]) {
    // Creations whose answer the vendor loses: the gateway is killed while it waits.
    modal.fail(({ method }) => (method === 'SandboxGetTaskId' ? 'silence' : undefined))
    browsers.next.creates = 'silence'
    const creating = [
      post('/api/run/ns_sandbox/sandbox-create', {}),
      post('/api/run/ns_browser/create_session', {}),
    ]
    await until(async () => modal.running().length === 2 && browsers.running().length === 2)
    await gateway.killAndStart()
    expect(await Promise.all(creating)).toEqual([undefined, undefined])
    modal.fail(undefined)
    browsers.next.creates = undefined

    await until(async () => modal.running().length === 1 && browsers.running().length === 1)
    const looked = await post('/api/run/ns_browser/session_status', { session_id: sessionId })
    expect(looked.data).toMatchObject({ alive: true })
    const command = `echo ${turn}`
    const ran = await post('/api/run/ns_sandbox/sandbox-exec', { sandbox_id, command })
    expect(ran.data).toMatchObject({ stdout: `${turn}\n`, returncode: 0 })
    for (const id of sessions) {
      const run = () => post(`/api/v1/sessions/${id}/run`, { command })
      await until(async () => (await run())?.stdout === `${turn}\n`)
    }
    for (const { stub } of boxes) expect(stub.machines.boxes.size).toBe(sessionsOfEach)
  }

  for (const id of sessions) expect((await remove(`/api/v1/sessions/${id}`)).status).toBe(200)
  await post('/api/run/ns_sandbox/sandbox-terminate', { sandbox_id })
  expect(modal.running()).toEqual([])
  await post('/api/run/ns_browser/release_session', { session_id: sessionId })
  expect(browsers.running()).toEqual([])
  for (const { stub } of boxes) {
    expect(stub.machines.boxes.size).toBe(0)
    expect(stub.strays).toEqual([])
  }
  expect(modal.strays).toEqual([])
  const account = await get('/api/v1/account')
  expect(account.held_cents).toBe(0)
  expect(account.available_cents).toBeLessThanOrEqual(balanceCents - 3 - 6 - 2 - 1)
  await gateway.expectBooksRight()
})
