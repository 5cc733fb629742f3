// The description of the operator's routes, from which the clients are typed.
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { operatorRoutes } from '#surfaces/openapi/operator-routes.ts'
import { adminToken, shareGateway } from '#test/harness.ts'

const gateway = shareGateway()

test('every route of the operator is described, and no other', () => {
  const registered = gateway()
    .routes()
    .filter(({ operator, url }) => operator && url !== '/api/v1/admin' && !url.endsWith('/*'))
    .flatMap(({ url, methods }) =>
      methods
        .filter((method) => method !== 'HEAD')
        .map((method) => `${method} ${url.replaceAll(/:(\w+)/g, '{$1}')}`),
    )
  const described = operatorRoutes.map(({ method, path }) => `${method.toUpperCase()} ${path}`)
  expect(described.sort()).toEqual([...new Set(registered)].sort())
})

test('the answers of the operator’s routes are as described', async () => {
  const ajv = new Ajv2020({ strict: false })
  const account = await gateway().account(100)
  const { body: called } = await account.call('test/echo', {})
  const { body: keys } = await account.get('/api/v1/keys')
  const values: Record<string, string> = {
    id: account.id,
    keyId: keys.keys[0].key_id,
    service: 'test',
    action: 'echo',
  }
  const bodies: Record<string, object> = {
    '/api/v1/admin/accounts': { name: 'New' },
    '/api/v1/admin/accounts/{id}/freeze': { reason: 'checking' },
    '/api/v1/admin/accounts/{id}/credit': { amount_cents: 5, reason: 'checking' },
    '/api/v1/admin/accounts/{id}/debit': { amount_cents: 5, reason: 'checking' },
    '/api/v1/admin/accounts/{id}/files': { quota_bytes: 1_000 },
    '/api/v1/admin/price-overrides/{service}/{action}': { price_usd: '0.03' },
  }
  const asked = operatorRoutes.filter(
    ({ path }) => !/(browsers|sessions|misfits|purchases)\/\{id\}|models|treasury|csv/.test(path),
  )
  for (const { path, method, answer = {}, status = 200 } of asked) {
    const id = path.includes('transactions') ? called.transaction_id : values.id
    const at = path.replaceAll(/\{(\w+)\}/g, (_, name) => (name === 'id' ? id : values[name]))
    const reply = await gateway().request(method.toUpperCase(), at, {
      key: adminToken,
      ...(method === 'get' ? {} : { body: bodies[path] ?? {} }),
    })
    const validate = ajv.compile(answer)
    const found = [method, path, reply.status, validate(reply.body), validate.errors]
    expect(found).toEqual([method, path, status, true, null])
  }
})
