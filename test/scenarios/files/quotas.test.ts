// How much a caller may store, and when reserved room is free again.
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { adminToken, type Gateway, shareGateway, type TestAccount } from '#test/harness.ts'

const minuteMs = 60_000
let aheadMs = 0
const clock = { ...systemClock, now: () => systemClock.now() + aheadMs }
const shared = shareGateway({ env: { FILES_QUOTA_MB: '1' }, clock })

const reserve = (account: TestAccount, size_bytes: number) =>
  account.call('files/upload', { filename: 'x', size_bytes })
const usedBy = async (account: TestAccount) =>
  (await account.call('files/list', {})).body.data.used_bytes
const operate = (gateway: Gateway, id: string, body?: object) =>
  gateway.request(body ? 'PATCH' : 'GET', `/api/v1/admin/accounts/${id}/files`, {
    key: adminToken,
    body,
  })

test('the operator gives an account a quota of its own, and takes it back', async () => {
  const gateway = shared()
  const account = await gateway.account(10)
  expect((await operate(gateway, account.id)).body).toEqual({
    account_id: account.id,
    files: 0,
    used_bytes: 0,
    quota_bytes: 1_000_000,
    quota_from: 'setting',
  })
  const raised = await operate(gateway, account.id, { quota_bytes: 1_000_001 })
  expect(raised.body).toMatchObject({ quota_bytes: 1_000_001, quota_from: 'account' })
  expect((await reserve(account, 1_000_001)).status).toBe(200)
  await operate(gateway, account.id, { quota_bytes: 0 })
  expect((await reserve(account, 0)).body.error).toBe('file_quota_exceeded')
  const back = await operate(gateway, account.id, { quota_bytes: null })
  expect(back.body).toMatchObject({ files: 1, used_bytes: 1_000_001, quota_from: 'setting' })
})

test('only an account that exists has a quota, and only the operator sees it', async () => {
  const gateway = shared()
  const account = await gateway.account(10)
  expect((await operate(gateway, crypto.randomUUID())).status).toBe(404)
  expect((await operate(gateway, account.id, { quota_bytes: -1 })).status).toBe(400)
  const asked = await account.get(`/api/v1/admin/accounts/${account.id}/files`)
  expect(asked.status).toBe(401)
})

test('room that was reserved and not used is free again after the hour', async () => {
  onTestFinished(() => {
    aheadMs = 0
  })
  const account = await shared().account(10)
  const { put_url, get_url, file_id } = (await reserve(account, 1_000_000)).body.data
  const put = async () => (await fetch(put_url, { method: 'PUT', body: 'x' })).status

  aheadMs = 59 * minuteMs
  expect([await put(), (await fetch(get_url)).status]).toEqual([400, 409])
  aheadMs = 61 * minuteMs
  expect([await put(), (await fetch(get_url)).status]).toEqual([404, 404])
  aheadMs = 71 * minuteMs
  expect((await reserve(account, 1_000_000)).status).toBe(200)
  expect((await account.call('files/get', { file_id })).status).toBe(404)
  expect(await usedBy(account)).toBe(1_000_000)
})
