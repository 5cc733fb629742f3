import { expect, test } from 'vitest'
import { adminToken, shareGatewayOfWorker, type TestAccount, verify } from '#test/harness.ts'

const shared = shareGatewayOfWorker()
const now = new Date()
const present = now.toISOString().slice(0, 7)

const micros = (usd: string) => Math.round(Number(usd) * 1e6)

const change = (account: TestAccount, what: 'credit' | 'debit', cents: number) =>
  shared().request('POST', `/api/v1/admin/accounts/${account.id}/${what}`, {
    key: adminToken,
    body: { amount_cents: cents, reason: `${what} of the test` },
  })

test('the statement of a month has each kind of change, and its amounts sum to the balance', async () => {
  const account = await shared().account(100)
  await account.call('test/echo', {})
  await account.call('test/echo', {})
  await change(account, 'credit', 50)
  await change(account, 'debit', 30)
  const { body } = await account.get(`/api/v1/statements/${present}`)
  expect(body).toMatchObject({
    account_id: account.id,
    month: present,
    closed: false,
    opening_usd: '0.000000',
    added_usd: '1.500000',
    taken_usd: '0.340000',
    closing_usd: '1.160000',
    movements: [
      { kind: 'call', action: 'test/echo', count: 2, amount_usd: '-0.040000' },
      { kind: 'credit', action: null, count: 2, amount_usd: '1.500000' },
      { kind: 'debit', action: null, count: 1, amount_usd: '-0.300000' },
    ],
  })
  const { body: found } = await account.get('/api/v1/account')
  expect(body.closing_usd).toBe(found.balance_usd)
  const { body: transactions } = await account.get('/api/v1/transactions?limit=100')
  const sum = transactions.transactions.reduce(
    (all: number, row: { amount_usd: string }) => all + micros(row.amount_usd),
    0,
  )
  expect(micros(body.closing_usd)).toBe(sum)
  const list = await account.get('/api/v1/statements')
  expect(list.body.statements).toEqual([
    expect.objectContaining({ month: present, closing_usd: '1.160000' }),
  ])
})

test('the operator reads the statement of an account that the account reads, and CSV holds no formula', async () => {
  const gateway = shared()
  const opened = await gateway.request('POST', '/api/v1/admin/accounts', {
    key: adminToken,
    body: { name: '=HYPERLINK("http://a.example")', balance_cents: 100 },
  })
  const { api_key: key, account_id: id } = opened.body
  await gateway.call('test/echo', {}, { key })
  for (const file of [present, `${present}.csv`]) {
    const own = await gateway.request('GET', `/api/v1/statements/${file}`, { key })
    const operated = await gateway.request(
      'GET',
      `/api/v1/admin/accounts/${id}/statements/${file}`,
      { key: adminToken },
    )
    expect(own.status).toBe(200)
    expect(operated.body).toEqual(own.body)
  }
  const csv = await gateway.request('GET', `/api/v1/statements/${present}.csv`, { key })
  expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(csv.headers.get('content-disposition')).toContain(`statement-${present}.csv`)
  const name = `"'=HYPERLINK(""http://a.example"")"`
  expect(csv.body.trimEnd().split('\r\n')).toEqual([
    'account_id,account,month,line,action,count,amount_usd',
    `${id},${name},${present},opening_balance,,,0.000000`,
    `${id},${name},${present},call,test/echo,1,-0.020000`,
    `${id},${name},${present},credit,,1,1.000000`,
    `${id},${name},${present},closing_balance,,,0.980000`,
  ])
  for (const path of [
    `/api/v1/statements/${present}.pdf`,
    `/api/v1/admin/accounts/${id}/statements/${present}.pdf`,
  ]) {
    const credential = path.includes('admin') ? adminToken : key
    const pdf = await fetch(`${gateway.url}${path}`, {
      headers: { authorization: `Bearer ${credential}` },
    })
    expect(pdf.headers.get('content-type')).toBe('application/pdf')
    expect(
      Buffer.from(await pdf.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-')
  }
})

test('the files of a closed month stay the same, byte for byte', async () => {
  const gateway = shared()
  const account = await gateway.account(100)
  const before = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 15))
  await gateway.database.query('update transfer set created_at = $2 where credit = $1', [
    account.id,
    before,
  ])
  const month = before.toISOString().slice(0, 7)
  const read = async () => {
    const files = [`${month}`, `${month}.csv`, `${month}.pdf`].map(async (file) => {
      const answer = await fetch(`${gateway.url}/api/v1/statements/${file}`, {
        headers: { authorization: `Bearer ${account.key}` },
      })
      return Buffer.from(await answer.arrayBuffer()).toString('base64')
    })
    return await Promise.all(files)
  }
  const first = await read()
  await account.call('test/echo', {})
  await change(account, 'credit', 5)
  expect(await read()).toEqual(first)
  const { body } = await account.get(`/api/v1/statements/${present}`)
  expect(body).toMatchObject({ opening_usd: '1.000000', closing_usd: '1.030000' })
  expect(await account.get(`/api/v1/statements/${month}`)).toMatchObject({
    body: { closed: true, closing_usd: '1.000000' },
  })
})

test('a limited key, a month that does not exist and another account are refused with the way on', async () => {
  const gateway = shared()
  const account = await gateway.account(100)
  const made = await gateway.request('POST', '/api/v1/keys', {
    key: account.key,
    body: { max_cents_per_day: 50 },
  })
  const limited = await gateway.request('GET', '/api/v1/statements', { key: made.body.api_key })
  expect(limited).toMatchObject({ status: 403, body: { error: 'forbidden' } })
  expect(limited.body.message).toContain('/api/v1/transactions')
  for (const month of ['2026-13', '2026', 'november', '2026-11-01'])
    expect(await account.get(`/api/v1/statements/${month}`)).toMatchObject({ status: 400 })
  expect(await account.get('/api/v1/statements/2001-01')).toMatchObject({ status: 404 })
  const unknown = '0198f0aa-0000-7000-8000-000000000001'
  const operated = await gateway.request(
    'GET',
    `/api/v1/admin/accounts/${unknown}/statements/${present}`,
    { key: adminToken },
  )
  expect(operated.status).toBe(404)
  const asCaller = await gateway.request('GET', `/api/v1/admin/accounts/${account.id}/statements`, {
    key: account.key,
  })
  expect(asCaller.status).toBeGreaterThanOrEqual(400)
  expect(await verify(gateway)).toMatchObject({ ok: true })
})

test('credit with an expiry is shown with its time, and is on the statement when it has expired', async () => {
  const gateway = shared()
  const account = await gateway.account(100)
  const give = (expires_at: string) =>
    gateway.request('POST', `/api/v1/admin/accounts/${account.id}/credit`, {
      key: adminToken,
      body: { amount_cents: 50, reason: 'a trial', expires_at },
    })
  for (const wrong of ['2020-01-01T00:00:00Z', '2999-01-01T00:00:00Z', 'tomorrow'])
    expect(await give(wrong)).toMatchObject({ status: 400, body: { error: 'bad_request' } })
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString()
  expect(await give(expiresAt)).toMatchObject({ status: 200, body: { available_cents: 150 } })
  await account.call('test/echo', {})
  const grant = {
    granted_usd: '0.500000',
    left_usd: '0.480000',
    reason: 'a trial',
    expires_at: expiresAt,
  }
  const { body: shown } = await account.get('/api/v1/account')
  expect(shown).toMatchObject({ available_usd: '1.480000', expiring_credit: [grant] })
  const operated = await gateway.request('GET', `/api/v1/admin/accounts/${account.id}`, {
    key: adminToken,
  })
  expect(operated.body.expiring_credit).toEqual([grant])
  await gateway.database.query(
    `with passed as (update credit_grant set expires_at = now() where account_id = $1)
     update balance set grants_expire_at = now() where account_id = $1`,
    [account.id],
  )
  const { body: after } = await account.get('/api/v1/account')
  expect(after).toMatchObject({ available_usd: '1.000000', expiring_credit: [] })
  const { body: statement } = await account.get(`/api/v1/statements/${present}`)
  expect(statement).toMatchObject({ closing_usd: '1.000000' })
  expect(statement.movements).toContainEqual({
    kind: 'credit_expired',
    title: 'Credit that expired',
    action: null,
    count: 1,
    amount_usd: '-0.480000',
  })
  const { body: rows } = await account.get('/api/v1/transactions?type=credit_expired')
  expect(rows.transactions).toMatchObject([{ amount_usd: '-0.480000', reason: 'a trial' }])
  await verify(gateway)
})
