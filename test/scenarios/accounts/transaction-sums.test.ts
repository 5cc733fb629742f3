// The sum above a filtered list is that of its rows, to the last micro-dollar.
import { expect, test } from 'vitest'
import { adminToken, shareGatewayOfWorker, type TestAccount } from '#test/harness.ts'

const shared = shareGatewayOfWorker()

interface Row {
  readonly transaction_id: string
  readonly account_id?: string
  readonly account_name?: string
  readonly charged_usd: string
  readonly amount_usd: string
}

type Read = (path: string) => Promise<{ status: number; body: unknown }>

const micros = (usd: string) => BigInt(usd.replace('.', ''))
const write = (sum: bigint) => {
  const digits = String(sum < 0n ? -sum : sum).padStart(7, '0')
  return `${sum < 0n ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`
}

async function rowsOf(read: Read, at: string, query: string): Promise<Row[]> {
  const rows: Row[] = []
  for (let cursor = ''; ; ) {
    const reply = await read(`${at}?limit=7${query}${cursor}`)
    const { transactions, next_cursor } = reply.body as {
      transactions: Row[]
      next_cursor: string | null
    }
    rows.push(...transactions)
    if (next_cursor === null) return rows
    cursor = `&cursor=${next_cursor}`
  }
}

const sumOf = (rows: readonly Row[]) => ({
  transactions: rows.length,
  charged_usd: write(rows.reduce((sum, row) => sum + micros(row.charged_usd), 0n)),
  amount_usd: write(rows.reduce((sum, row) => sum + micros(row.amount_usd), 0n)),
})

/** Calls with odd amounts, free ones and failed ones, beside other changes of the balance. */
async function fill(account: TestAccount) {
  const gateway = shared()
  for (const costs of [0.0001, 0.3333, 1.0007, 3.5]) await account.call('test/capped', { costs })
  await account.call('test/free', {})
  await account.call('test/echo', {})
  await account.call('test/job', { steps: 3, ends: 'never' })
  for (const [what, cents] of [
    ['credit', 50],
    ['debit', 30],
  ] as const)
    await gateway.request('POST', `/api/v1/admin/accounts/${account.id}/${what}`, {
      key: adminToken,
      body: { amount_cents: cents, reason: what },
    })
}

const filters = [
  '',
  '&type=call',
  '&type=credit',
  '&type=debit',
  '&action=test/capped',
  '&action=test/*',
  '&status=succeeded',
  '&status=failed',
  '&status=running',
  '&free=true',
  '&free=false',
  '&min_cents=0.3',
  '&max_cents=1',
  '&min_cents=0.00001&max_cents=2&free=false',
  '&from=2100-01-01T00:00:00Z',
  '&until=2100-01-01T00:00:00Z',
]

test('each filter of a statement finds as many rows as its sum says, and the same amounts', async () => {
  const account = await shared().account(1_000)
  await fill(account)
  const sums = []
  for (const query of filters) {
    const { status, body } = await account.get(`/api/v1/transactions/sum?${query.slice(1)}`)
    expect(status, query).toBe(200)
    expect(body, query).toEqual(sumOf(await rowsOf(account.get, '/api/v1/transactions', query)))
    sums.push(body)
  }
  // The whole statement adds up to the balance.
  const { body } = await account.get('/api/v1/account')
  expect(sums[0].amount_usd).toBe(body.balance_usd)
  expect(new Set(sums.map(({ transactions }) => transactions)).size).toBeGreaterThan(5)
})

test('the operator reads the sum of all accounts and of one, and the names of accounts', async () => {
  const gateway = shared()
  const read: Read = (path) => gateway.request('GET', path, { key: adminToken })
  const { body: made } = await gateway.request('POST', '/api/v1/admin/accounts', {
    key: adminToken,
    body: { name: 'Harbour & Söhne', balance_cents: 100 },
  })
  await gateway.call('test/echo', {}, { key: made.api_key })
  const other = await gateway.account(100)
  await other.call('test/echo', {})
  const at = '/api/v1/admin/transactions'
  for (const account of ['', `&account_id=${made.account_id}`])
    for (const query of [...filters, '&sold=true']) {
      const rows = await rowsOf(read, at, query + account)
      const { body } = await read(`${at}/sum?${(query + account).slice(1)}`)
      expect(body, query + account).toEqual(sumOf(rows))
    }
  const rows = await rowsOf(read, at, '')
  const namesOf = (id: string) =>
    new Set(rows.filter((row) => row.account_id === id).map((row) => row.account_name))
  expect([...namesOf(made.account_id)]).toEqual(['Harbour & Söhne'])
  expect([...namesOf(other.id)]).toEqual([undefined])
  const { body: audit } = await gateway.request(
    'GET',
    `/api/v1/admin/audit?subject=${made.account_id}`,
    { key: adminToken },
  )
  expect(audit.actions).toMatchObject([
    {
      action: 'account.create',
      subject: made.account_id,
      subject_name: 'Harbour & Söhne',
      subject_of: null,
    },
  ])
})

test('the operator reads by name whose margins these are, and whose key was changed', async () => {
  const gateway = shared()
  const operate = (method: string, path: string, body?: object) =>
    gateway.request(method, `/api/v1/admin/${path}`, { key: adminToken, ...(body && { body }) })
  const { body: made } = await operate('POST', 'accounts', { name: 'شركة', balance_cents: 100 })
  await gateway.call('test/echo', {}, { key: made.api_key })
  const margins = await operate('GET', `margins?by=account,action&account_id=${made.account_id}`)
  expect(margins.body.rows).toMatchObject([{ account_name: 'شركة', action: 'test/echo' }])
  const csv = await operate('GET', `margins.csv?by=account&account_id=${made.account_id}`)
  const [heads = '', row = ''] = csv.body.split('\r\n')
  expect([heads.split(',').at(-1), row.split(',').at(-1)]).toEqual(['account_name', 'شركة'])

  const keys = `accounts/${made.account_id}/keys`
  const { body: key } = await operate('POST', keys, { name: 'CI' })
  await operate('DELETE', `${keys}/${key.key_id}`)
  const { body: audit } = await operate('GET', `audit?subject=${key.key_id}`)
  const shown = {
    subject_name: 'CI',
    subject_of: { account_id: made.account_id, name: 'شركة' },
  }
  expect(audit.actions).toMatchObject([
    { action: 'key.revoke', ...shown },
    { action: 'key.create', ...shown },
  ])
})

test('a key with limits reads the sum of its own calls', async () => {
  const gateway = shared()
  const account = await gateway.account(100)
  await account.call('test/echo', {})
  const made = await gateway.request('POST', '/api/v1/keys', {
    key: account.key,
    body: { max_cents_per_day: 50 },
  })
  const { api_key: key } = made.body
  await gateway.call('test/capped', { costs: 3.5 }, { key })
  const { body } = await gateway.request('GET', '/api/v1/transactions/sum', { key })
  expect(body).toEqual({ transactions: 1, charged_usd: '0.035000', amount_usd: '-0.035000' })
})
