// Plans that open a sandbox or a browser: it is closed with the plan, however the plan ends.
import { describe, expect, onTestFinished, test } from 'vitest'
import { startBrowserVendor, vendorKey } from '#test/browsers/browser-vendor.ts'
import { canRent } from '#test/browsers/rented-browser.ts'
import { adminToken, shareGateway, startGateway, type TestAccount, verify } from '#test/harness.ts'
import { missingForBoxes } from '#test/sessions/boxes.ts'
import { until } from '#test/until.ts'
import { modalKey, startStubModal } from '../../boxes/modal/stub-modal.ts'

const gateway = shareGateway()
const confined = describe.skipIf((await missingForBoxes()) !== undefined)

const inSandbox = { sandbox_id: { $step: 'open', pointer: '/sandbox_id' } }
const open = { id: 'open', action: 'ns_sandbox/sandbox-create' }
const run = {
  id: 'run',
  action: 'ns_sandbox/sandbox-exec',
  params: { ...inSandbox, command: 'echo $((6 * 7))' },
}
const end = {
  id: 'end',
  action: 'ns_sandbox/sandbox-terminate',
  params: inSandbox,
  after: ['run'],
}
const slow = { id: 'slow', action: 'test/slow', after: ['open'] }
const fails = {
  id: 'fails',
  action: 'test/fails',
  after: ['open'],
  params: { code: 'all_blocked' },
}

async function submit(account: TestAccount, steps: readonly object[], max_cost_cents = 20) {
  const { body } = await account.call('tollway/run-plan', { steps, max_cost_cents })
  expect(body).toMatchObject({ ok: true })
  return body.data.job_id as string
}

const endOf = async (account: TestAccount, job_id: string) =>
  (await account.call('tollway/result', { job_id, wait_seconds: 25 })).body.data

const finish = async (account: TestAccount, steps: readonly object[]) =>
  await endOf(account, await submit(account, steps))

const statusOf = async (account: TestAccount, sandbox_id: string) =>
  (await account.call('ns_sandbox/sandbox-status', { sandbox_id })).body.data.status

async function expectNoBoxes(of = gateway()) {
  await until(async () => {
    const { body } = await of.request('GET', '/api/v1/admin/health', { key: adminToken })
    return body.boxes.open === 0
  })
  expect(await verify(of)).toMatchObject({ ok: true, problems: [] })
}

confined('a plan with a sandbox', () => {
  test('opens, runs and terminates it, at the price of the three calls', async () => {
    const account = await gateway().account(100)
    const steps = [open, run, end]
    const quote = await account.call('tollway/run-plan?quote=true', { steps, max_cost_cents: 20 })
    expect(quote.body).toMatchObject({ data: { price: { kind: 'exact', cents: 5 } } })
    const answer = await finish(account, steps)
    expect(answer).toMatchObject({ charged_cents: 5, result: { status: 'completed' } })
    expect(answer.result.steps[1].data).toMatchObject({ stdout: '42\n', returncode: 0 })
    await expectNoBoxes()
  })

  test.each([
    ['/sandboxid', 'Did you mean /sandbox_id?'],
    ['/id', 'It has: sandbox_id, provider.'],
    ['/sandbox_id/0', 'never has anything at /sandbox_id/0.'],
  ])('that takes %s from its answer is refused and free', async (pointer, hint) => {
    const account = await gateway().account(100)
    const params = { sandbox_id: { $step: 'open', pointer }, command: 'true' }
    const steps = [open, { ...run, params }]
    const { body } = await account.call('tollway/run-plan', { steps, max_cost_cents: 20 })
    expect(body).toMatchObject({ error: 'bad_request' })
    expect(body.message).toContain(hint)
    expect(await account.state()).toMatchObject({ availableCents: 100, transactions: 0 })
  })

  test('closes it where no step does', async () => {
    const account = await gateway().account(100)
    const answer = await finish(account, [open, run])
    expect(answer).toMatchObject({ charged_cents: 4, result: { status: 'completed' } })
    await expectNoBoxes()
    const id = answer.result.steps[0].data.sandbox_id
    expect(await statusOf(account, id)).toBe('finished')
    for (const _twice of [1, 2])
      expect(await account.call('ns_sandbox/sandbox-terminate', { sandbox_id: id })).toMatchObject({
        body: { data: { status: 'finished' } },
      })
  })

  test('that fails in its second step leaves nothing open, and charges the opening', async () => {
    const account = await gateway().account(100)
    const answer = await finish(account, [open, fails])
    expect(answer).toMatchObject({ charged_cents: 3, result: { status: 'stopped' } })
    await expectNoBoxes()
  })

  test('that is cancelled leaves nothing open', async () => {
    const own = gateway()
    const account = await own.account(100)
    const job_id = await submit(account, [open, slow, { ...run, after: ['slow'] }])
    await own.provider.waiting(1)
    await account.call('tollway/cancel', { job_id })
    own.provider.release()
    expect((await endOf(account, job_id)).result.status).toBe('cancelled')
    await expectNoBoxes(own)
  })

  test('is not closed while the plan runs', async () => {
    const own = gateway()
    const account = await own.account(100)
    const job_id = await submit(account, [open, run, { ...slow, after: ['run'] }])
    await own.provider.waiting(1)
    const { body } = await own.request('GET', '/api/v1/admin/health', { key: adminToken })
    expect(body.boxes.open).toBe(1)
    own.provider.release()
    expect((await endOf(account, job_id)).result.status).toBe('completed')
    await expectNoBoxes(own)
  })
})

confined('what is opened by a call of its own', () => {
  test('stays open after the plan that uses it', async () => {
    const account = await gateway().account(100)
    const { sandbox_id } = (await account.call('ns_sandbox/sandbox-create', {})).body.data
    const used = { ...run, params: { sandbox_id, command: 'true' } }
    expect((await finish(account, [used])).result.status).toBe('completed')
    expect(await statusOf(account, sandbox_id)).toBe('running')
    await account.call('ns_sandbox/sandbox-terminate', { sandbox_id })
    await expectNoBoxes()
  })
})

const session_id = { $step: 'rent', pointer: '/sessionId' }
const rent = {
  id: 'rent',
  action: 'ns_browser/create_session',
  params: { estimatedMinutes: 10 },
}
const look = { id: 'look', action: 'ns_browser/session_status', params: { session_id } }

test.skipIf(!canRent)('a browser is released with the plan that has rented it', async () => {
  const account = await gateway().account(100)
  const answer = await finish(account, [rent, look])
  expect(answer).toMatchObject({ charged_cents: 2, result: { status: 'completed' } })
  const { sessionId } = answer.result.steps[0].data
  const released = await account.call('ns_browser/session_status', { session_id: sessionId })
  expect(released.body.data).toMatchObject({ status: 'released', paidMinutes: 10 })
  const { body: session } = await account.get(`/api/v1/sessions/${sessionId}`)
  expect(session).toMatchObject({ status: 'closed', close_reason: 'plan' })
  await until(async () => {
    const { body } = await gateway().request('GET', '/api/v1/admin/health', { key: adminToken })
    return body.browsers.open === 0
  })
})

describe('at a vendor', () => {
  test('nothing is left of what a plan has opened', async () => {
    const [modal, browsers] = [await startStubModal(), await startBrowserVendor()]
    onTestFinished(modal.close)
    const own = await startGateway({
      env: {
        NS_SANDBOX_API_KEY: modalKey,
        NS_SANDBOX_BASE_URL: modal.url,
        NS_BROWSER_API_KEY: vendorKey,
        NS_BROWSER_BASE_URL: browsers.url,
      },
    })
    const account = await own.account(100)
    const answer = await finish(account, [open, run, rent, look])
    expect(answer).toMatchObject({ charged_cents: 6, result: { status: 'completed' } })
    expect(answer.result.steps[3].data).toMatchObject({ alive: true })
    await until(async () => modal.running().length === 0 && browsers.running().length === 0)
    expect(await verify(own)).toMatchObject({ ok: true, problems: [] })
  })
})
