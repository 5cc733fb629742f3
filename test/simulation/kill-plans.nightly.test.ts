// kill -9 in each step of ten plans: each step is paid once, no plan exceeds its ceiling, and the parts add up.
import { createServer } from 'node:http'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { portOf } from '#platform/http/port.ts'
import {
  type MortalAccount,
  type MortalGateway,
  openOuterDatabase,
  startMortalGateway,
} from './mortal-gateway.ts'

const planCount = 10
const plansPerAccount = 3
const balanceCents = 100
/** One more kill than a job that saves nothing survives. */
const ids = ['a', 'b', 'c', 'd'] as const
/** The step that poor plans cannot pay for. */
const lastId = 'd'
const often = { interval: 50 }
const provider = path.join(import.meta.dirname, '../support/plans/stepping-provider.ts')

/** A vendor that answers a step only once it is open. Steps are asked for as `/{plan}-{step}`. */
async function startVendor() {
  const asked = new Map<string, number>()
  const waiting = new Map<string, () => void>()
  const opened = new Set<string>()
  const server = createServer((request, reply) => {
    const name = request.url?.slice(1) ?? ''
    asked.set(name, (asked.get(name) ?? 0) + 1)
    const answer = () =>
      reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ name }))
    if (opened.has(name.slice(-1))) answer()
    else waiting.set(name, answer)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    asked,
    waitingAt: (step: string) => [...waiting.keys()].filter((name) => name.endsWith(step)).length,
    open: (step: string) => opened.add(step),
  }
}

/** Plans with an odd number have no money for their last step, which may cost more than is left. */
const isPoor = (plan: number) => plan % 2 === 1
const ceilingOf = (plan: number) => (isPoor(plan) ? 10 : 20)

const stepsOf = (plan: number) =>
  ids.map((id, at) => ({
    id,
    action: at === 0 ? 'stepping/exact' : 'stepping/capped',
    params: {
      name: `${plan}-${id}`,
      ...(at === 0 ? {} : { previous: { $step: ids[at - 1], pointer: '/name' } }),
    },
  }))

interface SubmittedPlan {
  readonly account: MortalAccount
  readonly jobId: string
}

async function submitPlans({ openAccount }: MortalGateway) {
  const plans: SubmittedPlan[] = []
  for (let first = 0; first < planCount; first += plansPerAccount) {
    const account = await openAccount(balanceCents)
    for (let plan = first; plan < Math.min(first + plansPerAccount, planCount); plan += 1) {
      const body = { steps: stepsOf(plan), max_cost_cents: ceilingOf(plan) }
      const handle = await account.attempt('tollway/run-plan', body)
      expect(handle?.body).toMatchObject({ ok: true, data: { status: 'queued' } })
      plans.push({ account, jobId: handle?.body.data.job_id })
    }
  }
  return plans
}

const read = ({ account, jobId }: SubmittedPlan) =>
  account.call('tollway/result', { job_id: jobId, wait_seconds: 50 })

async function ended(plans: readonly SubmittedPlan[]) {
  for (const plan of plans) expect((await read(plan))?.status).toBe('succeeded')
}

test('a killed plan goes on where it was, and is charged once for each step', async () => {
  const vendor = await startVendor()
  const { env } = await openOuterDatabase()
  const gateway = await startMortalGateway({
    ...env,
    CHROMIUM_PATH: '/nowhere/chromium',
    JOBS_AT_ONCE: String(planCount),
    STEPPING_BASE_URL: vendor.url,
    TOLLWAY_PROVIDERS: provider,
  })
  const plans = await submitPlans(gateway)
  for (const id of ids) {
    const running = id === lastId ? planCount / 2 : planCount
    await expect.poll(() => vendor.waitingAt(id), often).toBe(running)
    // A kill may not meet poor plans between the answer to their last step and its record.
    if (id === lastId) await ended(plans.filter((_, plan) => isPoor(plan)))
    await gateway.kill()
    vendor.open(id)
    await gateway.start()
  }

  const spent = new Map<MortalAccount, number>()
  for (const [plan, submitted] of plans.entries()) {
    const { account } = submitted
    const { status, charged_cents: charged, result } = (await read(submitted)) ?? {}
    expect(status).toBe('succeeded')
    expect(charged).toBe(isPoor(plan) ? 6 : 8)
    expect(charged).toBeLessThanOrEqual(ceilingOf(plan))
    const parts: { charged_usd: string; charged_cents: number }[] = result.steps
    expect(parts.map(({ charged_usd: usd }) => Number(usd) * 1_000_000)).toEqual([
      ...[15_000, 20_000, 20_000],
      isPoor(plan) ? 0 : 20_000,
    ])
    expect(parts.reduce((sum, part) => sum + part.charged_cents, 0)).toBe(charged)
    expect(result.status).toBe(isPoor(plan) ? 'stopped' : 'completed')
    spent.set(account, (spent.get(account) ?? 0) + Number(result.spent_usd) * 100)
  }
  for (const [account, cents] of spent)
    expect(await account.get('/api/v1/account')).toMatchObject({
      available_cents: Math.floor(balanceCents - cents),
      held_cents: 0,
    })
  // Once by the gateway that was killed and once by the next. No step that had ended is asked again.
  const lastAsked = ids.flatMap((id) =>
    plans.flatMap((_, plan) => (id === lastId && isPoor(plan) ? [] : [`${plan}-${id}`])),
  )
  expect(Object.fromEntries(vendor.asked)).toEqual(
    Object.fromEntries(lastAsked.map((name) => [name, 2])),
  )
  await gateway.expectBooksRight()
})

const savedIds = ['a', 'b', 'c'] as const

/** A saved plan of three steps, which asks the vendor for the names that its caller sends. */
const savedPlan = (name: string, price?: object) => ({
  name,
  title: 'Repeat three names.',
  input: {
    type: 'object',
    properties: Object.fromEntries(savedIds.map((id) => [id, { type: 'string' }])),
    required: savedIds,
  },
  steps: savedIds.map((id, at) => ({
    id,
    action: at === 0 ? 'stepping/exact' : 'stepping/capped',
    params: { name: { $step: 'input', pointer: `/${id}` } },
    ...(at > 0 && { after: [savedIds[at - 1]] }),
  })),
  output: { last: { $step: 'c', pointer: '/name' } },
  example: { a: 'a', b: 'b', c: 'c' },
  ...(price && { price }),
})

test('a killed saved plan ends as it began, and is charged its price once', async () => {
  const vendor = await startVendor()
  const { env } = await openOuterDatabase()
  const gateway = await startMortalGateway({
    ...env,
    CHROMIUM_PATH: '/nowhere/chromium',
    STEPPING_BASE_URL: vendor.url,
    TOLLWAY_PROVIDERS: provider,
  })
  const account = await gateway.openAccount(balanceCents)
  const fixed = savedPlan('fixed', { kind: 'fixed', cents: 9 })
  const published = await gateway.asOperator('/api/v1/admin/plans', fixed)
  const own = await account.post('/api/v1/plans', savedPlan('own'))
  const submit = async (action: string, plan: string) => {
    const names = Object.fromEntries(savedIds.map((id) => [id, `${plan}-${id}`]))
    const handle = await account.attempt(action, { ...names, max_cost_cents: 20 })
    expect(handle?.body).toMatchObject({ ok: true })
    return { account, jobId: handle?.body.data.job_id as string }
  }
  const plans = [await submit(published.action, 'fixed'), await submit(own.action, 'own')]
  for (const id of savedIds) {
    await expect.poll(() => vendor.waitingAt(id), often).toBe(plans.length)
    if (id === 'b') expect((await account.remove('/api/v1/plans/own')).status).toBe(200)
    await gateway.kill()
    vendor.open(id)
    await gateway.start()
  }
  const [atFixed, atSum] = await Promise.all(plans.map(read))
  expect(atFixed).toMatchObject({
    status: 'succeeded',
    charged_usd: '0.090000',
    result: { status: 'completed', result: { last: 'fixed-c' } },
  })
  expect(atSum).toMatchObject({
    status: 'succeeded',
    charged_usd: '0.055000',
    result: { status: 'completed', result: { last: 'own-c' } },
  })
  expect(await account.get('/api/v1/account')).toMatchObject({
    available_cents: Math.floor(balanceCents - 9 - 5.5),
    held_cents: 0,
  })
  expect(Object.fromEntries(vendor.asked)).toEqual(
    Object.fromEntries(
      savedIds.flatMap((id) => [`fixed-${id}`, `own-${id}`]).map((name) => [name, 2]),
    ),
  )
  await gateway.expectBooksRight()
})
