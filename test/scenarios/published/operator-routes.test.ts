// The description of the operator's routes, from which the clients are typed.
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { operatorRoutes } from '#surfaces/openapi/operator-routes.ts'
import { adminToken, shareGateway } from '#test/harness.ts'
import { previewSale, sell } from '#test/selling/sell.ts'

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
  const sale = {
    address: 'https://api.example.com/x',
    kind: 'endpoint',
    name: 'shown',
    price: 1,
    credential: { kind: 'bearer' },
  }
  await sell(gateway(), sale)
  const { body: preview } = await previewSale(gateway(), sale)
  const plan = {
    title: 'Say it',
    input: { type: 'object', properties: { text: { type: 'string' } } },
    steps: [
      { id: 'said', action: 'test/echo', params: { text: { $step: 'input', pointer: '/text' } } },
    ],
    example: { text: 'hello' },
  }
  const { body: person } = await gateway().request('POST', '/api/v1/admin/operators', {
    key: adminToken,
    body: { name: 'Ada', role: 'viewer' },
  })
  const values: Record<string, string> = {
    id: account.id,
    keyId: keys.keys[0].key_id,
    service: 'test',
    action: 'echo',
    name: 'shown',
    provider: 'shown',
    month: new Date().toISOString().slice(0, 7),
  }
  const bodies: Record<string, object> = {
    '/api/v1/admin/sold-apis/preview': sale,
    '/api/v1/admin/sold-apis/{name}': { ...sale, digest: preview.digest },
    '/api/v1/admin/provider-keys/{provider}': { key: 'a-key-of-the-tests', test: false },
    '/api/v1/admin/provider-budgets/{provider}': { calls_per_day: 5 },
    '/api/v1/admin/plans': { ...plan, name: 'shown' },
    '/api/v1/admin/plans/{name}': plan,
    '/api/v1/admin/costs/{service}/{action}': { per_call_usd: '0.004' },
    '/api/v1/admin/price-groups': { name: 'Partners' },
    '/api/v1/admin/accounts/{id}/price-group': { price_group_id: null },
    '/api/v1/admin/accounts': { name: 'New' },
    '/api/v1/admin/operators': { name: 'Grace', role: 'support' },
    '/api/v1/admin/operators/{id}': { role: 'manager' },
    '/api/v1/admin/accounts/{id}/freeze': { reason: 'checking' },
    '/api/v1/admin/accounts/{id}/credit': { amount_cents: 5, reason: 'checking' },
    '/api/v1/admin/accounts/{id}/debit': { amount_cents: 5, reason: 'checking' },
    '/api/v1/admin/accounts/{id}/files': { quota_bytes: 1_000 },
    '/api/v1/admin/price-overrides/{service}/{action}': { price_usd: '0.03' },
  }
  const asked = operatorRoutes.filter(
    ({ path, method }) =>
      // backup-and-restore.nightly.test.ts makes backups, which takes a database of the gateway's own.
      !(method !== 'get' && path.includes('/backups')) &&
      !/(browsers|sessions|misfits|purchases|price-groups)\/\{id\}|canaries\/\{|invoices|costs\/|models|treasury|csv|pdf/.test(
        path,
      ),
  )
  for (const { path, method, answer = {}, status = 200 } of asked) {
    const id = path.includes('transactions')
      ? called.transaction_id
      : path.includes('operators')
        ? person.account_id
        : values.id
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
