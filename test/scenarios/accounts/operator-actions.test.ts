// What the operator does is recorded, for good.
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { adminToken, shareGateway } from '#test/harness.ts'

const gateway = shareGateway()
const prefix = '/api/v1/admin'

const operate = (
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
) => gateway().request(method, `${prefix}/${path}`, { key: adminToken, body, headers })

async function auditOf(query: string) {
  const { body } = await operate('GET', `audit?${query}`)
  return body.actions as { action: string; subject: string; details: object }[]
}

/** A request for each route that changes something: its record, and what it is about. */
const changes: Record<string, { action: string; body?: object; status: number }> = {
  'POST /accounts': { action: 'account.create', body: { name: 'Ada' }, status: 201 },
  'POST /accounts/:id/credit': {
    action: 'account.credit',
    body: { amount_cents: 5, reason: 'goodwill' },
    status: 200,
  },
  'POST /accounts/:id/debit': {
    action: 'account.debit',
    body: { amount_cents: 5, reason: 'mistake' },
    status: 200,
  },
  'POST /accounts/:id/freeze': {
    action: 'account.freeze',
    body: { reason: 'stolen key' },
    status: 200,
  },
  'POST /accounts/:id/unfreeze': { action: 'account.unfreeze', body: {}, status: 200 },
  'PATCH /accounts/:id/files': {
    action: 'account.file_quota',
    body: { quota_bytes: 1_000 },
    status: 200,
  },
  'POST /accounts/:id/keys': { action: 'key.create', body: { name: 'second' }, status: 201 },
  'PATCH /accounts/:id/keys/:keyId': {
    action: 'key.change',
    body: { max_cents_per_day: 5 },
    status: 200,
  },
  'DELETE /accounts/:id/keys/:keyId': { action: 'key.revoke', status: 200 },
  // There is nothing to end here. The tests of browsers and sessions read the records of what is.
  'DELETE /browsers/:id': { action: '', status: 404 },
  'DELETE /sessions/:id': { action: '', status: 404 },
  'DELETE /payment-sessions/:id': { action: '', status: 404 },
  'PUT /price-overrides/:service/:action': {
    action: 'price.override',
    body: { price_usd: '0.03' },
    status: 200,
  },
  'DELETE /price-overrides/:service/:action': { action: 'price.restore', status: 200 },
  // The database of the tests is their own, of which the gateway makes no backups.
  'POST /backups': { action: '', body: {}, status: 400 },
  'POST /backups/restore-tests': { action: '', body: {}, status: 400 },
  'PUT /backups/schedule': { action: '', body: { every_hours: 24, kept: 7 }, status: 400 },
  'POST /ledger/repair': { action: 'ledger.repair', body: { apply: true }, status: 200 },
  'POST /models/refresh': { action: 'models.refresh', status: 200 },
  // The tests of selling read the records of APIs, keys and budgets that exist.
  'PUT /provider-keys/:provider': { action: '', body: { key: 'key-of-a-vendor' }, status: 404 },
  'DELETE /provider-keys/:provider': { action: '', status: 404 },
  'PUT /provider-budgets/:provider': { action: '', body: { cost_cents_per_day: 5 }, status: 404 },
  'DELETE /provider-budgets/:provider': { action: '', status: 404 },
  // The tests of canaries read the records of providers that are configured.
  'POST /canaries/:provider/checks': { action: '', body: { max_cents: 1 }, status: 404 },
  'POST /canaries/:provider/checks/:id/accept': { action: '', status: 404 },
  'POST /price-groups': { action: 'price_group.create', body: { name: 'partners' }, status: 201 },
  'DELETE /price-groups/:id': { action: '', status: 404 },
  'PUT /price-groups/:id/prices/:service/:action': {
    action: '',
    body: { price_usd: '0.01' },
    status: 404,
  },
  'DELETE /price-groups/:id/prices/:service/:action': { action: '', status: 400 },
  'PUT /accounts/:id/price-group': {
    action: 'account.price_group',
    body: { price_group_id: null },
    status: 200,
  },
  'PUT /costs/:service/:action': {
    action: 'cost.declare',
    body: { per_call_usd: '0.01' },
    status: 200,
  },
  // A declared cost and a price of a group are withdrawn by their start.
  'DELETE /costs/:service/:action': { action: '', status: 400 },
  'POST /invoices': { action: '', body: {}, status: 400 },
  'PUT /invoices/:id': { action: '', body: {}, status: 400 },
  'DELETE /invoices/:id': { action: '', status: 404 },
  'POST /sold-apis/preview': { action: '', body: {}, status: 400 },
  'PUT /sold-apis/:name': { action: '', body: {}, status: 400 },
  'DELETE /sold-apis/:name': { action: '', status: 404 },
  // The tests of saved plans read the records of plans that exist.
  'POST /plans': { action: '', body: {}, status: 400 },
  'PUT /plans/:name': { action: '', body: {}, status: 400 },
  'PATCH /plans/:name': { action: '', body: {}, status: 404 },
  'DELETE /plans/:name': { action: '', status: 404 },
  'POST /operators': { action: 'operator.add', body: { name: 'Ada', role: 'viewer' }, status: 201 },
  // operator-people.test.ts changes operators who exist.
  'PATCH /operators/:id': { action: '', body: { role: 'viewer' }, status: 404 },
  'POST /operators/:id/tokens': { action: '', body: {}, status: 404 },
  'DELETE /operators/:id': { action: '', status: 404 },
  'POST /sign-in-links': { action: 'sign_in_link.create', body: {}, status: 201 },
  // purchases.test.ts resolves purchases, and reads the records.
  'POST /purchases/:id': { action: '', body: { outcome: 'void', note: 'none' }, status: 404 },
}

describe('the audit log', () => {
  test('has every change of the operator, with its subject and body', async () => {
    const account = await gateway().account(100)
    const made = await operate('POST', `accounts/${account.id}/keys`, { name: 'first' })
    const values: Record<string, string> = {
      ':id': account.id,
      ':keyId': made.body.key_id,
      ':service': 'test',
      ':action': 'echo',
      ':provider': 'unknown',
      ':name': 'unknown',
    }
    const routes = gateway()
      .routes()
      .filter(({ url, operator }) => operator && !url.endsWith('*') && url !== prefix)
      .flatMap(({ url, methods }) =>
        methods
          .filter((method) => !['GET', 'HEAD', 'OPTIONS', 'TRACE'].includes(method))
          .map((method) => `${method} ${url.slice(prefix.length)}`),
      )
    expect(routes.toSorted()).toEqual(Object.keys(changes).toSorted())
    for (const [route, { action, body, status }] of Object.entries(changes)) {
      const [method = '', path = ''] = route.split(' ')
      const address = path.slice(1).replaceAll(/:\w+/g, (name) => values[name] ?? '')
      const reply = await operate(method, address, body)
      expect([route, reply.status]).toEqual([route, status])
      if (action === '') continue
      const [latest] = await auditOf(`action=${action}&limit=1`)
      expect(latest).toMatchObject({ action, details: body ?? {}, actor: 'token' })
      if (path.startsWith('/accounts/:id') && !path.includes('keys'))
        expect(latest?.subject).toBe(account.id)
      if (path.includes(':keyId')) expect(latest?.subject).toBe(made.body.key_id)
      if (path.includes(':service')) expect(latest?.subject).toBe('test/echo')
    }
    const text = JSON.stringify(await auditOf('limit=100'))
    expect(text).not.toContain(account.key)
    expect(text).not.toContain(made.body.api_key)
  })

  test('records nothing for what was refused, and once for what was repeated', async () => {
    const account = await gateway().account(0)
    const unknown = randomUUID()
    const refused = { amount_cents: 5, reason: 'mistake' }
    expect((await operate('POST', `accounts/${account.id}/debit`, refused)).status).toBe(402)
    expect((await operate('POST', `accounts/${unknown}/credit`, refused)).status).toBe(404)
    expect((await operate('DELETE', `accounts/${account.id}/keys/${unknown}`)).status).toBe(404)
    for (const id of [unknown, 'not-an-id', '%00'])
      for (const kind of ['browsers', 'sessions'])
        expect([kind, id, (await operate('DELETE', `${kind}/${id}`)).status]).toEqual([
          kind,
          id,
          id === '%00' ? 400 : 404,
        ])
    expect(await auditOf(`subject=${unknown}`)).toEqual([])
    for (const action of ['browser.end', 'session.close'])
      expect(await auditOf(`action=${action}`)).toEqual([])
    expect(await auditOf(`subject=${account.id}&action=account.debit`)).toEqual([])
    for (let times = 0; times < 2; times += 1) {
      const path = `accounts/${account.id}/credit`
      const reply = await operate('POST', path, refused, { 'idempotency-key': 'credit-once' })
      expect(reply.body.available_cents).toBe(5)
    }
    expect(await auditOf(`subject=${account.id}&action=account.credit`)).toHaveLength(1)
  })

  test('is paged, and neither changed nor removed', async () => {
    for (const name of ['a', 'b', 'c']) await operate('POST', 'accounts', { name })
    const first = await operate('GET', 'audit?action=account.create&limit=2')
    expect(first.body.actions).toHaveLength(2)
    const second = await operate(
      'GET',
      `audit?action=account.create&limit=2&cursor=${first.body.next_cursor}`,
    )
    expect(second.body.actions[0].audit_id < first.body.actions[1].audit_id).toBe(true)
    const { database } = gateway()
    for (const statement of [
      `update operator_action set action = 'nothing'`,
      'delete from operator_action',
      'truncate operator_action',
    ])
      await expect(database.query(statement)).rejects.toThrow('never changed')
    expect((await gateway().request('GET', `${prefix}/audit`)).status).toBe(401)
  })
})
