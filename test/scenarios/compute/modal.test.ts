// Sandboxes at the vendor, over HTTP: with its key they take the place of those of this machine.
import { afterAll, expect, test } from 'vitest'
import { shareGateway } from '#test/harness.ts'
import { until } from '#test/until.ts'
import { modalKey, startStubModal } from '../../boxes/modal/stub-modal.ts'

const vendor = await startStubModal()
const gateway = shareGateway({
  env: { NS_SANDBOX_API_KEY: modalKey, NS_SANDBOX_BASE_URL: vendor.url },
})
afterAll(() => vendor.close())

test('a sandbox of the vendor is paid in advance, used by its owner, and ended', async () => {
  const account = await gateway().account(100)
  const described = await gateway().request('GET', '/api/run/ns_sandbox/sandbox-create')
  expect(described.body).toMatchObject({ mode: 'live' })
  const created = await account.call('ns_sandbox/sandbox-create', { command: 'sleep 600' })
  expect(created).toMatchObject({ status: 200, body: { charged_cents: 3 } })
  const { sandbox_id } = created.body.data
  const ran = await account.call('ns_sandbox/sandbox-exec', { sandbox_id, command: 'echo hi' })
  expect(ran.body).toMatchObject({ charged_cents: 1, data: { stdout: 'hi\n', returncode: 0 } })
  const stranger = await gateway().account(100)
  const stolen = await stranger.call('ns_sandbox/sandbox-exec', { sandbox_id, command: 'true' })
  expect(stolen.body).toMatchObject({ ok: false, error: 'not_found' })
  await account.call('ns_sandbox/sandbox-terminate', { sandbox_id })
  expect(vendor.running()).toEqual([])
  const late = await account.call('ns_sandbox/sandbox-exec', { sandbox_id, command: 'true' })
  expect(late.body).toMatchObject({ ok: false, error: 'session_closed' })
  expect(await account.state()).toMatchObject({ availableCents: 100 - 3 - 1 - 1, heldCents: 0 })
  expect(vendor.strays).toEqual([])
})

test('a startup command that fails is charged, and status tells', async () => {
  const account = await gateway().account(100)
  const created = await account.call('ns_sandbox/sandbox-create', { command: 'exit 5' })
  expect(created).toMatchObject({ status: 200, body: { charged_cents: 3 } })
  const { sandbox_id } = created.body.data
  const body = async () => (await account.call('ns_sandbox/sandbox-status', { sandbox_id })).body
  await until(async () => (await body()).data.status !== 'running')
  expect(await body()).toMatchObject({ data: { status: 'failed', returncode: 5 } })
})

test.each([
  ['T4', 25],
  ['L4', 30],
  ['A10G', 40],
  ['A100', 150],
  ['H100', 250],
])('a GPU %s costs %i cents, and is had for 20 minutes at most', async (gpu, cents) => {
  const account = await gateway().account(300)
  const created = await account.call('ns_sandbox/sandbox-create', { gpu, timeout: 1_200 })
  expect(created).toMatchObject({ status: 200, body: { charged_cents: cents } })
  const { sandbox_id } = created.body.data
  expect(vendor.find(sandbox_id).definition.resources?.gpuConfig?.gpuType).toBe(gpu)
  const longer = await account.call('ns_sandbox/sandbox-create', { gpu, timeout: 1_201 })
  expect(longer).toMatchObject({ status: 400 })
  const capped = await account.call('ns_sandbox/sandbox-create', { gpu, max_cost_cents: cents - 1 })
  expect(capped.body).toMatchObject({ ok: false, error: 'max_cost_exceeded' })
  await account.call('ns_sandbox/sandbox-terminate', { sandbox_id })
})

test('a creation that fails costs nothing, and its sandbox is ended later if not at once', async () => {
  const account = await gateway().account(100)
  const down = new Set(['SandboxGetTaskId', 'SandboxGetFromName'])
  vendor.fail(({ method }) => (down.has(method) ? { status: 14 } : undefined))
  const failed = await account.call('ns_sandbox/sandbox-create', {})
  expect(failed.body).toMatchObject({ ok: false, error: 'upstream_error' })
  expect(await account.state()).toMatchObject({ availableCents: 100, heldCents: 0 })
  expect(vendor.running()).not.toEqual([])
  vendor.fail(undefined)
  await until(async () => vendor.running().length === 0)
})
