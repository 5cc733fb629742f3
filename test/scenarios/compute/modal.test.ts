// Sandboxes at the vendor, over HTTP: with its key they take the place of those of this machine.
import { randomBytes } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { shareGateway, startGateway } from '#test/harness.ts'
import { testWallet } from '#test/test-wallet.ts'
import { until } from '#test/until.ts'
import { shareVendorStub } from '#test/vendor-stub.ts'
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

test('files go into a sandbox of the vendor and come out of it', async () => {
  const account = await gateway().account(100)
  const { sandbox_id } = (await account.call('ns_sandbox/sandbox-create', {})).body.data
  const bytes = randomBytes(900_000)
  const filename = 'in.bin'
  const upload = await account.call('files/upload', { filename, size_bytes: bytes.length })
  const { put_url, file_id } = upload.body.data
  await fetch(put_url, { method: 'PUT', body: new Uint8Array(bytes) })
  const ran = await account.call('ns_sandbox/sandbox-exec', {
    sandbox_id,
    command: 'cat in/a.bin in/b >out/both; head -c 3 out/both >out/first',
    files: [
      { path: 'in/a.bin', file_id },
      { path: 'in/b', content: btoa('end') },
      { path: 'out/old', content: '' },
    ],
    collect: ['out/first', 'out/none'],
    save: ['out/both'],
  })
  const { returncode, files } = ran.body.data
  expect(returncode).toBe(0)
  expect(files).toEqual([
    { path: 'out/first', size: 3, content: bytes.subarray(0, 3).toString('base64') },
    { path: 'out/none', error: 'bad_request', message: expect.stringContaining('No such file') },
    { path: 'out/both', size: 900_003, file_id: expect.any(String) },
  ])
  const saved = await account.call('files/get', { file_id: files[2].file_id })
  const content = Buffer.from(await (await fetch(saved.body.data.get_url)).arrayBuffer())
  expect(content.equals(Buffer.concat([bytes, Buffer.from('end')]))).toBe(true)
  await account.call('ns_sandbox/sandbox-terminate', { sandbox_id })
})

const seller = shareVendorStub()

test('at the paid endpoint files and ids that cannot be sent back are refused, and cost nothing', async () => {
  const { account: open } = await startGateway({
    env: { NS_SANDBOX_BASE_URL: seller().url },
    upstreamWallet: testWallet,
  })
  const account = await open(100)
  const sandbox_id = 'sb-1'
  seller().say({ status: 402, body: { price_usd: 0.03 } }, { body: { sandbox_id } })
  const created = await account.call('ns_sandbox/sandbox-create', {})
  expect(created.body).toMatchObject({ charged_cents: 3, data: { sandbox_id } })
  seller().say({ body: { stdout: '', stderr: '', returncode: 0 } })
  const refused = await account.call('ns_sandbox/sandbox-exec', {
    sandbox_id,
    command: 'true',
    collect: ['out'],
  })
  expect([refused.status, refused.body.error]).toEqual([400, 'bad_request'])
  expect(seller().asked).toEqual([])
  for (const unfit of ['', 'x'.repeat(100_000)]) {
    seller().say({ status: 402, body: { price_usd: 0.03 } }, { body: { sandbox_id: unfit } })
    const sold = await account.call('ns_sandbox/sandbox-create', {})
    expect([sold.status, sold.body.error]).toEqual([500, 'upstream_error'])
  }
  expect(await account.state()).toMatchObject({ availableCents: 97, heldCents: 0 })
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
