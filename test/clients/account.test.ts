// The routes other than actions: the account, its statement, keys and sessions.
import { TollwayError } from '@tollway/client'
import { expect, test } from 'vitest'
import { adminToken, shareGatewayOfWorker } from '#test/harness.ts'
import { openBreakingProxy } from './breaking-proxy.ts'
import { collect, openClient } from './open-client.ts'

const gateway = shareGatewayOfWorker()
async function open() {
  const account = await gateway().account(100)
  return { account, tollway: openClient(gateway(), account) }
}

test('the account and one transaction are read', async () => {
  const { account, tollway } = await open()
  const { transactionId = '' } = await tollway.run('test/echo', { text: 'hi' })
  const { account_id, available_usd } = await tollway.request('GET /api/v1/account')
  expect({ account_id, available_usd }).toEqual({
    account_id: account.id,
    available_usd: '0.980000',
  })
  const path = { id: transactionId }
  const { output, charged_cents } = await tollway.request('GET /api/v1/transactions/{id}', { path })
  expect({ output, charged_cents }).toEqual({ output: { echo: 'hi' }, charged_cents: 2 })
})

test('the rows of a list are read over all pages, and those that a filter admits', async () => {
  const { tollway } = await open()
  const called: (string | undefined)[] = []
  for (const text of ['1', '2', '3'])
    called.push((await tollway.run('test/echo', { text })).transactionId)
  await tollway.run('test/fails', { code: 'not_found' }).catch(() => undefined)

  const calls: string[] = []
  const query = { type: 'call', status: 'succeeded', limit: 2 } as const
  for await (const row of tollway.list('GET /api/v1/transactions', { query }))
    calls.push(row.transaction_id)
  expect(calls).toEqual(called.toReversed())
  // @ts-expect-error There is no such filter, and the gateway says so.
  const refused = tollway.list('GET /api/v1/transactions', { query: { state: 'failed' } })
  await expect(collect(refused)).rejects.toBeInstanceOf(TollwayError)
  // @ts-expect-error This route has no rows.
  tollway.list('GET /api/v1/account')
})

test('keys are issued, limited and revoked', async () => {
  const { account, tollway } = await open()
  const { api_key, key_id } = await tollway.request('POST /api/v1/keys', { body: { name: 'ci' } })
  const path = { id: key_id }
  await tollway.request('PATCH /api/v1/keys/{id}', { path, body: { max_cents_per_call: 1 } })
  await expect(openClient(gateway(), { key: api_key }).run('test/echo', {})).rejects.toMatchObject({
    code: 'spend_limit_reached',
  })
  await tollway.request('DELETE /api/v1/keys/{id}', { path })
  const keys = await collect(tollway.list('GET /api/v1/keys'))
  expect(keys.map(({ name, revoked_at }) => [name, revoked_at !== null])).toContainEqual([
    'ci',
    true,
  ])
  expect((await account.state()).availableCents).toBe(100)
})

test('a key is issued once when the answer is lost', async () => {
  const { account, tollway } = await open()
  const proxy = await openBreakingProxy(gateway().url)
  proxy.next('cut answer')
  const behind = openClient({ url: proxy.url }, account)
  await behind.request('POST /api/v1/keys', { body: { name: 'once' } })
  const keys = await collect(tollway.list('GET /api/v1/keys'))
  expect(keys.filter(({ name }) => name === 'once')).toHaveLength(1)
})

test('the operator credits an account, and finds it in a list', async () => {
  const { account } = await open()
  const operator = openClient(gateway(), { key: adminToken })
  const path = { id: account.id }
  const body = { amount_cents: 5, reason: 'A gift' }
  const credited = await operator.request('POST /api/v1/admin/accounts/{id}/credit', { path, body })
  expect(credited.available_cents).toBe(105)
  const query = { search: account.id }
  const found = await collect(operator.list('GET /api/v1/admin/accounts', { query }))
  expect(found.map(({ account_id, available_usd }) => [account_id, available_usd])).toEqual([
    [account.id, '1.050000'],
  ])
})
