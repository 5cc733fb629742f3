import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { shareGatewayOfWorker } from '#test/harness.ts'

const gateway = shareGatewayOfWorker()
const read = async () => (await gateway().request('GET', '/openapi.json')).body
const documented = (url: string) => url.replaceAll(/:(\w+)/g, '{$1}').replace('*', '{path}')

test('the OpenAPI document names every public address with its methods, and no other', async () => {
  const { paths } = await read()
  const registered = gateway()
    .routes()
    .filter(({ operator }) => !operator)
    .flatMap(({ url, methods }) =>
      methods.filter((method) => method !== 'HEAD').map((method) => `${method} ${documented(url)}`),
    )
  const described = Object.entries(paths as Record<string, object>).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const isAction = (line: string) => /^POST \/api\/run\/(?!\{)/.test(line)
  expect(described.filter((line) => !isAction(line)).sort()).toEqual(
    [...new Set(registered)].sort(),
  )
  expect(described.filter(isAction).length).toBeGreaterThan(50)
  expect(registered.length).toBeGreaterThan(20)
})

test('every operation has an id of its own, and its path parameters are described', async () => {
  const { paths } = await read()
  const ids = []
  for (const [path, operations] of Object.entries(paths as Record<string, object>)) {
    for (const operation of Object.values(operations)) {
      ids.push(operation.operationId)
      const names = (operation.parameters ?? [])
        .filter((parameter: { in?: string }) => parameter.in === 'path')
        .map((parameter: { name: string }) => parameter.name)
      expect(names).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
    }
  }
  expect(new Set(ids).size).toBe(ids.length)
})

test('the gateway’s answers match the document', async () => {
  const document = await read()
  const ajv = new Ajv2020({ strict: false })
  ajv.addSchema(document, 'openapi')
  const account = await gateway().account(10)
  const called = await account.call('test/echo', {})
  const listed = (await account.get('/api/v1/keys')).body.keys[0].key_id
  const asked = [
    ['GET', '/api/v1/account', '/api/v1/account'],
    ['GET', '/api/v1/keys', '/api/v1/keys'],
    ['POST', '/api/v1/keys', '/api/v1/keys'],
    ['GET', '/api/v1/keys/{id}', `/api/v1/keys/${listed}`],
    ['PATCH', '/api/v1/keys/{id}', `/api/v1/keys/${listed}`],
    ['GET', '/api/v1/transactions', '/api/v1/transactions'],
    ['GET', '/api/v1/transactions/{id}', `/api/v1/transactions/${called.body.transaction_id}`],
    ['POST', '/api/v1/agents', '/api/v1/agents'],
    ['GET', '/api/run', '/api/run'],
    ['GET', '/api/run/{service}/{action}', '/api/run/ns_scholar/works'],
    ['GET', '/api/run/{service}/{action}', '/api/run/test/job'],
    ['GET', '/healthz', '/healthz'],
    ['GET', '/api/llm/v1/models', '/api/llm/v1/models'],
    ['GET', '/api/v1/keys/{id}', '/api/v1/keys/none'],
  ] as const
  for (const [method, path, at] of asked) {
    const reply = await gateway().request(method, at, {
      key: account.key,
      ...(method === 'GET' ? {} : { body: {} }),
    })
    const pointer = `${path.replaceAll('/', '~1')}/${method.toLowerCase()}/responses/${reply.status}`
    const schema = `openapi#/paths/${encodeURI(pointer)}/content/application~1json/schema`
    const validate = ajv.compile({ $ref: schema })
    expect([path, validate(reply.body), validate.errors]).toEqual([path, true, null])
  }
})

test('the page at / leads to the documents of this gateway, and each of its links answers', async () => {
  const { body: page } = await gateway().request('GET', '/')
  const links = [...page.matchAll(/href="([^"]+)"/g)].map(([, link]) => link as string)
  expect(links).toEqual(expect.arrayContaining(['/docs/use', '/openapi.json', '/api/run']))
  // The gateways of tests have no console.
  const expected = (link: string) => (link.startsWith('/console') ? 503 : 200)
  for (const link of links)
    expect([link, (await gateway().request('GET', link)).status]).toEqual([link, expected(link)])
  const use = await gateway().request('GET', '/docs/use.md')
  expect(use.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(use.body).toContain('Idempotency-Key')
  expect((await gateway().request('GET', '/docs/reference/errors.md')).body).toContain(
    'account_frozen',
  )
})

test('no other file is served as a document', async () => {
  for (const at of [
    '/docs/site/package.json',
    '/docs/site/shell.ts',
    '/docs/..%2fpackage.json',
    '/docs/%2e%2e/README.md',
    '/docs/none.md',
  ])
    expect([at, (await gateway().request('GET', at)).status]).toEqual([at, 404])
})
