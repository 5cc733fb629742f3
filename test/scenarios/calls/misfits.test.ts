// An answer with an unreadable row is sold without that row. The operator can read the misfit, without the provider's
// key.
import { afterAll, expect, test } from 'vitest'
import { providers } from '#catalog/providers.ts'
import { adminToken, type Gateway, shareGateway } from '#test/harness.ts'
import { exchangeOf, shareLeadVendors } from '#test/people/lead-vendors.ts'
import { startReplayServer } from '#test/replay-server.ts'
import { until } from '#test/until.ts'

const { vendor, gateway } = await shareLeadVendors()
const input = providers
  .find(({ id }) => id === 'ns_jobs')
  ?.actions.find(({ name }) => name === 'jobs')?.example.input

const misfitsOf = async (on: Gateway) => {
  const { body } = await on.request('GET', '/api/v1/admin/misfits', { key: adminToken })
  return body.misfits as { misfit_id: string; action: string; transaction_id: string }[]
}

async function callWith(body: unknown) {
  const account = await gateway().account(100)
  vendor.add([exchangeOf('ns_jobs/jobs', { body })])
  return { account, reply: await account.call('ns_jobs/jobs', input) }
}

async function kept(transactionId: string) {
  const find = async () =>
    (await misfitsOf(gateway())).find(({ transaction_id: id }) => id === transactionId)
  await until(async () => (await find()) !== undefined)
  const { misfit_id: id } = (await find()) as { misfit_id: string }
  return await gateway().request('GET', `/api/v1/admin/misfits/${id}`, { key: adminToken })
}

const template = () => structuredClone(exchangeOf('ns_jobs/jobs').reply.body) as { data: object[] }

test('readable rows are sold, and the others are left out and reported', async () => {
  const body = template()
  body.data.push('no job' as never)
  const { reply } = await callWith(body)
  expect(reply.body).toMatchObject({ ok: true, charged_cents: 40, data: { rows_dropped: 1 } })
  expect(reply.body.data.jobs).toHaveLength(body.data.length - 1)
  const { body: misfit } = await kept(reply.body.transaction_id)
  expect(misfit).toMatchObject({
    action: 'ns_jobs/jobs',
    problems: expect.arrayContaining([expect.stringMatching(/^jobs\.\d/)]),
    replies: [{ status: 200, cut: false }],
  })
  expect(JSON.parse(misfit.replies[0].body)).toEqual(body)
})

test('an answer that does not fit outside its rows costs nothing, and is stored truncated and without the key', async () => {
  const body = { data: 'not a list', echo: `key jobs:secret ${'x'.repeat(100_000)}` }
  const { account, reply } = await callWith(body)
  expect(reply).toMatchObject({ status: 500, body: { error: 'upstream_error' } })
  expect(await account.state()).toMatchObject({ availableCents: 100, heldCents: 0 })
  const { body: page } = await account.get('/api/v1/transactions')
  const misfit = await kept(page.transactions[0].transaction_id)
  expect(misfit.body.replies[0]).toMatchObject({ status: 200, cut: true })
  expect(misfit.body.replies[0].body).toContain('not a list')
  expect(JSON.stringify(misfit.body)).not.toContain('secret')
  expect(misfit.body.replies[0].body.length).toBeLessThanOrEqual(64_100)
  // Only the operator reads it.
  expect((await account.get(`/api/v1/admin/misfits/${misfit.body.misfit_id}`)).status).toBe(401)
  expect((await account.get('/api/v1/admin/misfits')).status).toBe(401)
})

const pages = await startReplayServer([])
afterAll(pages.close)
const reading = shareGateway({
  env: { NS_RESI_API_KEY: 'resi-key', NS_RESI_BASE_URL: pages.baseUrlFor('') },
})
const challenge =
  '<html><head><title>Just a moment...</title></head><body><script>window._cf_chl_opt={cType:"managed"}</script><p>Checking your browser before accessing the site.</p></body></html>'

test.each([
  ['a challenge page', challenge],
  ['an empty object', '{}'],
  ['an empty list', ' [] '],
  ['null', 'null'],
])('ns_resi/scrape does not sell %s', async (_name, text) => {
  const account = await reading().account(10)
  const query = { url: 'https://example.com/', browser: 'true', proxy_type: 'datacenter' }
  pages.add([{ request: { method: 'GET', path: '/general', query }, reply: { status: 200, text } }])
  const { status, body } = await account.call('ns_resi/scrape', { url: 'example.com' })
  expect([status, body.error]).toEqual([502, 'all_blocked'])
  expect(await account.state()).toMatchObject({ availableCents: 10, heldCents: 0 })
  expect(pages.problems()).toEqual([])
})

test('ns_resi/scrape sells an article about challenge pages', async () => {
  const account = await reading().account(10)
  const query = { url: 'https://example.com/', browser: 'true', proxy_type: 'datacenter' }
  const article = `<html><title>On walls</title><body><h1>On walls</h1>${'<p>Sites say “Just a moment” and check your browser before they let a reader in, and readers grow tired of being asked whether they are people.</p>'.repeat(40)}</body></html>`
  const reply = { status: 200, text: article }
  pages.add([{ request: { method: 'GET', path: '/general', query }, reply }])
  const { body } = await account.call('ns_resi/scrape', { url: 'example.com' })
  expect(body).toMatchObject({ ok: true, charged_cents: 1, data: { raw: article } })
})
