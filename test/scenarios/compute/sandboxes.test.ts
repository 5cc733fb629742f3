// Sandboxes on this machine, over HTTP: paid in advance, used, and ended by a call or by their time.
import { expect, onTestFinished, test } from 'vitest'
import { serve } from '#platform/egress/loopback.fixture.ts'
import {
  adminToken,
  type Gateway,
  shareGateway,
  startGateway,
  type TestAccount,
} from '#test/harness.ts'
import { missingForBoxes } from '#test/sessions/boxes.ts'

const gateway = shareGateway()
const confined = test.skipIf((await missingForBoxes()) !== undefined)

async function create(account: TestAccount, body: object = {}): Promise<string> {
  const created = await account.call('ns_sandbox/sandbox-create', body)
  expect(created.status, JSON.stringify(created.body)).toBe(200)
  return created.body.data.sandbox_id
}
const exec = (account: TestAccount, sandbox_id: string, command: unknown, rest: object = {}) =>
  account.call('ns_sandbox/sandbox-exec', { sandbox_id, command, ...rest })
const status = async (account: TestAccount, sandbox_id: string) => {
  const { body } = await account.call('ns_sandbox/sandbox-status', { sandbox_id })
  return body.data ?? body
}

confined('a sandbox runs strings by a shell and lists without one, and keeps files', async () => {
  const account = await gateway().account(100)
  const created = await account.call('ns_sandbox/sandbox-create', {})
  expect(created).toMatchObject({ status: 200, body: { charged_cents: 3 } })
  expect(created.body.data).toMatchObject({ provider: 'embedded' })
  const id = created.body.data.sandbox_id
  expect(
    (await exec(account, id, 'echo $((6 * 7)) > answer; cat answer; exit 3')).body,
  ).toMatchObject({
    charged_cents: 1,
    data: { stdout: '42\n', stderr: '', returncode: 3 },
  })
  expect((await exec(account, id, ['echo', '$HOME', '*'])).body.data.stdout).toBe('$HOME *\n')
  expect((await exec(account, id, ['no-such-program'])).body.data).toMatchObject({
    returncode: 127,
  })
  expect(await status(account, id)).toMatchObject({ status: 'running', returncode: null })
  const text = (await exec(account, id, "printf 'é漢🙂\\377'; cat answer")).body.data.stdout
  expect(text).toBe('é漢🙂\ufffd42\n')
})

confined('a command that takes too long returns -1, and the sandbox goes on', async () => {
  const account = await gateway().account(100)
  const id = await create(account)
  const late = await exec(account, id, 'echo begun; sleep 60', { timeout: 1 })
  expect(late.body.data).toMatchObject({ returncode: -1, timed_out: true, stdout: 'begun\n' })
  expect((await exec(account, id, 'echo on')).body.data.stdout).toBe('on\n')
})

confined('a startup command that fails is charged, and status tells', async () => {
  const account = await gateway().account(100)
  const created = await account.call('ns_sandbox/sandbox-create', { command: 'exit 5' })
  expect(created).toMatchObject({ status: 200, body: { charged_cents: 3 } })
  const id = created.body.data.sandbox_id
  await expect.poll(() => status(account, id)).toMatchObject({ status: 'failed', returncode: 5 })
  expect((await exec(account, id, 'echo on')).body.data.stdout).toBe('on\n')
  const ended = await account.call('ns_sandbox/sandbox-terminate', { sandbox_id: id })
  expect(ended.body.data).toMatchObject({ status: 'failed' })
  expect(await status(account, id)).toMatchObject({ status: 'failed', returncode: 5 })
})

confined(
  'a terminated sandbox runs nothing more; terminating it again changes nothing',
  async () => {
    const account = await gateway().account(100)
    const id = await create(account)
    const running = exec(account, id, 'touch started; sleep 60')
    await expect
      .poll(() => exec(account, id, 'ls started').then(({ body }) => body.data.returncode))
      .toBe(0)
    for (let turn = 0; turn < 2; turn += 1) {
      const ended = await account.call('ns_sandbox/sandbox-terminate', { sandbox_id: id })
      expect(ended.body.data).toMatchObject({ status: 'finished' })
    }
    expect(await running).toMatchObject({ status: 409, body: { error: 'session_closed' } })
    expect(await status(account, id)).toMatchObject({ status: 'finished' })
    expect(await exec(account, id, 'true')).toMatchObject({
      status: 409,
      body: { error: 'session_closed' },
    })
  },
)

confined('a sandbox ends when its time is over', async () => {
  const account = await gateway().account(100)
  const id = await create(account, { timeout: 1, command: 'sleep 300' })
  await expect.poll(() => status(account, id)).toMatchObject({ status: 'finished' })
  expect((await exec(account, id, 'true')).status).toBe(409)
})

confined('a sandbox that is asked for while it ends has not failed', async () => {
  const account = await gateway().account(100)
  const sandbox_id = await create(account)
  const ending = account.call('ns_sandbox/sandbox-terminate', { sandbox_id })
  const told = await Promise.all(Array.from({ length: 20 }, () => status(account, sandbox_id)))
  await ending
  for (const each of [...told, await status(account, sandbox_id)])
    expect(each.status).toMatch(/^(running|finished)$/)
})

confined('a sandbox of another account does not exist', async () => {
  const [owner, other] = [await gateway().account(100), await gateway().account(100)]
  const sandbox_id = await create(owner)
  for (const name of ['exec', 'status', 'terminate']) {
    const body = { sandbox_id, ...(name === 'exec' && { command: 'true' }) }
    expect((await other.call(`ns_sandbox/sandbox-${name}`, body)).status, name).toBe(404)
  }
  expect(await other.state()).toMatchObject({ availableCents: 100, heldCents: 0 })
})

confined('what this machine does not have is refused before anything is held', async () => {
  const account = await gateway().account(1_000)
  for (const body of [{ gpu: 'H100' }, { image: 'ubuntu:24.04' }, { gpu: 'T4', timeout: 3_000 }])
    expect(await account.call('ns_sandbox/sandbox-create', body)).toMatchObject({
      status: 400,
      body: { error: 'bad_request' },
    })
  const dear = await account.call('ns_sandbox/sandbox-create', {
    timeout: 3_600,
    max_cost_cents: 4,
  })
  expect(dear).toMatchObject({ status: 402, body: { error: 'max_cost_exceeded' } })
  expect(await account.state()).toMatchObject({ availableCents: 1_000, transactions: 0 })
})

confined(
  'the operator sees how boxes are limited, and no more are opened than allowed',
  async () => {
    const own = await startGateway({ env: { BOXES_AT_ONCE: '2' } })
    const [account, other, third] = [
      await own.account(100),
      await own.account(100),
      await own.account(100),
    ]
    await create(account)
    // One account has its share, however it asks for more.
    for (const action of ['ns_sandbox/sandbox-create', 'sess_a/create_session']) {
      const refusal = {
        error: 'too_many_inflight',
        message: expect.stringContaining('close a sandbox or a session'),
      }
      expect(await account.call(action, {})).toMatchObject({ status: 429, body: refusal })
      expect((await account.call(`${action}?quote=true`, {})).body.data).toMatchObject({
        allowed: false,
        refusal,
      })
      expect((await other.call(`${action}?quote=true`, {})).body.data.allowed).toBe(true)
    }
    expect((await account.state()).availableCents).toBe(97)
    await create(other)
    const quoted = await third.call('sess_a/create_session?quote=true', {})
    expect(quoted.body.data).toMatchObject({ allowed: false, refusal: { error: 'unavailable' } })
    expect(await third.call('ns_sandbox/sandbox-create', {})).toMatchObject({
      status: 503,
      body: { error: 'unavailable', message: expect.stringContaining('All boxes') },
    })
    const { body } = await own.request('GET', '/api/v1/admin/health', { key: adminToken })
    expect(body.boxes).toMatchObject({
      available: true,
      open: 2,
      at_once_max: 2,
      per_account_max: 1,
    })
    expect(['cgroup v2', 'cgroup v1', 'rlimits']).toContain(body.boxes.limits)
  },
)

confined(
  'boxes reach the web only where the operator allows it, and never this machine',
  async () => {
    const site = await serve((_incoming, response) => response.end('public'))
    const secret = await serve((_incoming, response) => response.end('secret'))
    onTestFinished(async () => void (await Promise.all([site.close(), secret.close()])))
    const start = (env: Record<string, string>) =>
      startGateway({ env: { ...env, EGRESS_ALLOW: site.host } })
    const ask = async (url: string, own: Gateway) => {
      const account = await own.account(100)
      const id = await create(account)
      const script = `import os, urllib.request
os.environ["no_proxy"] = "other.test"
opener = urllib.request.build_opener(urllib.request.ProxyHandler({"http": "http://127.0.0.1:3128"}))
print(opener.open("${url}", timeout=20).read().decode())`
      const { stdout, stderr } = (await exec(account, id, ['python3', '-c', script])).body.data
      return `${stdout}${stderr}`
    }
    const on = await start({ BOX_NETWORK_MB: '1' })
    expect(await ask(site.origin, on)).toBe('public\n')
    expect(await ask(secret.origin, on)).toContain('403')
    expect(await ask(site.origin, await start({}))).toContain('Connection refused')
    expect(secret.hits).toEqual([])
  },
)

test('without boxes the actions are unavailable, with the reason', async () => {
  const own = await startGateway({ env: { BOXES_AT_ONCE: '0' } })
  const account = await own.account(100)
  for (const action of ['ns_sandbox/sandbox-create', 'sess_a/create_session'])
    expect(await account.call(action, {})).toMatchObject({
      status: 503,
      body: { error: 'provider_not_configured' },
    })
  const { body } = await own.request('GET', '/api/run/sess_a/create_session')
  expect(body).toMatchObject({
    mode: 'unavailable',
    reason: expect.stringContaining('BOXES_AT_ONCE is 0.'),
  })
})
