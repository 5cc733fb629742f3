// Plans: several calls under one ceiling, in one held call.
import { describe, expect, test } from 'vitest'
import { defineAction, z } from '#core/action.ts'
import { defineProvider } from '#core/provider.ts'
import { shareGateway, startGateway, type TestAccount, verify } from '#test/harness.ts'

/** Looks at a file of its caller. */
const view = defineAction('view', {
  summary: 'Look at a text that the caller has stored.',
  input: z.strictObject({ file_id: z.string() }),
  output: z.looseObject({}),
  price: { cents: 1 },
  example: { input: { file_id: '01970000-0000-7000-8000-000000000000' }, cents: 1 },
  reads: ({ file_id: fileId }) => [{ fileId, mediaTypes: ['text/plain'], field: 'file_id' }],
  run: () => ({}),
})
const gateway = shareGateway({
  providers: [defineProvider({ id: 'eyes', title: 'Eyes', actions: [view] })],
})

type Step = Record<string, unknown>
const echo = (id: string, text: unknown = id, more: Step = {}): Step => ({
  id,
  action: 'test/echo',
  params: { text },
  ...more,
})
const from = (step: string, pointer: string, more: object = {}) => ({
  $step: step,
  pointer,
  ...more,
})

const poll = (id: string, work: unknown): Step => ({
  id,
  action: 'test/poll',
  params: { id: work },
})

const submit = (account: TestAccount, steps: readonly Step[], max_cost_cents: number | undefined) =>
  account.call('tollway/run-plan', { steps, max_cost_cents })

async function run(account: TestAccount, steps: readonly Step[], maxCostCents: number) {
  const { body } = await submit(account, steps, maxCostCents)
  expect(body).toMatchObject({ ok: true })
  return await ended(account, body.data.job_id)
}

async function ended(account: TestAccount, job_id: string) {
  const polled = await account.call('tollway/result', { job_id, wait_seconds: 20 })
  expect(polled.body.data.status).not.toBe('running')
  return polled.body.data
}

const statuses = (result: { steps: { id: string; status: string }[] }) =>
  Object.fromEntries(result.steps.map(({ id, status }) => [id, status]))

async function expectCleanBooks() {
  expect(await verify(gateway())).toMatchObject({ ok: true, problems: [] })
}

describe('a plan', () => {
  test('passes values from answers to later steps, and charges the sum of its parts once', async () => {
    const account = await gateway().account(100)
    const answer = await run(
      account,
      [
        echo('first', 'hello'),
        { id: 'rows', action: 'test/rows', params: { rows: 10, delivered: 3 } },
        echo('second', from('first', '/echo'), { after: ['rows'], why: 'to repeat it' }),
      ],
      20,
    )
    expect(answer).toMatchObject({
      status: 'succeeded',
      charged_usd: '0.055000',
      charged_cents: 6,
      result: { status: 'completed', spent_cents: 6, spent_usd: '0.055000' },
    })
    expect(answer.result.steps).toMatchObject([
      { id: 'first', status: 'succeeded', charged_cents: 2, data: { echo: 'hello' } },
      { id: 'rows', charged_usd: '0.015000', charged_cents: 2, data: { rows: [0, 1, 2] } },
      { id: 'second', charged_cents: 2, data: { echo: 'hello' }, why: 'to repeat it' },
    ])
    expect(await account.state()).toEqual({ availableCents: 94, heldCents: 0, transactions: 1 })
    await expectCleanBooks()
  })

  test('holds an exact sum exactly, and refuses it free above the ceiling', async () => {
    const account = await gateway().account(100)
    const steps = [echo('one'), echo('two', from('one', '/echo'))]
    const refused = await submit(account, steps, 3)
    expect(refused).toMatchObject({ status: 402, body: { error: 'max_cost_exceeded' } })
    expect(await submit(account, steps, undefined)).toMatchObject({
      body: { error: 'max_cost_required' },
    })
    expect(await account.state()).toMatchObject({ availableCents: 100, transactions: 0 })
  })

  test('stops where a required step fails, and charges what was delivered', async () => {
    const account = await gateway().account(100)
    const { result, charged_cents } = await run(
      account,
      [
        echo('good'),
        { id: 'bad', action: 'test/fails', params: { code: 'all_blocked' }, after: ['good'] },
        echo('never', 'x', { after: ['bad'] }),
        echo('nor', 'x', { after: ['good', 'bad'] }),
      ],
      50,
    )
    expect(result.status).toBe('stopped')
    expect(statuses(result)).toEqual({
      good: 'succeeded',
      bad: 'failed',
      never: 'skipped',
      nor: 'skipped',
    })
    expect(result.steps[1]).toMatchObject({ error: 'all_blocked', charged_cents: 0 })
    expect(charged_cents).toBe(2)
    await expectCleanBooks()
  })

  test('goes on after an optional step that fails', async () => {
    const account = await gateway().account(100)
    const { result, charged_cents } = await run(
      account,
      [
        { id: 'bad', action: 'test/fails', params: { code: 'all_blocked' }, optional: true },
        echo('needs', 'x', { after: ['bad'], optional: true }),
        echo('good', 'x'),
      ],
      50,
    )
    expect(result.status).toBe('completed')
    expect(statuses(result)).toEqual({ bad: 'failed', needs: 'skipped', good: 'succeeded' })
    expect(charged_cents).toBe(2)
  })

  test('that delivers nothing is free and fails as its first step did', async () => {
    const account = await gateway().account(100)
    const steps = [{ id: 'bad', action: 'test/fails', params: { code: 'all_blocked' } }]
    const answer = await run(account, steps, 50)
    expect(answer).toMatchObject({ status: 'failed', error: 'all_blocked', charged_cents: 0 })
    expect(answer.message).toContain('Step "bad"')
    expect(await account.state()).toMatchObject({ availableCents: 100, heldCents: 0 })
  })

  test('stops at its ceiling: a step runs only if all that it may cost is left', async () => {
    const account = await gateway().account(100)
    const capped = (id: string, costs: number, after: string[] = []) => ({
      id,
      action: 'test/capped',
      params: { costs },
      after,
    })
    const { result, charged_cents } = await run(
      account,
      [capped('one', 20), capped('two', 6), capped('three', 1)],
      45,
    )
    // 25 may be needed: of 45 they are left after 20 were spent, and no longer after 26.
    expect(statuses(result)).toEqual({ one: 'succeeded', two: 'succeeded', three: 'failed' })
    expect(result.steps[2].error).toBe('max_cost_exceeded')
    expect(charged_cents).toBe(26)
    await expectCleanBooks()
  })

  test('takes values from earlier answers deep inside its parameters', async () => {
    const account = await gateway().account(100)
    const { result } = await run(
      account,
      [
        echo('one', 'a'),
        {
          id: 'relay',
          action: 'test/relay',
          params: { to: 'test/echo', body: { text: from('one', '/echo') } },
        },
      ],
      50,
    )
    expect(result.steps[1].data).toMatchObject({ data: { echo: 'a' } })
  })

  test('has jobs among its steps, which postpone it and are charged once', async () => {
    const account = await gateway().account(100)
    const { result, charged_cents } = await run(
      account,
      [
        { id: 'later', action: 'test/either', params: { cents: 3, later: true } },
        echo('beside'),
        echo('after', from('later', '/echo')),
      ],
      50,
    )
    expect(statuses(result)).toEqual({
      later: 'succeeded',
      beside: 'succeeded',
      after: 'succeeded',
    })
    expect(result.steps[2].data).toMatchObject({ echo: 'later' })
    expect(charged_cents).toBe(7)
    await expectCleanBooks()
  })
})

describe('a plan is refused free, before anything runs,', () => {
  const wrong: readonly [string, readonly Step[], string][] = [
    ['with an action that does not exist', [{ id: 'a', action: 'test/nothing' }], 'not_found'],
    ['with a step that needs itself', [echo('a', from('a', '/echo'))], 'bad_request'],
    [
      'with a circle',
      [echo('a', from('b', '/echo')), echo('b', from('a', '/echo'))],
      'bad_request',
    ],
    ['with a reference to no step', [echo('a', from('x', '/echo'))], 'bad_request'],
    ['with two steps of one id', [echo('a'), echo('a')], 'bad_request'],
    ['with a broken reference', [echo('a'), echo('b', { $step: 'a' })], 'bad_request'],
    [
      'with a wrong parameter',
      [{ id: 'a', action: 'test/echo', params: { txt: 'x' } }],
      'bad_request',
    ],
    [
      'with a wrong parameter beside a reference',
      [echo('a'), echo('b', from('a', '/echo'), { params: { text: from('a', '/echo'), txt: 1 } })],
      'bad_request',
    ],
    [
      'with a reference of another type',
      [
        { id: 'a', action: 'test/rows', params: { rows: 1, delivered: 1 } },
        echo('b', from('a', '/rows/0')),
      ],
      'bad_request',
    ],
    ['with an id of another account', [echo('a'), poll('b', 'work-of-another')], 'not_found'],
    [
      'with a file that it cannot read',
      [
        {
          id: 'a',
          action: 'eyes/view',
          params: { file_id: '01970000-0000-7000-8000-000000000000' },
        },
      ],
      'bad_request',
    ],
    [
      'with another plan in it',
      [{ id: 'a', action: 'tollway/batch', params: { calls: [{ action: 'test/echo' }] } }],
      'bad_request',
    ],
  ]

  test.each(wrong)('%s', async (_title, steps, error) => {
    const account = await gateway().account(100)
    const { provider } = gateway()
    const before = provider.asked.length
    const reply = await submit(account, steps, 50)
    expect(reply.body).toMatchObject({ error })
    expect(reply.body.message).toMatch(/Step "[ab]"/)
    expect(provider.asked).toHaveLength(before)
    expect(await account.state()).toEqual({ availableCents: 100, heldCents: 0, transactions: 0 })
  })
})

test('a step may use an id that an earlier step has issued', async () => {
  const account = await gateway().account(100)
  const { result } = await run(
    account,
    [{ id: 'a', action: 'test/launch', params: { id: 'own-work' } }, poll('b', from('a', '/id'))],
    50,
  )
  expect(statuses(result)).toEqual({ a: 'succeeded', b: 'succeeded' })
})

describe('a key with limits', () => {
  test('runs a plan only of actions that it may call by themselves, and of free ones', async () => {
    const account = await gateway().account(100)
    const { body: key } = await gateway().request('POST', '/api/v1/keys', {
      key: account.key,
      body: { actions: ['tollway/*', 'test/echo'] },
    })
    const plan = (...steps: Step[]) =>
      gateway().call('tollway/run-plan', { steps, max_cost_cents: 20 }, { key: key.api_key })
    const other = { id: 'rows', action: 'test/rows', params: { rows: 1, delivered: 1 } }
    expect(await plan(echo('a'), other)).toMatchObject({
      status: 403,
      body: { error: 'forbidden', message: expect.stringContaining('test/rows') },
    })
    expect(await account.state()).toMatchObject({ availableCents: 100, transactions: 0 })
    // Free actions stay open.
    const free = { id: 'free', action: 'test/free' }
    expect(await plan(echo('a'), free)).toMatchObject({ status: 200 })
    const headers = { 'idempotency-key': 'free' }
    const alone = await gateway().call('test/free', {}, { key: key.api_key, headers })
    expect(alone.status).toBe(200)
  })
})

test('a plan with a language model counts against the daily limit for models', async () => {
  const input = z.strictObject({})
  const think = defineAction('think', {
    summary: 'Think.',
    input,
    output: input,
    inference: true,
    price: { cents: 2 },
    example: { input: {}, cents: 2 },
    run: () => ({}),
  })
  const limited = await startGateway({
    providers: [defineProvider({ id: 'mind', title: 'Mind', actions: [think] })],
    env: { INFERENCE_DAY_CENTS_MAX: '3' },
  })
  const account = await limited.account(100)
  const batch = (calls: number) => ({
    calls: Array(calls).fill({ action: 'mind/think' }),
    max_cost_cents: 10,
  })
  expect(await account.call('tollway/batch', batch(2))).toMatchObject({
    body: { error: 'rate_limited', message: expect.stringContaining('daily limit') },
  })
  expect(await account.call('tollway/batch', batch(1))).toMatchObject({ status: 200 })
})

describe('a quote', () => {
  test.each([
    ['of exact steps is exact', [echo('a'), echo('b', from('a', '/echo'))], 'exact', 4, 4],
    [
      'of a step with a cap is a cap',
      [echo('a'), { id: 'b', action: 'test/capped', params: { costs: 3 } }],
      'cap',
      2,
      27,
    ],
  ] as const)('%s', async (_title, steps, kind, min, max) => {
    const account = await gateway().account(100)
    const { body } = await account.call('tollway/run-plan?quote=true', { steps })
    expect(body.data).toMatchObject({
      price: { kind, min_cents: min, max_cents: max },
      max_cost_required: true,
    })
  })
})

describe('a batch', () => {
  test('of twenty calls returns each answer or failure, and charges the answers', async () => {
    const account = await gateway().account(100)
    const calls = Array.from({ length: 20 }, (_, at) =>
      at % 4 === 3
        ? { action: 'test/fails', params: { code: 'all_blocked' } }
        : { action: 'test/echo', params: { text: `call ${at}` } },
    )
    const { body } = await account.call('tollway/batch', { calls, max_cost_cents: 40 })
    const answer = await ended(account, body.data.job_id)
    expect(answer).toMatchObject({
      charged_cents: 30,
      result: { failed_count: 5, spent_cents: 30 },
    })
    const rows: { status: string; data?: { echo: string }; error?: string }[] = answer.result.calls
    expect(rows.map(({ data, error }) => data?.echo ?? error)).toEqual(
      calls.map(({ params }) => ('text' in params ? params.text : 'all_blocked')),
    )
    await expectCleanBooks()
  })
})
