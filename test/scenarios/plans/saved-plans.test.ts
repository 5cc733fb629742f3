// Saved plans: steps under a name and a price, called like any other action.
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { adminToken, type Reply, shareGateway, type TestAccount, verify } from '#test/harness.ts'
import { until } from '#test/until.ts'

const gateway = shareGateway()

const textInput = {
  type: 'object',
  properties: {
    text: { type: 'string', maxLength: 100 },
    rows: { type: 'integer', minimum: 1, maximum: 50, default: 3 },
  },
  required: ['text'],
  additionalProperties: false,
}
const fromInput = (pointer: string) => ({ $step: 'input', pointer })
const from = (step: string, pointer: string) => ({ $step: step, pointer })
const echo = (id: string, text: unknown, more: object = {}) => ({
  id,
  action: 'test/echo',
  params: { text },
  ...more,
})
const rows = (id: string, more: object = {}) => ({
  id,
  action: 'test/rows',
  params: { rows: fromInput('/rows'), delivered: 2 },
  ...more,
})
const fails = (id: string, after: string[]) => ({
  id,
  action: 'test/fails',
  params: { code: 'all_blocked' },
  after,
})

let count = 0
/** A plan of two steps: 2¢, and half a cent for each of two delivered rows. */
const planOf = (more: object = {}) => {
  count += 1
  return {
    name: `plan-${count}`,
    title: 'Echo a text, and count rows.',
    input: textInput,
    steps: [echo('say', fromInput('/text')), rows('count')],
    output: { said: from('say', '/echo'), first: from('count', '/rows/0') },
    example: { text: 'hello' },
    ...more,
  }
}

const as = (account: TestAccount, method: string, path: string, body?: unknown): Promise<Reply> =>
  gateway().request(method, path, { key: account.key, ...(body !== undefined && { body }) })
const operate = (method: string, path: string, body?: unknown): Promise<Reply> =>
  gateway().request(method, `/api/v1/admin${path}`, {
    key: adminToken,
    ...(body !== undefined && { body }),
  })

async function save(account: TestAccount, plan: object): Promise<string> {
  const { status, body } = await as(account, 'POST', '/api/v1/plans', plan)
  expect({ status, body }).toMatchObject({ status: 201 })
  return body.action
}
async function publish(plan: object): Promise<string> {
  const { status, body } = await operate('POST', '/plans', plan)
  expect({ status, body }).toMatchObject({ status: 201 })
  return body.action
}
async function run(account: TestAccount, action: string, body: object) {
  const accepted = await account.call(action, body)
  expect(accepted.body).toMatchObject({ ok: true, data: { status: 'queued' } })
  return await ended(account, accepted.body.data.job_id)
}
async function ended(account: TestAccount, job_id: string) {
  const polled = await account.call('tollway/result', { job_id, wait_seconds: 50 })
  expect(polled.body.data.status).not.toBe('running')
  return polled.body.data
}
const expectBooksRight = async () =>
  expect(await verify(gateway())).toMatchObject({ ok: true, problems: [] })

describe('a plan of an account', () => {
  test('runs as an action with its input, and costs the sum of its steps', async () => {
    const account = await gateway().account(100)
    const plan = planOf()
    const action = await save(account, plan)
    const quoted = await gateway().call(
      `${action}?quote=true`,
      { text: 'a', max_cost_cents: 20 },
      {
        key: account.key,
      },
    )
    expect(quoted.body.data).toMatchObject({ allowed: true, price: { max_cents: 4 } })
    const { result, charged_usd } = await run(account, action, { text: 'hi', max_cost_cents: 20 })
    expect(charged_usd).toBe('0.030000')
    expect(result).toMatchObject({
      status: 'completed',
      result: { said: 'hi', first: 0 },
      spent_usd: '0.030000',
      steps: [
        { id: 'say', charged_cents: 2 },
        { id: 'count', charged_usd: '0.010000' },
      ],
    })
    expect(await account.call(action, { text: 7, max_cost_cents: 20 })).toMatchObject({
      status: 400,
      body: { error: 'bad_request' },
    })
    expect(await account.call(action, { text: 'a' })).toMatchObject({
      body: { error: 'max_cost_required' },
    })
    expect(await account.call(action, { text: 'a', max_cost_cents: 2 })).toMatchObject({
      body: { error: 'max_cost_exceeded' },
    })
    expect(await account.state()).toEqual({ availableCents: 97, heldCents: 0, transactions: 1 })
    await expectBooksRight()
  })

  test('is seen and called by that account alone', async () => {
    const [owner, other] = [await gateway().account(100), await gateway().account(100)]
    const plan = planOf({ title: 'Xylophone tuning report.' })
    const action = await save(owner, plan)
    const address = `/api/run/${action}`
    expect((await owner.get(address)).body).toMatchObject({ summary: plan.title, async: true })
    const listed = async (account: TestAccount) =>
      (await account.get('/api/run')).body.actions.some(
        ({ endpoint }: { endpoint: string }) => endpoint === `POST ${address}`,
      )
    expect([await listed(owner), await listed(other)]).toEqual([true, false])
    const asked = { query: 'xylophone tuning report' }
    const found = async (account: TestAccount) =>
      (await account.call('tollway/discover', asked)).body.data.hits.some(
        ({ endpoint }: { endpoint: string }) => endpoint === `POST ${address}`,
      )
    expect([await found(owner), await found(other)]).toEqual([true, false])

    const stranger = { status: 404, body: { error: 'not_found' } }
    const step = { id: 'a', action, params: { text: 'x' }, max_cost_cents: 9 }
    expect(await other.get(address)).toMatchObject(stranger)
    expect(await gateway().request('GET', address)).toMatchObject(stranger)
    expect(await other.call(action, { text: 'x', max_cost_cents: 9 })).toMatchObject(stranger)
    expect(
      await other.call('tollway/run-plan', { steps: [step], max_cost_cents: 9 }),
    ).toMatchObject(stranger)
    expect(await as(other, 'GET', `/api/v1/plans/${plan.name}`)).toMatchObject(stranger)
    expect((await gateway().request('GET', '/openapi.json')).body.paths[address]).toBeUndefined()
    expect((await gateway().request('GET', `/docs/actions/${action}`)).status).toBe(404)
  })

  test('has a fixed price or a margin only from the operator', async () => {
    const account = await gateway().account(100)
    for (const price of [
      { kind: 'fixed', cents: 1 },
      { kind: 'sum', margin_percent: 5 },
    ])
      expect(await as(account, 'POST', '/api/v1/plans', planOf({ price }))).toMatchObject({
        status: 403,
        body: { error: 'forbidden' },
      })
    expect(
      await operate('POST', '/plans', planOf({ price: { kind: 'fixed', cents: 0 } })),
    ).toMatchObject({ status: 400 })
  })

  test('may only be called by a limited key that may call it and its steps', async () => {
    const account = await gateway().account(100)
    const action = await save(account, planOf())
    const issue = async (actions: string[]) =>
      (await as(account, 'POST', '/api/v1/keys', { actions })).body.api_key
    const body = { text: 'x', max_cost_cents: 9 }
    const [plan, all] = [await issue([action]), await issue([action, 'test/*'])]
    expect(await gateway().call(action, body, { key: plan })).toMatchObject({ status: 403 })
    expect(await gateway().call(action, body, { key: all })).toMatchObject({ status: 200 })
    expect(
      await gateway().request('POST', '/api/v1/plans', { key: all, body: planOf() }),
    ).toMatchObject({ status: 403 })
  })

  test('gets versions, and shows what differs from the one before', async () => {
    const account = await gateway().account(100)
    const plan = planOf()
    const { name, ...body } = plan
    const action = await save(account, plan)
    expect(await as(account, 'POST', '/api/v1/plans', plan)).toMatchObject({
      status: 409,
      body: { error: 'stale_etag' },
    })
    const path = `/api/v1/plans/${name}`
    const first = (await as(account, 'GET', path)).body.revision
    const unlike = { ...body, price: { kind: 'fixed', cents: 1 } }
    expect(await as(account, 'PUT', path, unlike)).toMatchObject({ status: 403 })
    const titled = { at: '/title', before: plan.title, after: 'Other.' }
    const preview = await as(account, 'PATCH', `${path}?preview=true`, { title: 'Other.' })
    expect(preview.body).toMatchObject({ revision: null, differences: [titled] })
    const changed = await as(account, 'PATCH', `${path}?revision=${first}`, { title: 'Other.' })
    expect(changed.body).toMatchObject({ action, differences: [titled] })
    expect(await as(account, 'PUT', `${path}?revision=${first}`, body)).toMatchObject({
      status: 409,
    })
    expect((await account.get(`/api/run/${action}`)).body.summary).toBe('Other.')
    expect((await as(account, 'GET', `${path}?revision=${first}`)).body.title).toBe(plan.title)
    expect((await as(account, 'GET', `${path}/revisions`)).body.revisions).toHaveLength(2)
    expect((await as(account, 'DELETE', path)).body).toMatchObject({ retired: true, action })
    expect(await account.call(action, { text: 'a', max_cost_cents: 9 })).toMatchObject({
      status: 404,
      body: { message: expect.stringContaining('was retired') },
    })
    expect(await account.get(`/api/run/${action}`)).toMatchObject({
      status: 404,
      body: { message: expect.stringContaining('was retired') },
    })
    expect((await as(account, 'GET', '/api/v1/plans')).body.plans).toEqual([])
    expect(await save(account, plan)).toBe(action)
  })

  test('has revisions that are times, and do not tell how many plans others save', async () => {
    const account = await gateway().account(100)
    const plan = planOf()
    await save(account, plan)
    const path = `/api/v1/plans/${plan.name}`
    for (const title of ['One.', 'Two.']) await as(account, 'PATCH', path, { title })
    const { revisions } = (await as(account, 'GET', `${path}/revisions`)).body
    const told = revisions.map((each: { revision: number }) => each.revision)
    expect(told).toHaveLength(3)
    expect(told).toEqual([...new Set<number>(told)].toSorted((one, other) => other - one))
    for (const { revision, saved_at: savedAt } of revisions)
      expect(Math.abs(revision / 1_000 - Date.parse(savedAt))).toBeLessThan(10_000)
  })

  test('is checked by a preview, which saves nothing and refuses what a save would', async () => {
    const account = await gateway().account(100)
    const plan = planOf()
    const path = `/api/v1/plans/${plan.name}`
    const preview = (method: string, to: string, body: unknown) =>
      as(account, method, `${to}${to.includes('?') ? '&' : '?'}preview=true`, body)
    const refused = { status: 409, body: { error: 'stale_etag' } }
    const looked = await preview('POST', '/api/v1/plans', plan)
    expect(looked).toMatchObject({ status: 200, body: { revision: null, differences: [] } })
    expect((await as(account, 'GET', '/api/v1/plans')).body.plans).toEqual([])
    await save(account, plan)
    const { revision } = (await as(account, 'GET', path)).body
    expect(await preview('POST', '/api/v1/plans', plan)).toMatchObject(refused)
    const stale = `${path}?revision=${revision + 1}`
    expect(await preview('PATCH', stale, { title: 'Other.' })).toMatchObject(refused)
    const price = { kind: 'fixed', cents: 1 }
    expect(await preview('PATCH', path, { price })).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('Only the operator') },
    })
    const same = await as(account, 'PATCH', path, { title: plan.title })
    expect(same.body).toMatchObject({ revision, differences: [] })
  })

  test('keeps both of two changes at once, or refuses one of them', async () => {
    const account = await gateway().account(100)
    const plan = planOf()
    const path = `/api/v1/plans/${plan.name}`
    await save(account, plan)
    const { database } = gateway()
    const patch = (change: object) => as(account, 'PATCH', path, change)
    // Both have read the plan before either of them is saved.
    const replies = await database.transaction(async (client) => {
      await client.query(`select pg_advisory_xact_lock(hashtextextended('saved plans', 0))`)
      const both = [patch({ title: 'Other.' }), patch({ notes: 'For teas.' })]
      await until(async () => {
        const waiting = await database.query(
          `select 1 from pg_locks where locktype = 'advisory' and not granted
             and database = (select oid from pg_database where datname = current_database())`,
        )
        return waiting.length === both.length
      })
      return both
    })
    const [titled, noted] = await Promise.all(replies)
    const changed = [titled, noted].filter((reply) => reply?.status === 200)
    expect(changed).toHaveLength(1)
    expect([titled, noted].find((reply) => reply?.status !== 200)).toMatchObject({
      status: 409,
      body: { error: 'stale_etag', message: expect.stringContaining('repeat your change') },
    })
    expect((await patch({ title: 'Other.', notes: 'For teas.' })).status).toBe(200)
    expect((await as(account, 'GET', path)).body).toMatchObject({
      title: 'Other.',
      notes: 'For teas.',
    })
  })

  test('is saved once for its idempotency key, and by one of two at once', async () => {
    const account = await gateway().account(100)
    const plan = planOf()
    const headers = { 'idempotency-key': randomUUID() }
    const send = () =>
      gateway().request('POST', '/api/v1/plans', { key: account.key, headers, body: plan })
    const [first, again] = [await send(), await send()]
    expect(again.body).toEqual(first.body)
    const racing = planOf()
    const replies = await Promise.all(
      [1, 2].map(() => as(account, 'POST', '/api/v1/plans', racing)),
    )
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 409])
  })

  test('cannot call itself, a plan that calls it, or plans too deep', async () => {
    const account = await gateway().account(100)
    const inner = planOf()
    const innerAction = await save(account, inner)
    const step = (action: string) => ({
      id: 'plan',
      action,
      params: { text: fromInput('/text') },
      max_cost_cents: 20,
    })
    const outer = planOf({
      steps: [step(innerAction)],
      output: { all: from('plan', '/result/said') },
    })
    const outerAction = await save(account, outer)
    const { result } = await run(account, outerAction, { text: 'deep', max_cost_cents: 20 })
    expect(result).toMatchObject({
      status: 'completed',
      result: { all: 'deep' },
      spent_usd: '0.030000',
    })

    const refused = (about: string) => ({
      status: 400,
      body: { error: 'bad_request', message: expect.stringContaining(about) },
    })
    const patch = (action: string) =>
      as(account, 'PATCH', `/api/v1/plans/${inner.name}`, { steps: [step(action)], output: null })
    expect(await patch(outerAction)).toMatchObject(refused('never end'))
    expect(await patch(innerAction)).toMatchObject(refused('itself'))
    expect(
      await as(
        account,
        'POST',
        '/api/v1/plans',
        planOf({ steps: [step(outerAction)], output: undefined }),
      ),
    ).toMatchObject(refused('no further plan'))
    await expectBooksRight()
  })

  test.each([
    ['no steps', { steps: [] }, 400],
    ['a step that does not exist', { steps: [echo('a', 'b', { action: 'test/none' })] }, 404],
    ['a step called input', { steps: [echo('input', 'b')], output: undefined }, 400],
    [
      'a value that its input never has',
      { steps: [echo('a', fromInput('/nothing'))], output: undefined },
      400,
    ],
    [
      'a value of the wrong type',
      { steps: [echo('a', fromInput('/rows'))], output: undefined },
      400,
    ],
    ['an answer of no step', { output: { x: from('nowhere', '') } }, 400],
    ['a title that reads backwards', { title: 'Pay \u202eeruces' }, 400],
    ['a name with other letters', { name: 'rep\u043ert' }, 400],
    [
      'an input that refers elsewhere',
      {
        input: {
          type: 'object',
          properties: { text: { $ref: 'http://127.0.0.1/x' }, rows: { type: 'integer' } },
        },
      },
      400,
    ],
    ['an input that is not an object', { input: { type: 'string' } }, 400],
    [
      'a pattern that is none',
      { input: { ...textInput, properties: { ...textInput.properties, x: { pattern: '(' } } } },
      400,
    ],
    ['an example that does not fit', { example: { text: 7 } }, 400],
    [
      'a text that cannot be stored',
      { notes: 'a', steps: [echo('say', 'a\u0000')], output: undefined },
      400,
    ],
    ['a text with half a character', { steps: [echo('say', '\ud800')], output: undefined }, 400],
  ])('is refused for %s', async (_what, change, status) => {
    const account = await gateway().account(0)
    const refused = await as(account, 'POST', '/api/v1/plans', planOf(change))
    expect(refused).toMatchObject({ status, body: { ok: false, message: expect.any(String) } })
  })

  test('takes no reference to a step from its caller', async () => {
    const account = await gateway().account(100)
    const any = { type: 'object', properties: { text: {} }, required: ['text'] }
    const plan = planOf({
      input: any,
      steps: [echo('say', 'secret'), echo('again', fromInput('/text'))],
      output: undefined,
    })
    const action = await save(account, plan)
    const sent = { text: { $step: 'say', pointer: '/echo' }, max_cost_cents: 9 }
    expect(await account.call(action, sent)).toMatchObject({ status: 400 })
  })
})

describe('a published plan', () => {
  test('is an action for everyone, in the list, the documents and the tools', async () => {
    const plan = planOf({ price: { kind: 'fixed', cents: 7 }, title: 'Weigh a unicorn.' })
    const action = await publish(plan)
    expect(action).toBe(`plans/${plan.name}`)
    const account = await gateway().account(100)
    const { body } = await gateway().request('GET', `/api/run/${action}`)
    expect(body).toMatchObject({ price: { mode: 'fixed', amount: '0.070000' }, async: true })
    expect(
      (await gateway().request('GET', '/openapi.json')).body.paths[`/api/run/${action}`],
    ).toBeDefined()
    expect((await gateway().request('GET', `/docs/actions/${action}`)).status).toBe(200)
    const { hits } = (await account.call('tollway/discover', { query: 'weigh a unicorn' })).body
      .data
    expect(hits[0].endpoint).toBe(`POST /api/run/${action}`)
    const { result, charged_cents } = await run(account, action, { text: 'hi' })
    expect(charged_cents).toBe(7)
    expect(result).toEqual({ status: 'completed', result: { said: 'hi', first: 0 } })
    expect((await operate('GET', '/plans')).body.plans).toContainEqual(
      expect.objectContaining({ name: plan.name, action }),
    )
    expect((await operate('DELETE', `/plans/${plan.name}`)).status).toBe(200)
    const { actions } = (await operate('GET', `/audit?subject=${plan.name}`)).body
    expect(actions).toMatchObject([{ action: 'plan.retire' }, { action: 'plan.save' }])
    expect((await gateway().request('GET', '/api/run')).body.services).not.toContainEqual(
      expect.objectContaining({ service: 'plans' }),
    )
    await expectBooksRight()
  })

  test('at a fixed price costs nothing and delivers nothing where a later step fails', async () => {
    const account = await gateway().account(100)
    const action = await publish(
      planOf({
        price: { kind: 'fixed', cents: 7 },
        steps: [echo('say', fromInput('/text')), fails('bad', ['say'])],
        output: { said: from('say', '/echo') },
      }),
    )
    const failed = await run(account, action, { text: 'hidden' })
    expect(failed).toMatchObject({ status: 'failed', charged_cents: 0 })
    expect(JSON.stringify(failed)).not.toContain('hidden')
    expect(await account.state()).toMatchObject({ availableCents: 100, heldCents: 0 })
    await expectBooksRight()
  })

  test('at the sum with a margin charges finished steps with it where a later step fails', async () => {
    const account = await gateway().account(100)
    const price = { kind: 'sum', margin_percent: 25, margin_cents: 1 }
    const steps = [echo('say', fromInput('/text'))]
    const output = { said: from('say', '/echo') }
    const whole = await publish(planOf({ price, steps, output }))
    const done = await run(account, whole, { text: 'a', max_cost_cents: 4 })
    expect(done).toMatchObject({
      charged_usd: '0.035000',
      result: { status: 'completed', margin_usd: '0.015000', spent_cents: 4, margin_cents: 2 },
    })
    const broken = await publish(
      planOf({ price, steps: [...steps, fails('bad', ['say'])], output }),
    )
    const stopped = await run(account, broken, { text: 'a', max_cost_cents: 50 })
    expect(stopped).toMatchObject({
      charged_usd: '0.025000',
      result: { status: 'stopped', margin_usd: '0.005000' },
    })
    await expectBooksRight()
  })

  test('is called by a key that may call it, without a right to its steps', async () => {
    const account = await gateway().account(100)
    const action = await publish(planOf({ price: { kind: 'fixed', cents: 7 } }))
    const { api_key: key } = (await as(account, 'POST', '/api/v1/keys', { actions: [action] })).body
    expect(await gateway().call(action, { text: 'x' }, { key })).toMatchObject({ status: 200 })
  })

  test('is run once for an idempotency key, also by two callers at once', async () => {
    const account = await gateway().account(100)
    const action = await publish(planOf({ price: { kind: 'fixed', cents: 7 } }))
    const headers = { 'idempotency-key': randomUUID() }
    const send = () => account.call(action, { text: 'x' }, headers)
    const replies = await Promise.all([send(), send()])
    const ids = new Set(replies.map(({ body }) => body.data?.job_id).filter(Boolean))
    expect(ids.size).toBe(1)
    for (const id of ids) await ended(account, id)
    expect((await account.state()).availableCents).toBe(93)
  })

  test('ends under way as it began, although it has another version or is retired', async () => {
    const account = await gateway().account(100)
    const plan = planOf({
      price: { kind: 'fixed', cents: 7 },
      steps: [
        echo('wait', fromInput('/text'), { action: 'test/slow', params: {} }),
        echo('say', fromInput('/text'), { after: ['wait'] }),
      ],
      output: { said: from('say', '/echo') },
    })
    const action = await publish(plan)
    const accepted = await account.call(action, { text: 'first' })
    await gateway().provider.waiting(1)
    const sum = { price: { kind: 'sum', cents: null } }
    expect(await operate('PATCH', `/plans/${plan.name}`, sum)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('stays fixed') },
    })
    expect(
      (await operate('PATCH', `/plans/${plan.name}`, { output: { other: from('wait', '') } }))
        .status,
    ).toBe(200)
    expect((await operate('DELETE', `/plans/${plan.name}`)).status).toBe(200)
    gateway().provider.release()
    const { result, charged_cents } = await ended(account, accepted.body.data.job_id)
    expect({ result, charged_cents }).toMatchObject({
      charged_cents: 7,
      result: { result: { said: 'first' } },
    })
  })

  test('is refused free while one of its steps is not sold any more', async () => {
    const account = await gateway().account(100)
    const inner = planOf({ price: { kind: 'fixed', cents: 2 } })
    const innerAction = await publish(inner)
    const steps = [{ id: 'plan', action: innerAction, params: { text: fromInput('/text') } }]
    const action = await publish(
      planOf({ steps, output: undefined, price: { kind: 'fixed', cents: 5 } }),
    )
    await operate('DELETE', `/plans/${inner.name}`)
    expect(await account.call(action, { text: 'a' })).toMatchObject({ status: 404 })
    expect((await gateway().request('GET', `/api/run/${action}`)).status).toBe(200)
    expect((await gateway().request('GET', '/api/run')).status).toBe(200)
  })
})
