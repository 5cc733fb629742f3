// Plans that the operator publishes: what their buyers see, and what they must bring.
import { expect, test } from 'vitest'
import { adminToken, shareGatewayOfWorker, type TestAccount } from '#test/harness.ts'
import { until } from '#test/until.ts'

const gateway = shareGatewayOfWorker({ changes: 'offers' })

const operate = (method: string, path: string, body?: object) =>
  gateway().request(method, `/api/v1/admin${path}`, { key: adminToken, ...(body && { body }) })

const planOf = (name: string, more: object = {}) => ({
  name,
  title: 'Echo a text.',
  input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  steps: [
    { id: 'say', action: 'test/echo', params: { text: { $step: 'input', pointer: '/text' } } },
  ],
  output: { characters: { $step: 'say', pointer: '/echo' } },
  example: { text: 'hello' },
  ...more,
})

async function run(account: TestAccount, action: string, body: object) {
  const { body: accepted } = await account.call(action, body)
  let answer: Record<string, unknown> = {}
  await until(async () => {
    const polled = await account.call('tollway/result', { job_id: accepted.data.job_id })
    answer = polled.body.data
    return answer.status !== 'running'
  })
  return answer
}

test('at the price of a sum, buyers read the result and what each step cost, and not its answer', async () => {
  const price = { kind: 'sum', margin_percent: 10 }
  const steps = [
    { id: 'say', action: 'test/echo', params: { text: 'only of the step' } },
    { id: 'again', action: 'test/echo', params: { text: { $step: 'input', pointer: '/text' } } },
  ]
  const output = { said: { $step: 'again', pointer: '/echo' } }
  const plan = planOf('closed-sum', { price, steps, output })
  expect(await operate('POST', '/plans', plan)).toMatchObject({ status: 201 })
  const account = await gateway().account(100)
  const answer = await run(account, 'plans/closed-sum', { text: 'told', max_cost_cents: 20 })
  expect(answer).toMatchObject({ status: 'succeeded', result: { result: { said: 'told' } } })
  const { steps: shown } = answer.result as { steps: object[] }
  expect(shown).toEqual([
    {
      id: 'say',
      action: 'test/echo',
      status: 'succeeded',
      charged_cents: 2,
      charged_usd: '0.020000',
    },
    {
      id: 'again',
      action: 'test/echo',
      status: 'succeeded',
      charged_cents: 2,
      charged_usd: '0.020000',
    },
  ])
  expect(JSON.stringify(answer)).not.toContain('only of the step')

  const own = await gateway().request('POST', '/api/v1/plans', {
    key: account.key,
    body: planOf('my-own', { steps, output }),
  })
  const mine = await run(account, own.body.action, { text: 'told', max_cost_cents: 20 })
  expect(JSON.stringify(mine)).toContain('only of the step')
})

test('a fixed price below what the steps cost is refused, unless the operator confirms it', async () => {
  const price = { kind: 'fixed', cents: 0.1 }
  const plan = planOf('cheap', { price })
  const refused = await operate('POST', '/plans', plan)
  expect([refused.status, refused.body.message]).toEqual([
    400,
    'You would lose money: callers pay 0.1¢, and the steps of the example cost at least 2¢. Raise the price, or send confirm_below_cost: true to sell at this price all the same.',
  ])
  const confirmed = { ...plan, confirm_below_cost: true }
  expect(await operate('POST', '/plans', confirmed)).toMatchObject({ status: 201 })
  const read = await operate('GET', '/plans/cheap')
  expect(read.body).not.toHaveProperty('confirm_below_cost')
  const cheaper = { price: { cents: 0.05 } }
  expect(await operate('PATCH', '/plans/cheap', cheaper)).toMatchObject({ status: 400 })
  expect(
    await operate('PATCH', '/plans/cheap', { ...cheaper, confirm_below_cost: true }),
  ).toMatchObject({ status: 200 })
  expect(await operate('PATCH', '/plans/cheap', { price: { cents: 2 } })).toMatchObject({
    status: 200,
  })
})

test.each([
  ['/rowz/0/id', 'Did you mean /rows?'],
  ['/rowss/0/id', 'Did you mean /rows?'],
  ['/orws/0/id', 'Did you mean /rows?'],
])('a reference to the misspelt %s is refused', async (pointer, hint) => {
  const steps = [
    { id: 'list', action: 'test/rows', params: { rows: 2, delivered: 2 } },
    { id: 'say', action: 'test/echo', params: { text: { $step: 'list', pointer } } },
  ]
  const refused = await operate('POST', '/plans?preview=true', planOf('misspelt', { steps }))
  expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining(hint)])
})
