import { expect, test } from 'vitest'
import {
  adminToken,
  type Gateway,
  shareGatewayOfWorker,
  type TestAccount,
  verify,
} from '#test/harness.ts'

const shared = shareGatewayOfWorker()

interface Row {
  readonly transaction_id: string
  readonly type: string
  readonly action: string | null
  readonly status: string
  readonly amount_usd: string
}

const micros = (usd: string) => Math.round(Number(usd) * 1e6)

async function readStatement(account: TestAccount, query = ''): Promise<Row[]> {
  const rows: Row[] = []
  let cursor = ''
  do {
    const { body } = await account.get(`/api/v1/transactions?limit=7${query}${cursor}`)
    rows.push(...body.transactions)
    cursor = body.next_cursor === null ? '' : `&cursor=${body.next_cursor}`
  } while (cursor !== '')
  return rows
}

const change = (gateway: Gateway, account: TestAccount, what: 'credit' | 'debit', cents: number) =>
  gateway.request('POST', `/api/v1/admin/accounts/${account.id}/${what}`, {
    key: adminToken,
    body: { amount_cents: cents, reason: `${what} of the test` },
  })

test('a statement lists the opening balance, credits and debits beside the calls, newest first', async () => {
  const gateway = shared()
  const account = await gateway.account(100)
  await account.call('test/echo', {})
  await change(gateway, account, 'credit', 50)
  await change(gateway, account, 'debit', 30)
  const rows = await readStatement(account)
  expect(rows).toMatchObject([
    { type: 'debit', amount_cents: -30, amount_usd: '-0.300000', reason: 'debit of the test' },
    { type: 'credit', amount_cents: 50, amount_usd: '0.500000', reason: 'credit of the test' },
    { type: 'call', action: 'test/echo', amount_cents: -2, charged_cents: 2 },
    { type: 'credit', amount_cents: 100, reason: 'Opening balance', status: 'succeeded' },
  ])
  for (const row of rows) {
    const one = await account.get(`/api/v1/transactions/${row.transaction_id}`)
    expect(one.body).toMatchObject({ ...row })
  }
  const credits = await readStatement(account, '&type=credit')
  expect(credits.map(({ type }) => type)).toEqual(['credit', 'credit'])
  expect((await readStatement(account, '&type=call')).map(({ type }) => type)).toEqual(['call'])
  expect(await readStatement(account, '&action=test/*')).toHaveLength(1)
  expect(await readStatement(account, '&from=2100-01-01T00:00:00Z')).toEqual([])
  expect(await readStatement(account, '&until=2100-01-01T00:00:00Z')).toHaveLength(4)
})

test('a statement is filtered by key, amount and free calls, and read as CSV with the same filters', async () => {
  const gateway = shared()
  const account = await gateway.account(100)
  const made = await gateway.request('POST', '/api/v1/keys', {
    key: account.key,
    body: { max_cents_per_day: 50 },
  })
  const { api_key: key, key_id: keyId } = made.body
  await account.call('test/echo', {})
  await gateway.call('test/capped', { costs: 3.5 }, { key })
  await change(gateway, account, 'credit', 50)
  const amounts = async (query: string) =>
    (await readStatement(account, query)).map(({ amount_usd }) => amount_usd)
  expect(await amounts(`&key_id=${keyId}`)).toEqual(['-0.035000'])
  expect(await amounts('&min_cents=3.5&max_cents=50')).toEqual(['0.500000', '-0.035000'])
  expect(await amounts('&min_cents=3.6&max_cents=49')).toEqual([])
  const csv = await account.get('/api/v1/transactions.csv?min_cents=3.5&max_cents=50')
  expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  const lines = csv.body.trimEnd().split('\r\n')
  expect(lines[0]).toMatch(/^transaction_id,type,action,status,amount_usd/)
  expect(lines.slice(1)).toEqual([
    expect.stringMatching(/^[0-9a-f-]{36},credit,,succeeded,0\.500000,.*credit of the test/),
    expect.stringMatching(/^[0-9a-f-]{36},call,test\/capped,succeeded,-0\.035000,0\.035000,/),
  ])
  // A limited key reads its own calls only.
  const own = await gateway.request('GET', '/api/v1/transactions.csv', { key })
  expect(own.body.trimEnd().split('\r\n')).toHaveLength(2)
  const all = await gateway.request('GET', '/api/v1/admin/transactions.csv', { key: adminToken })
  expect(all.body.split('\r\n')[0]).toMatch(
    /^account_id,.*,cost_usd,cost_source,account_name,key_name$/,
  )
  const ofAccount = (line: string) => line.startsWith(`${account.id},`)
  expect(all.body.split('\r\n').filter(ofAccount)).toHaveLength(4)
  expect((await account.get('/api/v1/transactions.csv?limit=5')).status).toBe(400)
  // A call that failed had a price. It is not free.
  await account.call('test/nonsense', {})
  await account.call('test/free', {}, { 'idempotency-key': 'kept' })
  const actions = async (query: string) =>
    (await readStatement(account, query)).map((row) => row.action ?? row.type)
  expect(await actions('&free=true')).toEqual(['test/free'])
  expect(await actions('&free=false')).toEqual([
    ...['test/nonsense', 'credit', 'test/capped', 'test/echo', 'credit'],
  ])
  const paid = await account.get('/api/v1/transactions.csv?free=false')
  expect(paid.body).not.toContain('test/free')
  expect(paid.body).toContain('test/nonsense')
})

test('the last columns of CSV name the account and the key', async () => {
  const gateway = shared()
  const operate = (method: string, path: string, body?: object) =>
    gateway.request(method, `/api/v1/admin/${path}`, { key: adminToken, ...(body && { body }) })
  const { body: made } = await operate('POST', 'accounts', {
    name: '=東京, شركة',
    balance_cents: 100,
  })
  const { body: ci } = await operate('POST', `accounts/${made.account_id}/keys`, { name: 'CI' })
  await gateway.call('test/echo', {}, { key: ci.api_key })
  const prefix = made.api_key.slice(0, ci.prefix.length)
  await gateway.call('test/echo', {}, { key: made.api_key })
  const account = `"'=東京, شركة"`
  const expected = [
    `ended_at,account_name,key_name`,
    expect.stringMatching(RegExp(`Z,${account},${prefix}$`)),
    expect.stringMatching(RegExp(`Z,${account},CI$`)),
    // The credit was asked for by no key.
    expect.stringMatching(RegExp(`Z,${account},$`)),
  ]
  const linesOf = ({ body }: { body: string }) => body.trimEnd().split('\r\n')
  const own = linesOf(
    await gateway.request('GET', '/api/v1/transactions.csv', { key: made.api_key }),
  )
  expect([own[0]?.slice(-expected[0].length), ...own.slice(1)]).toEqual(expected)
  const all = linesOf(await operate('GET', `transactions.csv?account_id=${made.account_id}`))
  expect(all[0]).toMatch(/,cost_usd,cost_source,account_name,key_name$/)
  for (const [place, line] of all.slice(1).entries())
    expect(line.split(account)[1]).toBe([`,${prefix}`, ',CI', ','][place])
  // An account without a name is known to its operator by the address of its owner, and not to its keys.
  await gateway.database.query(
    `update account set name = null, owner_email = 'ada@home.example' where id = $1`,
    [made.account_id],
  )
  const [, unnamed] = linesOf(
    await gateway.request('GET', '/api/v1/transactions.csv', { key: ci.api_key }),
  )
  expect(unnamed).toMatch(RegExp(`Z,,${prefix}$`))
  const [, known] = linesOf(await operate('GET', `transactions.csv?account_id=${made.account_id}`))
  expect(known).toContain(',ada@home.example,')
})

test('CSV of more rows than one step reads has each row once', async () => {
  const gateway = shared()
  const account = await gateway.account(0)
  await gateway.database.query(
    `insert into call (id, account_id, action, state, held, gateway_id, created_at, expires_at, ended_at)
     select uuid_v7(now() - n * interval '1 second'), $1, 'test/echo', 'voided', 0, 0, now(), now(), now()
     from generate_series(1, 2500) n`,
    [account.id],
  )
  const { body } = await account.get('/api/v1/transactions.csv?type=call')
  const ids = body
    .trimEnd()
    .split('\r\n')
    .slice(1)
    .map((line: string) => line.slice(0, 36))
  expect(ids).toHaveLength(2_500)
  expect(new Set(ids).size).toBe(2_500)
})

test('an entry of one account is 404 for another', async () => {
  const gateway = shared()
  const [one, two] = [await gateway.account(100), await gateway.account(100)]
  const [opening] = await readStatement(one)
  expect((await two.get(`/api/v1/transactions/${opening?.transaction_id}`)).status).toBe(404)
})

test('the statement of a busy account sums to its balance, to the millionth of a dollar', async () => {
  const gateway = shared()
  const account = await gateway.account(10_000)
  const work = Array.from({ length: 120 }, (_, turn) => {
    if (turn % 6 === 0) return change(gateway, account, 'credit', 1 + (turn % 7))
    if (turn % 6 === 1) return change(gateway, account, 'debit', 1 + (turn % 5))
    if (turn % 6 === 2) return account.call('test/fails', { code: 'all_blocked' })
    if (turn % 6 === 3) return account.call('test/rows', { rows: 9, delivered: turn % 9 })
    if (turn % 6 === 4) return account.call('test/capped', { costs: (turn % 250) / 10 })
    return account.call('test/echo', {}, { 'idempotency-key': `key-${turn % 4}` })
  })
  await Promise.all(work)
  const running = account.call('test/slow', {})
  await gateway.provider.waiting(1)
  const rows = await readStatement(account)
  const { body } = await account.get('/api/v1/account')
  expect(rows.length).toBeGreaterThan(100)
  expect(new Set(rows.map((row) => row.transaction_id)).size).toBe(rows.length)
  expect(rows.reduce((sum, row) => sum + micros(row.amount_usd), 0)).toBe(micros(body.balance_usd))
  expect(body.held_cents).toBe(2)
  gateway.provider.release()
  await running
  expect(await verify(gateway)).toMatchObject({ ok: true })
})

test('a debit never takes held money, and concurrent debits never exceed the balance', async () => {
  const gateway = shared()
  const account = await gateway.account(10)
  const running = account.call('test/slow', {})
  await gateway.provider.waiting(1)
  const refused = await change(gateway, account, 'debit', 9)
  expect([refused.status, refused.body.error]).toEqual([402, 'insufficient_balance'])
  const replies = await Promise.all(
    Array.from({ length: 12 }, () => change(gateway, account, 'debit', 1)),
  )
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(8)
  expect(await account.state()).toMatchObject({ availableCents: 0, heldCents: 2 })
  gateway.provider.release()
  expect((await running).status).toBe(200)
  expect(await verify(gateway)).toMatchObject({ ok: true })
})

test('pages read while calls run neither miss nor repeat an earlier line', async () => {
  const gateway = shared()
  const account = await gateway.account(1_000)
  for (let turn = 0; turn < 30; turn += 1) await account.call('test/echo', {})
  const before = await readStatement(account)
  let isDone = false
  const busy = (async () => {
    while (!isDone) {
      await Promise.all([
        account.call('test/echo', {}),
        account.call('test/fails', { code: 'all_blocked' }),
        change(gateway, account, 'credit', 2),
      ])
    }
  })()
  for (let round = 0; round < 4; round += 1) {
    const ids = (await readStatement(account)).map((row) => row.transaction_id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toEqual(expect.arrayContaining(before.map((row) => row.transaction_id)))
    expect(ids).toEqual([...ids].sort().reverse())
  }
  isDone = true
  await busy
})
