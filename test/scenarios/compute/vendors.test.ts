// Sessions at vendors, over HTTP: with a vendor's key its boxes take the place of those of this machine.
import { afterAll, expect, test } from 'vitest'
import { shareGateway } from '#test/harness.ts'
import { startStubVendor } from '../../boxes/stub-vendor.ts'
import { vendors } from '../../boxes/vendors/vendors.ts'

const services = ['sess_a', 'sess_b', 'sess_c', 'sess_d', 'sess_e']
const rows = await Promise.all(
  vendors.map(async ({ name, key, stub }, place) => ({
    service: services[place] ?? '',
    name,
    key,
    vendor: await startStubVendor(stub),
  })),
)
const gateway = shareGateway({
  env: Object.fromEntries(
    rows.flatMap(({ service, key, vendor }) => [
      [`${service.toUpperCase()}_API_KEY`, key],
      [`${service.toUpperCase()}_BASE_URL`, vendor.url],
    ]),
  ),
})
afterAll(() => {
  for (const { vendor } of rows) vendor.close()
})

test.each(rows)('$service runs at $name, is charged, and is removed there', async (row) => {
  const { service, vendor } = row
  const account = await gateway().account(100)
  const { key } = account
  const described = await gateway().request('GET', `/api/run/${service}/create_session`)
  expect(described.body).toMatchObject({ mode: 'live' })

  const created = await account.call(`${service}/create_session`, {})
  expect(created.status, JSON.stringify(created.body)).toBe(200)
  const at = `/api/v1/sessions/${created.body.data.session_id}`
  expect(vendor.machines.boxes.size).toBe(1)
  const body = { command: 'echo hello; exit 3' }
  const ran = await gateway().request('POST', `${at}/run`, { key, body })
  expect(ran.body).toMatchObject({ stdout: 'hello\n', exit_code: 3, timed_out: false })
  const tea = Buffer.from('tea').toString('base64')
  const carried = await gateway().request('POST', `${at}/run`, {
    key,
    body: { command: 'cp in out', files: [{ path: 'in', content: tea }], collect: ['out', 'none'] },
  })
  expect(carried.body.files).toEqual([
    { path: 'out', size: 3, content: tea },
    { path: 'none', error: 'bad_request', message: expect.stringContaining('No such file') },
  ])
  const closed = await gateway().request('DELETE', at, { key })
  expect(closed.body).toMatchObject({ status: 'closed', close_reason: 'closed' })
  expect(vendor.machines.boxes.size).toBe(0)
  expect(await account.state()).toMatchObject({ heldCents: 0 })
  expect(vendor.strays).toEqual([])
})

test.each(rows)('a creation that fails at $name costs nothing and leaves nothing', async (row) => {
  const { service, vendor } = row
  const account = await gateway().account(100)
  vendor.fail(({ method }) => (method === 'POST' ? vendor.refuse(503) : undefined))
  const failed = await account.call(`${service}/create_session`, {})
  vendor.fail(undefined)
  expect(failed.body).toMatchObject({ ok: false, error: 'upstream_error' })
  expect(vendor.machines.boxes.size).toBe(0)
  expect(await account.state()).toMatchObject({ heldCents: 0 })
})

test.each(rows)('a box that ended at $name ends its session', async ({ service, vendor }) => {
  const account = await gateway().account(100)
  const { key } = account
  const created = await account.call(`${service}/create_session`, {})
  const at = `/api/v1/sessions/${created.body.data.session_id}`
  for (const box of vendor.machines.boxes.values()) vendor.machines.remove(box)
  const ran = await gateway().request('POST', `${at}/run`, { key, body: { command: 'true' } })
  expect(ran.body).toMatchObject({ error: 'session_closed' })
  const looked = await gateway().request('GET', at, { key })
  expect(looked.body).toMatchObject({ status: 'closed', close_reason: 'lost' })
  expect(await account.state()).toMatchObject({ heldCents: 0 })
})
