// Browsers at the vendor: the requests of its own client library, minutes that the gateway counts, and its paid
// endpoint.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Browserbase } from '#oracles/browserbase.ts'
import { startBrowserVendor, startPaidEndpoint, vendorKey } from '#test/browsers/browser-vendor.ts'
import { createSkippingClock } from '#test/browsers/skipping-clock.ts'
import { adminToken, shareGateway, startGateway, type TestAccount } from '#test/harness.ts'
import { createSessionProvider, createTestMachine } from '#test/sessions/session-gateway.ts'
import { testWallet } from '#test/test-wallet.ts'
import { until } from '#test/until.ts'

let vendor: Awaited<ReturnType<typeof startBrowserVendor>>
const endings: (() => Promise<void>)[] = []
beforeAll(async () => {
  vendor = await startBrowserVendor((work) => endings.push(work))
})
afterAll(async () => {
  for (const end of endings) await end()
})
const clock = createSkippingClock()
const settings = (env: Record<string, string> = {}) => ({
  clock,
  providers: [createSessionProvider(createTestMachine())],
  env: { NS_BROWSER_API_KEY: vendorKey, NS_BROWSER_BASE_URL: vendor.url, ...env },
})
const shared = shareGateway(() => settings())

async function open(gateway = shared()) {
  Object.assign(vendor.next, { refuses: undefined, creates: undefined, answers: undefined })
  vendor.asked.splice(0)
  const account = await gateway.account(100)
  const call = (action: string, body: object) => account.call(`ns_browser/${action}`, body)
  return { gateway, account, call }
}

/** The browsers that the test has ordered. */
const creations = () => vendor.asked.filter(({ request }) => request === 'POST /v1/sessions')

/** As the list of its owner's sessions says. */
const reasonOf = async (account: TestAccount, id: string) =>
  (await account.get(`/api/v1/sessions/${id}`)).body.close_reason

describe('at the vendor', () => {
  test('the requests are those of its own client library', async () => {
    const { call } = await open()
    const proxies = { country: 'de' }
    const { body } = await call('create_session', { keepAlive: true, proxies })
    const session_id = body.data.sessionId
    const userMetadata = vendor.metadataOf(session_id) as Record<string, string>
    await call('session_status', { session_id })
    await call('release_session', { session_id })
    const own = vendor.asked.splice(0)

    const client = new Browserbase({ apiKey: vendorKey, baseURL: vendor.url })
    const { id } = await client.sessions.create({
      api_timeout: 21_600,
      keepAlive: true,
      userMetadata,
      proxies: [{ type: 'browserbase', geolocation: { country: 'DE' } }],
    })
    await client.sessions.retrieve(id)
    await client.sessions.update(id, { status: 'REQUEST_RELEASE' })
    const byId = (asked: typeof own, session: string) =>
      asked.map(({ request, body }) => ({ request: request.replace(session, '{id}'), body }))
    expect(byId(own, session_id)).toEqual(byId(vendor.asked, id))
  })

  test('a session is released when its paid minutes are over, and not before', async () => {
    const { account, call } = await open()
    const created = await call('create_session', { estimatedMinutes: 4 })
    expect(created.body).toMatchObject({
      charged_usd: '0.008000',
      data: { status: 'active', paidMinutes: 4, connectUrl: expect.stringMatching(/^wss:/) },
    })
    const session_id = created.body.data.sessionId
    clock.skip(180_000)
    const extended = await call('extend_session', { session_id, estimatedMinutes: 1 })
    expect(extended.body).toMatchObject({ charged_usd: '0.002000', data: { paidMinutes: 5 } })
    clock.skip(60_000)
    expect((await call('session_status', { session_id })).body.data).toMatchObject({ alive: true })
    clock.skip(70_000)
    await until(async () => vendor.statusOf(session_id) === 'COMPLETED')
    await until(async () => {
      const { body } = await call('session_status', { session_id })
      return body.data.status === 'expired'
    })
    expect((await call('extend_session', { session_id })).body.error).toBe('session_closed')
    expect(await account.state()).toMatchObject({ availableCents: 99, heldCents: 0 })
    expect(await reasonOf(account, session_id)).toBe('lifetime')
  })

  test('a recording is refused for nothing before the vendor opens a browser', async () => {
    const { account, call } = await open()
    const { status, body } = await call('create_session', { recording: true })
    expect([status, body.error]).toEqual([400, 'bad_request'])
    expect(body.message).toContain('leave recording out')
    expect(creations()).toEqual([])
    expect(await account.state()).toMatchObject({ availableCents: 100, heldCents: 0 })
  })

  test('a session that the vendor has ended is released here too, and sells no more minutes', async () => {
    const { account, call } = await open()
    const [one, two] = [await call('create_session', {}), await call('create_session', {})]
    for (const { body } of [one, two]) vendor.complete(body.data.sessionId)
    const status = await call('session_status', { session_id: one.body.data.sessionId })
    expect(status.body.data).toMatchObject({
      status: 'released',
      alive: false,
      remainingSeconds: 0,
    })
    const extended = await call('extend_session', { session_id: two.body.data.sessionId })
    expect([extended.status, extended.body.error]).toEqual([409, 'session_closed'])
    for (const { body } of [one, two])
      expect(await reasonOf(account, body.data.sessionId)).toBe('lost')
  })

  test('a session above the limit of its account is not asked for, and costs nothing', async () => {
    const { account, call } = await open(
      await startGateway(settings({ BROWSERS_PER_ACCOUNT: '1' })),
    )
    expect((await call('create_session', {})).status).toBe(200)
    const refused = await call('create_session', {})
    expect([refused.status, refused.body.error]).toEqual([429, 'too_many_inflight'])
    expect(creations()).toHaveLength(1)
    expect(await account.state()).toMatchObject({ availableCents: 99, heldCents: 0 })
  })

  test('a session whose creation is not answered is found by its name, and released', async () => {
    const { account, call } = await open()
    const before = vendor.running()
    const running = () => vendor.running().filter((id) => !before.includes(id))
    const paid = (await call('create_session', {})).body.data.sessionId
    vendor.next.creates = 'lost'
    expect((await call('create_session', {})).body).toMatchObject({ error: 'upstream_error' })
    const [lost = ''] = running().filter((id) => id !== paid)
    await until(async () => vendor.statusOf(lost) === 'COMPLETED')
    expect(running()).toEqual([paid])
    expect(await account.state()).toMatchObject({ availableCents: 99, heldCents: 0 })

    const isList = ({ request }: { request: string }) => request.startsWith('GET /v1/sessions?')
    const own = vendor.asked.find(isList)
    vendor.asked.splice(0)
    const client = new Browserbase({ apiKey: vendorKey, baseURL: vendor.url })
    await client.sessions.list({
      q: `user_metadata['tollway']:'${vendor.metadataOf(lost)?.tollway}'`,
    })
    const query = (asked = own) => [
      ...new URL(asked?.request.slice(4) ?? '', vendor.url).searchParams,
    ]
    expect(query()).toEqual(query(vendor.asked.find(isList)))
  })

  test.each(['ERROR', 'COMPLETED', 'TIMED_OUT'])(
    'a session that is created as %s is not sold, and is released',
    async (status) => {
      const { account, call } = await open()
      vendor.next.answers = { status }
      const before = vendor.running()
      expect((await call('create_session', {})).body).toMatchObject({ error: 'upstream_error' })
      expect(await account.state()).toMatchObject({ availableCents: 100, heldCents: 0 })
      await until(async () => vendor.running().length === before.length)
      expect(vendor.running()).toEqual(before)
      expect((await account.get('/api/v1/sessions')).body.sessions).toEqual([])
    },
  )

  test.each(['../../x?y=1', '', '..', 'x'.repeat(100_000)])(
    'a session whose id callers could not send back is not sold, and is released: %#',
    async (id) => {
      const { account, call } = await open()
      vendor.next.answers = { id }
      const before = vendor.running()
      expect((await call('create_session', {})).body).toMatchObject({ error: 'upstream_error' })
      expect(await account.state()).toMatchObject({ availableCents: 100, heldCents: 0 })
      await until(async () => vendor.running().length === before.length)
      expect(vendor.running()).toEqual(before)
    },
  )

  test('a session of a call that was voided after its creation ends here too', async () => {
    const { gateway, account, call } = await open()
    const session_id = (await call('create_session', {})).body.data.sessionId
    // As the end of a voided call does.
    await gateway.database.query(`select undo_effects_at(id, '') from call where account_id = $1`, [
      account.id,
    ])
    expect((await call('session_status', { session_id })).status).toBe(404)
    await until(async () => vendor.statusOf(session_id) === 'COMPLETED')
  })

  test('a session is among the other sessions of its owner, and is closed there too', async () => {
    const { gateway, account, call } = await open()
    const at = '/api/v1/sessions'
    const box = async () =>
      (await account.call('boxes/create_session', {})).body.data.session_id as string
    const older = await box()
    const { sessionId } = (await call('create_session', { estimatedMinutes: 11 })).body.data
    await call('extend_session', { session_id: sessionId, estimatedMinutes: 4 })
    const newer = await box()
    clock.skip(90_000)
    const { sessions, next_cursor } = (await account.get(`${at}?limit=2`)).body
    expect(sessions).toMatchObject([
      { session_id: newer },
      {
        session_id: sessionId,
        action: 'ns_browser/create_session',
        status: 'open',
        cost_cents: 3,
        charged_cents: 3,
        held_cents: 0,
        last_used_at: null,
        ended_at: null,
      },
    ])
    expect(sessions[1].used_seconds.browser).toBeGreaterThanOrEqual(90)
    const rest = (await account.get(`${at}?limit=2&cursor=${next_cursor}`)).body
    expect(rest).toMatchObject({ sessions: [{ session_id: older }], next_cursor: null })

    const limited = await gateway.request('POST', '/api/v1/keys', {
      key: account.key,
      body: { max_cents_per_day: 5 },
    })
    for (const { key } of [{ key: limited.body.api_key }, await gateway.account(1)]) {
      expect((await gateway.request('GET', at, { key })).body.sessions).toEqual([])
      for (const method of ['GET', 'DELETE'])
        expect((await gateway.request(method, `${at}/${sessionId}`, { key })).status).toBe(404)
    }
    const { key } = account
    const run = await gateway.request('POST', `${at}/${sessionId}/run`, {
      key,
      body: { command: 'true' },
    })
    expect(run).toMatchObject({ status: 400, body: { error: 'bad_request' } })
    expect(run.body.message).toContain('connectUrl')
    const closed = await gateway.request('DELETE', `${at}/${sessionId}`, { key })
    expect(closed.body).toMatchObject({
      status: 'closed',
      close_reason: 'closed',
      charged_cents: 3,
    })
    expect(vendor.statusOf(sessionId)).toBe('COMPLETED')
    for (const method of ['GET', 'DELETE'])
      expect((await gateway.request(method, `${at}/${sessionId}`, { key })).body).toEqual(
        closed.body,
      )
    const live = (await account.get(`${at}?status=live`)).body.sessions
    expect(live.map(({ session_id }: { session_id: string }) => session_id)).not.toContain(
      sessionId,
    )
  })

  test('a refusal of the vendor costs nothing', async () => {
    const { account, call } = await open()
    for (const status of [402, 429, 500]) {
      vendor.next.refuses = status
      expect((await call('create_session', {})).body.ok).toBe(false)
    }
    expect(await account.state()).toMatchObject({ availableCents: 100, heldCents: 0 })
  })

  test('the operator ends a session there', async () => {
    const { gateway, account, call } = await open()
    const { sessionId } = (await call('create_session', { estimatedMinutes: 30 })).body.data
    await gateway.database.query(`update account set name = 'شركة' where id = $1`, [account.id])
    const rented = await gateway.request('GET', '/api/v1/admin/browsers', { key: adminToken })
    expect(rented.body.browsers).toMatchObject([{ account_id: account.id, account_name: 'شركة' }])
    const at = `/api/v1/admin/browsers/${sessionId}`
    await gateway.request('DELETE', at, { key: adminToken })
    await until(async () => vendor.statusOf(sessionId) === 'COMPLETED')
    expect(await reasonOf(account, sessionId)).toBe('operator')
    const audit = '/api/v1/admin/audit?action=browser.end'
    expect((await gateway.request('GET', audit, { key: adminToken })).body.actions).toMatchObject([
      { action: 'browser.end', subject: sessionId },
    ])
  })

  test('a session ends with the key that has rented it, and says so', async () => {
    const { gateway, account } = await open()
    const { body: made } = await gateway.request('POST', '/api/v1/keys', {
      key: account.key,
      body: {},
    })
    const created = await gateway.request('POST', '/api/run/ns_browser/create_session', {
      key: made.api_key,
      body: { estimatedMinutes: 30 },
    })
    const { sessionId } = created.body.data
    await gateway.request('DELETE', `/api/v1/keys/${made.key_id}`, { key: account.key })
    await until(async () => vendor.statusOf(sessionId) === 'COMPLETED')
    await until(async () => (await reasonOf(account, sessionId)) === 'key_ended')
    const { sessions } = (await account.get('/api/v1/sessions')).body
    expect(sessions[0]).toMatchObject({ session_id: sessionId, close_reason: 'key_ended' })
  })
})

test('its paid endpoint sells minutes to the operator’s wallet', async () => {
  const endpoint = await startPaidEndpoint()
  const gateway = await startGateway({
    env: { NS_BROWSER_BASE_URL: endpoint.url },
    upstreamWallet: testWallet,
  })
  const account = await gateway.account(100)
  const call = (action: string, body: object) => account.call(`ns_browser/${action}`, body)
  const created = await call('create_session', { estimatedMinutes: 10 })
  expect(created.body).toMatchObject({
    charged_cents: 2,
    data: { status: 'active', paidMinutes: 10, connectUrl: expect.stringMatching(/^wss:/) },
  })
  const session_id = created.body.data.sessionId
  const extended = await call('extend_session', { session_id, estimatedMinutes: 5 })
  expect(extended.body).toMatchObject({ charged_usd: '0.010000', data: { paidMinutes: 15 } })
  expect((await call('session_status', { session_id })).body.data).toMatchObject({ alive: true })
  for (const _time of [1, 2])
    expect((await call('release_session', { session_id })).body.data).toMatchObject({
      status: 'released',
    })
  expect(endpoint.paid).toEqual([0.02, 0.01])
  const proxied = await call('create_session', { proxies: { country: 'US' } })
  expect([proxied.status, proxied.body.error]).toEqual([400, 'bad_request'])
  const unfit = [
    ...['error', 'expired', 'completed'].map((status) => ({ status })),
    ...['../../x?y=1', '', 'x'.repeat(100_000)].map((sessionId) => ({ sessionId })),
  ]
  for (const answers of unfit) {
    endpoint.next.answers = answers
    const dead = await call('create_session', { estimatedMinutes: 10 })
    expect([dead.status, dead.body.error]).toEqual([500, 'upstream_error'])
  }
  expect(await account.state()).toMatchObject({ availableCents: 97, heldCents: 0 })
})
