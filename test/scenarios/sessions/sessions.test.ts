// Sessions over HTTP: created by an action, used, listed and closed by their own addresses.
import { describe, expect, test } from 'vitest'
import { adminToken, shareGateway } from '#test/harness.ts'
import { createSessionProvider, createTestMachine } from '#test/sessions/session-gateway.ts'

const machine = createTestMachine()
const gateway = shareGateway({ providers: [createSessionProvider(machine)] })
const noSession = '/api/v1/sessions/01970000-0000-7000-8000-000000000000'

test('a session is created, used, listed and closed, and only its use is charged', async () => {
  const account = await gateway().account(100)
  const { key } = account
  const created = await account.call('boxes/create_session', {})
  expect(created).toMatchObject({ status: 200, body: { ok: true, charged_cents: 0 } })
  const { session_id } = created.body.data
  const at = `/api/v1/sessions/${session_id}`
  expect(await account.state()).toMatchObject({ availableCents: 95, heldCents: 5 })

  const body = { command: 'echo hello' }
  expect(await gateway().request('POST', `${at}/run`, { key, body })).toMatchObject({
    status: 200,
    body: { stdout: session_id, exit_code: 0, timed_out: false },
  })
  expect((await account.get('/api/v1/sessions')).body).toMatchObject({
    sessions: [{ session_id, status: 'open', held_cents: 5 }],
    next_cursor: null,
  })
  const closed = await gateway().request('DELETE', at, { key })
  expect(closed.body).toMatchObject({ status: 'closed', close_reason: 'closed', held_cents: 0 })
  expect((await gateway().request('DELETE', at, { key })).body).toEqual(closed.body)
  const [{ paid } = { paid: '' }] = await gateway().database.query<{ paid: string }>(
    'select charged::text as paid from call where id = $1',
    [session_id],
  )
  expect(Number(closed.body.charged_usd) * 1_000_000).toBeCloseTo(Number(paid))
  expect(await account.state()).toMatchObject({ heldCents: 0 })
  expect(machine.boxes.has(session_id)).toBe(false)
})

test('a session is not a job: it is not listed as one, and cannot be cancelled', async () => {
  const account = await gateway().account(100)
  const { session_id } = (await account.call('boxes/create_session', {})).body.data
  expect((await account.get('/api/v1/jobs')).body.jobs).toEqual([])
  const cancelled = await account.call('tollway/cancel', { job_id: session_id })
  expect([cancelled.status, cancelled.body.error]).toEqual([400, 'bad_request'])
  expect(cancelled.body.message).toContain('DELETE /api/v1/sessions/')
  expect(await account.state()).toMatchObject({ heldCents: 5 })
})

test('the same Idempotency-Key creates one session', async () => {
  const account = await gateway().account(100)
  const headers = { 'idempotency-key': 'one-session' }
  const first = await account.call('boxes/create_session', {}, headers)
  const again = await account.call('boxes/create_session', {}, headers)
  expect(again.body.data).toEqual(first.body.data)
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  expect((await account.get('/api/v1/sessions')).body.sessions).toHaveLength(1)
})

test('the same Idempotency-Key runs a command once', async () => {
  const account = await gateway().account(100)
  const { session_id } = (await account.call('boxes/create_session', {})).body.data
  const options = {
    key: account.key,
    body: { command: 'true' },
    headers: { 'idempotency-key': 'one-command' },
  }
  const before = machine.commands
  const run = () => gateway().request('POST', `/api/v1/sessions/${session_id}/run`, options)
  const first = await run()
  const again = await run()
  expect(again.body).toEqual(first.body)
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  expect(machine.commands).toBe(before + 1)
})

test('a description tells where sessions are run and closed', async () => {
  const described = await gateway().request('GET', '/api/run/boxes/create_session')
  expect(described.body).toMatchObject({
    price: { mode: 'dynamic', text: '5¢ per vCPU-hour, by the second' },
    session: { run: 'POST /api/v1/sessions/{session_id}/run' },
  })
})

test('a quote tells what is held, and the most that a call of the session can cost', async () => {
  const account = await gateway().account(100)
  const quote = async (body: object) =>
    (await account.call('boxes/create_session?quote=true', body)).body.data.price
  expect(await quote({})).toMatchObject({ kind: 'cap', cents: 5, min_cents: 0, max_cents: 1_000 })
  expect(await quote({ max_cost_cents: 3 })).toMatchObject({ cents: 3, max_cents: 1_000 })
})

test('a session of another account does not exist, at any address', async () => {
  const [owner, other] = [await gateway().account(100), await gateway().account(100)]
  const { session_id } = (await owner.call('boxes/create_session', {})).body.data
  const at = `/api/v1/sessions/${session_id}`
  const options = { key: other.key }
  const run = { ...options, body: { command: 'true' } }
  for (const path of [at, noSession, '/api/v1/sessions/nonsense']) {
    expect((await gateway().request('GET', path, options)).status).toBe(404)
    expect((await gateway().request('DELETE', path, options)).status).toBe(404)
    expect((await gateway().request('POST', `${path}/run`, run)).status).toBe(404)
  }
  expect((await other.get('/api/v1/sessions')).body.sessions).toEqual([])
})

test.each([
  [{}],
  [{ command: 'true', code: '1' }],
  [{ command: 'true', language: 'python' }],
  [{ code: '1', language: 'cobol' }],
  [{ command: 'true', timeout: 0 }],
])('a run that is neither a command nor code is refused: %o', async (body) => {
  const account = await gateway().account(100)
  const { session_id } = (await account.call('boxes/create_session', {})).body.data
  const path = `/api/v1/sessions/${session_id}/run`
  const reply = await gateway().request('POST', path, { key: account.key, body })
  expect(reply).toMatchObject({ status: 400, body: { error: 'bad_request' } })
})

test('an account that cannot pay the reserve reads insufficient_balance', async () => {
  const account = await gateway().account(4)
  const refused = await account.call('boxes/create_session', {})
  expect(refused).toMatchObject({ status: 402, body: { error: 'insufficient_balance' } })
})

describe('the operator', () => {
  test('sees the sessions of all accounts and can close one', async () => {
    const account = await gateway().account(100)
    const { session_id } = (await account.call('boxes/create_session', {})).body.data
    const key = adminToken
    const listed = await gateway().request('GET', '/api/v1/admin/sessions?status=live&limit=1', {
      key,
    })
    expect(listed.body.sessions).toMatchObject([{ session_id, account_id: account.id }])
    const killed = await gateway().request('DELETE', `/api/v1/admin/sessions/${session_id}`, {
      key,
    })
    expect(killed.body).toMatchObject({ status: 'closed', close_reason: 'operator' })
    expect(await account.state()).toMatchObject({ heldCents: 0 })
    const audit = '/api/v1/admin/audit?action=session.close'
    expect((await gateway().request('GET', audit, { key })).body.actions).toMatchObject([
      { action: 'session.close', subject: session_id },
    ])
  })

  test('sees whose sessions they are by name', async () => {
    const key = adminToken
    const body = { name: '東京データ', balance_cents: 100 }
    const { body: made } = await gateway().request('POST', '/api/v1/admin/accounts', { key, body })
    await gateway().call('boxes/create_session', {}, { key: made.api_key })
    await (await gateway().account(100)).call('boxes/create_session', {})
    const listed = await gateway().request('GET', '/api/v1/admin/sessions?limit=2', { key })
    const named = listed.body.sessions.map((each: { account_name?: string }) => each.account_name)
    expect(named).toEqual([undefined, '東京データ'])
  })

  test('sees how full the machine is', async () => {
    const account = await gateway().account(100)
    await account.call('boxes/create_session', {})
    const key = adminToken
    const { body } = await gateway().request('GET', '/api/v1/admin/health', { key })
    const boxes = body.sessions.find(
      ({ action }: { action: string }) => action === 'boxes/create_session',
    )
    expect(boxes).toMatchObject({ open_max: 1_000, to_remove: 0 })
    expect(boxes.pressure).toBe(boxes.open / 1_000)
    expect(boxes.open).toBeGreaterThan(0)
  })
})
