import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { openDatabase } from '#platform/database/database.ts'
import { createTestDatabase } from '#test/database.ts'
import { silentLog as log } from '#test/silent-log.ts'
import { createAccounts } from '../accounts.ts'
import { createKeys } from '../keys/keys.ts'
import { createOAuthRecords } from './records.ts'

async function openRecords() {
  const database = openDatabase({ connectionString: await createTestDatabase(), log })
  onTestFinished(database.close)
  const clock = systemClock
  const { accountId } = await createAccounts({ database, clock }).create()
  const keys = createKeys({ database, clock })
  const records = createOAuthRecords({ database, keys, clock })
  const age = (days: number) =>
    database.query(
      `with aged as (update api_key set created_at = created_at - $1 * interval '1 day')
       update oauth_record set expires_at = expires_at - $1 * interval '1 day'`,
      [days],
    )
  return { records, keys, accountId, age }
}

test('a client that no person lets in is forgotten after a day, and a used one is kept', async () => {
  const { records, keys, accountId, age } = await openRecords()
  const clients = records.adapterOf('Client')
  for (const client_id of ['unused', 'used'])
    await clients.upsert(client_id, { client_id, redirect_uris: ['https://app.example/'] })
  const policy = { name: 'App', expiresAt: new Date(Date.now() + 3_600_000) }
  const announced = { owner: { accountId }, policy, clientId: 'used' }
  const keyId = await records.announceKey(announced)
  expect(await keys.find(accountId, keyId)).toBeUndefined()
  const codes = records.adapterOf('AuthorizationCode')
  await codes.upsert('code', { accountId: keyId, grantId: 'grant' }, 60)
  await codes.consume('code')
  expect(await keys.find(accountId, keyId)).toMatchObject({ ...policy, clientId: 'used' })
  await age(2)
  await records.forgetOld()
  expect(await clients.find('unused')).toBeUndefined()
  expect(await clients.find('used')).toMatchObject({ client_id: 'used' })
})

test('a key of a client ends when no token of it is left', async () => {
  const { records, keys, accountId, age } = await openRecords()
  const key = await keys.connect({ accountId }, { name: 'App' }, { clientId: 'client' })
  const payload = { accountId: key.id, clientId: 'client', grantId: 'grant' }
  await records.adapterOf('Grant').upsert('grant', payload, 31_536_000)
  await records.adapterOf('RefreshToken').upsert('token', { ...payload, jti: 'token' }, 86_400 * 30)
  await age(20)
  await records.forgetOld()
  expect(await records.adapterOf('RefreshToken').find('token')).toMatchObject({ jti: 'token' })
  await age(20)
  await records.forgetOld()
  expect((await keys.find(accountId, key.id))?.revokedAt).toBeInstanceOf(Date)
  expect(await records.adapterOf('Grant').find('grant')).toBeUndefined()
})

test('a token that is used twice at once ends its key', async () => {
  const { records, keys, accountId } = await openRecords()
  const key = await keys.connect({ accountId }, { name: 'App' }, { clientId: 'client' })
  const codes = records.adapterOf('AuthorizationCode')
  await codes.upsert('code', { accountId: key.id, grantId: 'grant' }, 60)
  const uses = await Promise.allSettled([codes.consume('code'), codes.consume('code')])
  expect(uses.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect((await keys.find(accountId, key.id))?.revokedAt).toBeInstanceOf(Date)
})
