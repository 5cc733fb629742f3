// Published examples work unchanged: every example is posted verbatim, by curl and by a client that is generated from
// the OpenAPI document.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { providers } from '#catalog/providers.ts'
import type { Provider } from '#core/provider.ts'
import { OpenAPIClientAxios } from '#oracles/openapi-client.ts'
import { type Gateway, shareGateway, type TestAccount, verify } from '#test/harness.ts'
import {
  type Exchange,
  type Fixture,
  type ReplayServer,
  startReplayServer,
} from '#test/replay-server.ts'
import { credentialsOf } from '#test/run-action.ts'
import { testWallet } from '#test/test-wallet.ts'
import { until } from '#test/until.ts'
import { createPatientClock } from '../vendors/patient-clock.ts'

const catalogFolder = path.join(import.meta.dirname, '../../../src/catalog')
const balanceCents = 100_000

function readFixture({ id, tableFolder }: Provider, name: string): Fixture {
  const file = tableFolder === undefined ? `${name}.json` : `${id}.${name}.json`
  return JSON.parse(
    readFileSync(path.join(catalogFolder, tableFolder ?? id, 'fixtures', file), 'utf8'),
  )
}

/** The fixture was recorded with another reference, operator and file address than those of this call. */
function anyReference({ request, reply }: Exchange, file?: Fixture['file']): Exchange {
  const { headers = {}, body } = request
  const anyOf = (name: string) => (name in headers ? { [name]: '*' } : {})
  const order = body as { request_id?: string; client_id?: string; url?: string } | undefined
  return {
    reply,
    request: {
      ...request,
      headers: { ...headers, 'user-agent': '*', ...anyOf('idempotency-key') },
      ...(order?.request_id === undefined ? {} : { body: { ...order, request_id: '*' } }),
      ...(order?.client_id === undefined ? {} : { body: { ...order, client_id: '*' } }),
      ...(file !== undefined && order?.url === file.address
        ? { body: { ...order, url: '*' } }
        : {}),
    },
  }
}

let server: ReplayServer
beforeAll(async () => {
  server = await startReplayServer([])
})
afterAll(() => server.close())

/** A gateway with every key and a wallet, whose vendors all stand at one replay server. */
const shop = shareGateway(() => {
  const env = providers.flatMap((provider) => {
    const { id, upstream } = provider
    return [
      [`${id.toUpperCase()}_BASE_URL`, server.baseUrlFor(upstream?.baseUrl ?? '')],
      ...credentialsOf(provider),
    ]
  })
  return {
    env: Object.fromEntries(env),
    clock: createPatientClock(),
    upstreamWallet: testWallet,
  }
})

/** Records the vendor's ids as the caller's, since only their owner can poll. */
async function issue(gateway: Gateway, accountId: string, service: string, ids: readonly object[]) {
  for (const { kind, id } of ids as { kind: string; id: string }[])
    await gateway.database.query(
      `insert into vendor_handle (account_id, namespace, kind, id) values ($1, $2, $3, $4)
       on conflict do nothing`,
      [accountId, service, kind, id],
    )
}

/** The ids that the fixture of an action lists or looks up. */
const jobOfExample = '8a8e8a97-8192-48ff-849a-d8a96e949732'
const listKinds: Readonly<Record<string, string>> = {
  'ns_company/results': `vendor job of ${jobOfExample}`,
  'ns_company/job-control': `vendor job of ${jobOfExample}`,
  'ns_email_b/result': 'search',
  'ns_assembler/put_composition': 'media',
  'ns_assembler/validate': 'media',
  'ns_assembler/list_renders': 'render',
  'ns_repo/repo-list': 'repository',
}

/** Gives the account the file that an example names. */
async function storeFile(
  { database }: Gateway,
  { id: accountId }: TestAccount,
  { file_id }: { file_id: string },
  { filename, mediaType }: NonNullable<Fixture['file']>,
) {
  await database.query(
    `insert into stored_file (id, account_id, state, source, filename, media_type, bytes, sha256, created_at, lapses_at)
     values ($1, $2, 'stored', 'upload', $3, $4, 0, '', now(), now())`,
    [file_id, accountId, filename, mediaType],
  )
}

/** Waits until the job has succeeded. */
async function finish(account: TestAccount, jobId: string) {
  const read = async () => (await account.call('tollway/result', { job_id: jobId })).body.data
  await until(async () => !['queued', 'running'].includes((await read()).status))
  expect(await read(), jobId).toMatchObject({ status: 'succeeded' })
}

const actions = providers.flatMap((provider) =>
  provider.actions
    // An action that its operator must complete has no vendor, and boxes of this machine have tests of their own. A
    // session talks to its vendor for as long as it is open: test/scenarios/compute/vendors.test.ts opens them.
    .filter(({ mode, unavailable }) => mode !== 'session' && unavailable === undefined)
    .filter(() => provider.upstream !== undefined || provider.through !== undefined)
    .map((action) => ({ id: `${provider.id}/${action.name}`, provider, action })),
)

test('every published example of every action runs unchanged and costs at most its stated price', async () => {
  const gateway = shop()
  const account = await gateway.account(balanceCents)
  for (const { id, provider, action } of actions) {
    const { body: published } = await gateway.request('GET', `/api/run/${id}`)
    const { exchanges, issued = [], file } = readFixture(provider, action.name)
    server.add(exchanges.map((exchange) => anyReference(exchange, file)))
    if (file !== undefined) await storeFile(gateway, account, published.example.input, file)
    const owned = action.owned?.(action.input.parse(action.example.input))
    const kind = listKinds[id] ?? ''
    const listed = issued.map((listedId) => ({ kind, id: listedId }))
    await issue(gateway, account.id, provider.id, [...(owned ? [owned] : []), ...listed])
    const { body } = await account.call(id, published.example.input)
    expect(body, id).toMatchObject({ ok: true })
    expect(body.charged_cents, id).toBeLessThanOrEqual(Math.ceil(published.example.cents))
    // A job may answer some inputs at once.
    if (body.data.async === true) await finish(account, body.data.job_id)
    expect(server.problems(), id).toEqual([])
  }
  expect(await verify(gateway)).toMatchObject({ ok: true })
})

// The example of page reading names a page that the tests cannot reach; its own tests read others.
test('the published examples of discover and result run unchanged', async () => {
  const gateway = shop()
  const account = await gateway.account(balanceCents)
  const post = async (id: string) => {
    const { body: published } = await gateway.request('GET', `/api/run/${id}`)
    const { body } = await account.call(id, published.example.input)
    expect(body, id).toMatchObject({ ok: true })
  }
  await post('tollway/discover')
  const paid = await account.call('test/echo', {})
  // The example names a transaction; this one takes its id.
  const { body: published } = await gateway.request('GET', '/api/run/tollway/result')
  await gateway.database.query('update call set id = $2 where id = $1', [
    paid.body.transaction_id,
    published.example.input.transaction_id,
  ])
  await post('tollway/result')
})

test('every published example of an action or endpoint fits the published schema', async () => {
  const gateway = shop()
  const { body: catalog } = await gateway.request('GET', '/api/run')
  const { body: openApi } = await gateway.request('GET', '/openapi.json')
  const ajv = addFormats.default(new Ajv2020({ strict: false, validateFormats: true }))
  for (const { service, action, mode } of catalog.actions) {
    const id = `${service}/${action}`
    const { body } = await gateway.request('GET', `/api/run/${id}`)
    const validate = ajv.compile(body.input_schema)
    const examples = [body.example, ...(body.endpoints ?? []).map((row: object) => row)]
    for (const { input, example = input } of examples) {
      expect(validate(example), `${id}: ${ajv.errorsText(validate.errors)}`).toBe(true)
      expect(validate({ ...example, max_cost_cents: 100 }), id).toBe(true)
      expect(validate({ ...example, max_cost_cents: '100' }), id).toBe(false)
    }
    if (mode === 'unavailable') continue
    const { post } = openApi.paths[`/api/run/${id}`]
    expect(post.requestBody.content['application/json']).toEqual({
      schema: body.input_schema,
      example: body.example.input,
    })
  }
})

test('a client generated from the OpenAPI document sends an Idempotency-Key, a ceiling and a quote', async () => {
  const gateway = shop()
  const account = await gateway.account(100)
  const { body: definition } = await gateway.request('GET', '/openapi.json')
  const maker = new OpenAPIClientAxios({
    definition,
    axiosConfigDefaults: {
      headers: { authorization: `Bearer ${account.key}` },
      validateStatus: () => true,
    },
  })
  const client = await maker.init()
  const operation = maker.getOperation('test_echo')
  expect(operation?.parameters).toContainEqual(
    expect.objectContaining({ name: 'Idempotency-Key', in: 'header' }),
  )
  const echo = client.test_echo as NonNullable<(typeof client)['test_echo']>
  const quoted = await echo({ quote: 'true' }, { text: 'hi' })
  expect(quoted.data).toMatchObject({ charged_cents: 0, data: { price: { cents: 2 } } })
  const refused = await echo({}, { text: 'hi', max_cost_cents: 1 })
  expect(refused.data).toMatchObject({ error: 'max_cost_exceeded' })
  const send = () => echo({ 'Idempotency-Key': 'of-a-client' }, { text: 'hi', max_cost_cents: 2 })
  const [first, again] = [await send(), await send()]
  expect(again.data).toEqual(first.data)
  expect(again.headers['idempotency-replayed']).toBe('true')
  expect(await account.state()).toEqual({ availableCents: 98, heldCents: 0, transactions: 1 })
})

test('a fax is quoted by the page without a ceiling, and other purchases at their sellers’ prices', async () => {
  const gateway = shop()
  const account = await gateway.account(balanceCents)
  const quote = async (id: string) => {
    const [service, name] = id.split('/')
    const action = providers
      .find((provider) => provider.id === service)
      ?.actions.find((candidate) => candidate.name === name)
    const { body } = await account.call(`${id}?quote=true`, action?.example.input)
    return body.data
  }
  const providerOf = (id: string) => providers.find((candidate) => candidate.id === id) as Provider
  const add = (id: string, name: string) => {
    server.add(readFixture(providerOf(id), name).exchanges.map((each) => anyReference(each)))
  }
  expect(await quote('ns_fax/send')).toMatchObject({
    price: {
      min_cents: 20,
      max_cents: 200,
      min_usd: '0.200000',
      max_usd: '2.000000',
      text: expect.stringContaining('20¢ per page'),
    },
    max_cost_required: true,
    refusal: { error: 'max_cost_required', message: expect.stringContaining('max_cost_cents') },
  })
  add('ns_print', 'validate')
  expect(await quote('ns_print/order')).toMatchObject({
    price: { min_cents: 250, max_cents: 250 },
  })
  add('ns_wine', 'catalog')
  expect(await quote('ns_wine/purchase')).toMatchObject({ price: { min_cents: 15_000 } })
  const [pieces] = readFixture(providerOf('ns_jewelry'), 'catalog').exchanges as [Exchange]
  const [piece] = (pieces.reply.body as { products: object[] }).products
  const request = { ...pieces.request, path: '/catalog/rope-chain' }
  server.add([anyReference({ request, reply: { ...pieces.reply, body: piece } })])
  expect(await quote('ns_jewelry/purchase')).toMatchObject({ price: { min_cents: 9_000 } })
  const [agent] = readFixture(providerOf('ns_market'), 'run').exchanges as [Exchange]
  server.add([anyReference(agent)])
  const tokens = 1_000
  const { agent: listed } = agent.reply.body as { agent: { price_per_1k: number } }
  expect(await quote('ns_market/run')).toMatchObject({
    price: { min_cents: 0, max_cents: Math.ceil((tokens / 1_000) * listed.price_per_1k * 100) },
  })
  expect(server.problems()).toEqual([])
  expect(await account.state()).toEqual({
    availableCents: balanceCents,
    heldCents: 0,
    transactions: 0,
  })
})

test('every action with a dynamic price publishes its lowest and highest price, with six places', async () => {
  const gateway = shop()
  const { body } = await gateway.request('GET', '/api/run')
  const amount = expect.stringMatching(/^\d+\.\d{6}$/)
  for (const { service, action, price } of body.actions) {
    const expected = price.mode === 'fixed' ? { amount } : { min: amount, max: amount }
    expect(price, `${service}/${action}`).toMatchObject({ currency: 'USD', ...expected })
    expect(Number(price.min ?? 0)).toBeLessThanOrEqual(Number(price.max ?? 0))
  }
})
