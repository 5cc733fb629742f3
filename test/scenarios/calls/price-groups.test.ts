// Prices of groups of accounts, from a date.
import { expect, test } from 'vitest'
import { adminToken, shareGatewayOfWorker, type TestAccount, verify } from '#test/harness.ts'
import { connectMcp } from '#test/mcp/client.ts'

const shared = shareGatewayOfWorker({ changes: 'offers' })
const echoId = 'test/echo'
const dayMs = 86_400_000

const operate = (method: string, path: string, body?: object) =>
  shared().request(method, `/api/v1/admin/${path}`, { key: adminToken, body })

async function openGroup() {
  const { body } = await operate('POST', 'price-groups', { name: `group ${crypto.randomUUID()}` })
  const id: string = body.price_group_id
  const setPrice = (price: object, action = echoId) =>
    operate('PUT', `price-groups/${id}/prices/${action}`, price)
  const assign = (account: TestAccount, to: string | null = id) =>
    operate('PUT', `accounts/${account.id}/price-group`, { price_group_id: to })
  const prices = async () => {
    const { body: all } = await operate('GET', 'price-groups')
    const found = all.price_groups.find(
      (each: { price_group_id: string }) => each.price_group_id === id,
    )
    return found.prices.map(
      ({ starts_at: _, set_at: __, ...price }: Record<string, unknown>) => price,
    )
  }
  return { id, setPrice, assign, prices }
}

async function quoteOf({ key }: TestAccount): Promise<string> {
  const { body } = await shared().request('POST', `/api/run/${echoId}?quote=true`, {
    key,
    body: {},
  })
  return body.data.price.usd
}

/** What an account is told and charged at every door, in dollars or words. */
async function readDoors(account: TestAccount) {
  const quoted = await quoteOf(account)
  const mcp = await connectMcp(shared().url, { key: account.key })
  const told = await mcp.callTool({ name: 'describe', arguments: { actions: [echoId] } })
  const { contents } = await mcp.readResource({ uri: `tollway://actions/${echoId}` })
  const text = contents[0] !== undefined && 'text' in contents[0] ? contents[0].text : '{}'
  const [list, one, found, called] = await Promise.all([
    account.get('/api/run'),
    account.get(`/api/run/${echoId}`),
    account.call('tollway/discover', { query: 'answer what was sent' }),
    account.call(echoId, {}),
  ])
  const ofEcho = ({ service, action }: { service: string; action: string }) =>
    `${service}/${action}` === echoId
  const { body: transaction } = await account.get(
    `/api/v1/transactions/${called.body.transaction_id}`,
  )
  const hold = transaction.timeline.find(({ event }: { event: string }) => event === 'hold')
  return {
    amounts: new Set([
      quoted,
      list.body.actions.find(ofEcho).price.amount,
      one.body.price.amount,
      (told.structuredContent as { data: { actions: { price: { amount: string } }[] } }).data
        .actions[0]?.price.amount,
      JSON.parse(text).price.amount,
      hold.amount_usd,
      transaction.charged_usd,
    ]),
    discovered: found.body.data.hits.find(ofEcho).price,
  }
}

test('the price of a group is listed, quoted, held, charged and on the statement for its accounts alone', async () => {
  const [account, other] = [await shared().account(1_000), await shared().account(1_000)]
  const { setPrice, assign, id } = await openGroup()
  expect(await setPrice({ price_usd: '0.013' })).toMatchObject({
    status: 200,
    body: { action: echoId, state: 'in_force', price: '1.3¢' },
  })
  expect(await readDoors(account)).toEqual({ amounts: new Set(['0.020000']), discovered: '2¢' })
  expect(await assign(account)).toMatchObject({ status: 200 })
  expect(await readDoors(account)).toEqual({ amounts: new Set(['0.013000']), discovered: '1.3¢' })
  expect(await readDoors(other)).toEqual({ amounts: new Set(['0.020000']), discovered: '2¢' })
  const { body: statement } = await account.get(
    `/api/v1/statements/${new Date().toISOString().slice(0, 7)}`,
  )
  expect(statement.movements).toContainEqual(
    expect.objectContaining({ kind: 'call', action: echoId, amount_usd: '-0.033000' }),
  )
  const { body: shown } = await operate('GET', `accounts/${account.id}`)
  expect(shown.price_group).toMatchObject({ price_group_id: id })
  await assign(account, null)
  expect((await readDoors(account)).amounts).toEqual(new Set(['0.020000']))
  await verify(shared())
})

/** What a job is quoted, held, charged and has charged for its parts, in dollars, and what its page says. */
async function readJob(account: TestAccount, action: string, input: object) {
  const body = { ...input, max_cost_cents: 50 }
  const { body: quote } = await shared().request('POST', `/api/run/${action}?quote=true`, {
    key: account.key,
    body,
  })
  const { body: accepted } = await account.call(action, body)
  const { body: polled } = await account.call('tollway/result', {
    job_id: accepted.data.job_id,
    wait_seconds: 50,
  })
  const { body: transaction } = await account.get(`/api/v1/transactions/${accepted.data.job_id}`)
  const hold = transaction.timeline.find(({ event }: { event: string }) => event === 'hold')
  const { steps, calls = steps } = polled.data.result
  const parts = calls.map(({ charged_usd }: { charged_usd: string }) => charged_usd)
  const amounts = [quote.data.price.usd, hold.amount_usd, transaction.charged_usd]
  return { amounts: new Set(amounts), parts: new Set(parts) }
}

test('plans, batches and saved plans are quoted, held and charged at what their steps cost the account by themselves', async () => {
  const [member, other] = [await shared().account(1_000), await shared().account(1_000)]
  const { setPrice, assign } = await openGroup()
  await setPrice({ price_usd: '0.013' })
  await assign(member)
  const steps = ['one', 'two'].map((id) => ({ id, action: echoId, params: { text: id } }))
  const calls = steps.map(({ id: _, ...call }) => call)
  const published = await operate('POST', 'plans', {
    name: `twice-${crypto.randomUUID().slice(0, 8)}`,
    title: 'Echo twice.',
    steps,
    price: { kind: 'sum', margin_percent: 50, margin_cents: 1 },
  })
  const own = async (account: TestAccount) => {
    const plan = { name: 'twice', title: 'Echo twice.', steps }
    const saved = await shared().request('POST', '/api/v1/plans', { key: account.key, body: plan })
    return saved.body.action as string
  }
  const read = async (account: TestAccount) => {
    const saved = await own(account)
    const [listed] = (await account.get('/api/run')).body.actions.filter(
      ({ service, action }: { service: string; action: string }) =>
        `${service}/${action}` === saved,
    )
    expect(listed.price.text).toBe('the sum of its steps, within your max_cost_cents')
    const shown = await account.get(`/api/run/${saved}`)
    return {
      shown: shown.body.example.cents,
      plan: await readJob(account, 'tollway/run-plan', { steps }),
      batch: await readJob(account, 'tollway/batch', { calls }),
      saved: await readJob(account, saved, {}),
      published: await readJob(account, published.body.action, {}),
      inside: await readJob(account, 'tollway/run-plan', {
        steps: [{ id: 'both', action: saved, max_cost_cents: 10 }, steps[0]],
      }),
    }
  }
  const costing = (...amounts: string[]) => ({
    amounts: new Set([amounts[0]]),
    parts: new Set(amounts.slice(1)),
  })
  expect(await read(other)).toEqual({
    shown: 4,
    plan: costing('0.040000', '0.020000'),
    batch: costing('0.040000', '0.020000'),
    saved: costing('0.040000', '0.020000'),
    published: costing('0.070000', '0.020000'),
    inside: costing('0.060000', '0.040000', '0.020000'),
  })
  expect(await read(member)).toEqual({
    shown: 2.6,
    plan: costing('0.026000', '0.013000'),
    batch: costing('0.026000', '0.013000'),
    saved: costing('0.026000', '0.013000'),
    published: costing('0.049000', '0.013000'),
    inside: costing('0.039000', '0.026000', '0.013000'),
  })
  await verify(shared())
})

test('the ceiling of a step is compared with what the step costs the account', async () => {
  const [member, other] = [await shared().account(1_000), await shared().account(1_000)]
  const { setPrice, assign } = await openGroup()
  await assign(member)
  const answerOf = async ({ call }: TestAccount, cents: number) => {
    const steps = [{ id: 'one', action: echoId, params: {}, max_cost_cents: cents }]
    return (await call('tollway/run-plan', { steps, max_cost_cents: 50 })).body.error
  }
  await setPrice({ price_usd: '0.01' })
  expect([await answerOf(member, 1), await answerOf(other, 1)]).toEqual([
    undefined,
    'max_cost_exceeded',
  ])
  await setPrice({ price_usd: '0.03' })
  expect([await answerOf(member, 2), await answerOf(other, 2)]).toEqual([
    'max_cost_exceeded',
    undefined,
  ])
})

test('a price holds from its date, and what has started is ended by another price only', async () => {
  const account = await shared().account(1_000)
  const { id, setPrice, assign, prices } = await openGroup()
  await assign(account)
  const startsAt = new Date(Date.now() + dayMs).toISOString()
  await setPrice({ price_usd: '0.013' })
  await setPrice({ price_usd: '0.03', starts_at: startsAt })
  await setPrice({ price_usd: '0.031', starts_at: startsAt })
  expect(await prices()).toMatchObject([
    { price_usd: '0.031000', state: 'later' },
    { price_usd: '0.013000', state: 'in_force' },
  ])
  expect(await quoteOf(account)).toBe('0.013000')
  // The day comes.
  await shared().database.query(
    'update group_price set starts_at = clock_timestamp() where price_group = $1 and starts_at > now()',
    [id],
  )
  await expect.poll(() => quoteOf(account)).toBe('0.031000')
  // The caller who read the earlier quote names it as the most that the call may cost.
  expect(await account.call(echoId, { max_cost_cents: 2 })).toMatchObject({ status: 402 })
  expect(await prices()).toMatchObject([
    { price_usd: '0.031000', state: 'in_force' },
    { price_usd: '0.013000', state: 'over' },
  ])
  const withdrawn = await operate(
    'DELETE',
    `price-groups/${id}/prices/${echoId}?starts_at=${encodeURIComponent(startsAt)}`,
  )
  expect(withdrawn.status).toBe(404)
  await setPrice({ general: true })
  expect((await readDoors(account)).amounts).toEqual(new Set(['0.020000']))
})

test('what an account of a group was charged counts at the catalog’s price in what another price would earn', async () => {
  const account = await shared().account(1_000)
  const { setPrice, assign } = await openGroup()
  const rows = 'test/rows'
  await setPrice({ price_usd: '0.01' }, rows)
  await assign(account)
  const before = await operate('GET', `price-overrides/${rows}`)
  await account.call(rows, { rows: 10, delivered: 10 })
  const after = await operate('GET', `price-overrides/${rows}`)
  const earned = ({ body }: typeof after) => Number(body.at_this_price.charged_usd)
  expect(earned(after) - earned(before)).toBeCloseTo(0.05)
})

test('a group says what is wrong with a price, a date and its removal', async () => {
  const account = await shared().account(10)
  const { id, setPrice, assign } = await openGroup()
  const refused = (message: RegExp) => ({
    status: 400,
    body: { error: 'bad_request', message: expect.stringMatching(message) },
  })
  expect(await setPrice({ factor: '0.5' })).toMatchObject(refused(/Send price_usd/))
  expect(await setPrice({})).toMatchObject(refused(/Send price_usd/))
  expect(await setPrice({ price_usd: '0.01', general: true })).toMatchObject(refused(/price_usd/))
  expect(await setPrice({ price_usd: '0.01', starts_at: '2020-01-01T00:00:00Z' })).toMatchObject(
    refused(/in the future/),
  )
  expect(await setPrice({ price_usd: '0.01' }, 'test/nonsense-action')).toMatchObject({
    status: 404,
  })
  await assign(account)
  expect(await operate('DELETE', `price-groups/${id}`)).toMatchObject(refused(/1 accounts?/))
  await assign(account, null)
  expect(await operate('DELETE', `price-groups/${id}`)).toMatchObject({ status: 200 })
  expect(await assign(account)).toMatchObject({ status: 404 })
})
