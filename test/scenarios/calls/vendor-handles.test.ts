// An id that a vendor issues belongs to the caller that paid for it. Others read 404 for free, and the vendor is not
// asked.
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { systemClock as clock } from '#platform/clock.ts'
import { createRetention } from '#runner/history/retention.ts'
import { type Gateway, shareGateway, verify } from '#test/harness.ts'
import { startReplayServer } from '#test/replay-server.ts'
import { silentLog as log } from '#test/silent-log.ts'

const vendor = await startReplayServer([])
afterAll(vendor.close)
const shared = shareGateway({
  env: { NS_RENDER_B_BASE_URL: vendor.baseUrlFor(''), CRW_API_KEY: 'crw-key' },
})

test('the caller that launched work can poll for it; others read 404', async () => {
  const gateway = shared()
  const [owner, other] = [await gateway.account(50), await gateway.account(50)]
  expect((await owner.call('test/launch', { id: 'work-1' })).status).toBe(200)

  const own = await owner.call('test/poll', { id: 'work-1' })
  expect(own.body).toMatchObject({ ok: true, data: { status: 'completed' }, charged_cents: 1 })

  gateway.provider.asked.length = 0
  for (const [account, id] of [
    [other, 'work-1'],
    [other, 'never-issued'],
    [owner, 'never-issued'],
  ] as const) {
    const reply = await account.call('test/poll', { id })
    expect(reply.status).toBe(404)
    expect(reply.body).toMatchObject({ ok: false, error: 'not_found' })
    const quoted = await gateway.request('POST', '/api/run/test/poll?quote=true', {
      key: account.key,
      body: { id },
    })
    expect(quoted.status).toBe(404)
  }
  expect(gateway.provider.asked).toEqual([])
  expect(await other.state()).toEqual({ availableCents: 50, heldCents: 0, transactions: 0 })
  expect(await owner.state()).toEqual({ availableCents: 39, heldCents: 0, transactions: 2 })
  expect(await verify(gateway)).toMatchObject({ ok: true })
})

test('two payers of one id both own it, and a launch that failed issues none', async () => {
  const gateway = shared()
  const [one, two] = [await gateway.account(50), await gateway.account(50)]
  await one.call('test/launch', { id: 'shared' })
  await two.call('test/launch', { id: 'shared' })
  await one.call('test/launch', { id: 'failed', fails: true })
  expect((await one.call('test/poll', { id: 'shared' })).status).toBe(200)
  expect((await two.call('test/poll', { id: 'shared' })).status).toBe(200)
  expect((await one.call('test/poll', { id: 'failed' })).status).toBe(404)
})

test('an action that lists sees the caller’s own ids only, newest first', async () => {
  const gateway = shared()
  const [one, two] = [await gateway.account(50), await gateway.account(50)]
  await one.call('test/launch', { id: 'first' })
  await two.call('test/launch', { id: 'foreign' })
  await one.call('test/launch', { id: 'second' })
  expect((await one.call('test/list', {})).body.data.ids).toEqual(['second', 'first'])
  expect((await two.call('test/list', {})).body.data.ids).toEqual(['foreign'])
})

test('ownership also applies inside other actions, with the payer of the outer call', async () => {
  const gateway = shared()
  const [one, two] = [await gateway.account(50), await gateway.account(50)]
  await one.call('test/relay', { to: 'test/launch', body: { id: 'inner' } })
  expect((await one.call('test/poll', { id: 'inner' })).status).toBe(200)
  const foreign = await two.call('test/tolerant-relay', { to: 'test/poll', body: { id: 'inner' } })
  expect(foreign.body.data.data).toEqual({ failed: 'not_found' })
  expect(gateway.provider.asked).toEqual([{ id: 'inner', fails: false }, { id: 'inner' }])
})

test('a limited key owns the work that it launched; an unlimited one owns the work of all keys of its account', async () => {
  const gateway = shared()
  const account = await gateway.account(100)
  const limited = async () => {
    const { body } = await gateway.request('POST', '/api/v1/keys', {
      key: account.key,
      body: { actions: ['test/*'] },
    })
    return body.api_key as string
  }
  const [one, two] = [await limited(), await limited()]
  await gateway.call('test/launch', { id: 'of-one' }, { key: one })
  await gateway.call('test/launch', { id: 'of-both' }, { key: one })
  await gateway.call('test/launch', { id: 'of-both' }, { key: two })
  await account.call('test/launch', { id: 'of-account' })
  const sees = async (key: string) => ({
    listed: (await gateway.call('test/list', {}, { key })).body.data.ids,
    polled: await Promise.all(
      ['of-one', 'of-both', 'of-account'].map(
        async (id) => (await gateway.call('test/poll', { id }, { key })).status,
      ),
    ),
  })
  expect(await sees(one)).toEqual({ listed: ['of-both', 'of-one'], polled: [200, 200, 404] })
  expect(await sees(two)).toEqual({ listed: ['of-both'], polled: [404, 200, 404] })
  expect(await sees(account.key)).toEqual({
    listed: ['of-account', 'of-both', 'of-one'],
    polled: [200, 200, 200],
  })
})

/** Makes all ids older by 31 days, and lets the gateway forget. */
async function spendAMonth({ database }: Gateway) {
  await database.query(`update vendor_handle set created_at = created_at - interval '31 days'`)
  const retention = createRetention({ database, clock, log, alsoOld: [] })
  onTestFinished(retention.close)
  await retention.sweep()
}

test('ids are forgotten after a month, except those of things that are kept', async () => {
  const gateway = shared()
  const owner = await gateway.account(50)
  await owner.call('test/launch', { id: 'old' })
  await owner.call('test/launch', { id: 'kept', isKept: true })
  await spendAMonth(gateway)
  expect((await owner.call('test/poll', { id: 'old' })).status).toBe(404)
  expect((await owner.call('test/poll', { id: 'kept' })).status).toBe(200)
})

test('a thing that was removed is listed no more, its removal can be repeated, and its id is forgotten after a month', async () => {
  const gateway = shared()
  const owner = await gateway.account(50)
  await owner.call('test/launch', { id: 'removed', isKept: true })
  await owner.call('test/launch', { id: 'left', isKept: true })
  const discard = () =>
    owner.call('test/discard', { id: 'removed' }, { 'idempotency-key': 'discard-removed' })
  expect((await discard()).status).toBe(200)
  expect((await owner.call('test/list', {})).body.data.ids).toEqual(['left'])
  expect((await discard()).headers.get('idempotency-replayed')).toBe('true')
  await spendAMonth(gateway)
  expect((await owner.call('test/poll', { id: 'removed' })).status).toBe(404)
  expect((await owner.call('test/list', {})).body.data.ids).toEqual(['left'])
})

test('a real crawl action: its payer can poll it, and polls of others never reach the vendor', async () => {
  const id = '3f2a1b4c-8e9d-4f7a-b6c5-2d1e0f9a8b7c'
  vendor.add([
    {
      request: {
        method: 'POST',
        path: '/v1/crawl',
        query: {},
        body: { url: 'https://example.com/', maxPages: 2, maxDepth: 2 },
      },
      reply: { status: 200, body: { success: true, id } },
    },
    {
      request: { method: 'GET', path: `/v1/crawl/${id}`, query: {} },
      reply: {
        status: 200,
        body: { success: true, status: 'completed', total: 0, completed: 0, data: [] },
      },
    },
  ])
  const gateway = shared()
  const [owner, other] = [await gateway.account(50), await gateway.account(50)]
  const launch = { url: 'https://example.com/', maxPages: 2 }
  const launched = await owner.call('ns_render_b/crawl', launch)
  expect(launched.body).toMatchObject({ data: { id }, charged_cents: 10 })
  expect((await other.call('ns_render_b/crawl_status', { id })).status).toBe(404)
  const polled = await owner.call('ns_render_b/crawl_status', { id })
  expect(polled.body).toMatchObject({ data: { status: 'completed' }, charged_cents: 1 })
  expect(vendor.problems()).toEqual([])
  expect(await owner.state()).toEqual({ availableCents: 39, heldCents: 0, transactions: 2 })
  expect(await other.state()).toEqual({ availableCents: 50, heldCents: 0, transactions: 0 })
})
