// Batches and plans of wallets: paid before they run, polled for free, and refunded on the chain what was not
// delivered.
import { expect, test } from 'vitest'
import { adminToken } from '#test/harness.ts'
import { until } from '#test/until.ts'
import { expectBooksRight } from '../../payments/books.ts'
import { payments, rails, shareChains, sharePaidGateway } from '../../payments/paid-gateway.ts'
import { buy, received } from '../../payments/payers.ts'

const shared = sharePaidGateway(shareChains())
const delivers = { action: 'test/echo' }
const fails = { action: 'test/fails', params: { code: 'all_blocked' } }

test.skipIf(!payments.ok).each(rails)(
  `%s: a wallet pays the sum first and gets back what failed ${payments.reason}`,
  async (rail) => {
    const gateway = shared()
    const before = await received(gateway, rail)
    const calls = [...Array(7).fill(delivers), ...Array(3).fill(fails)]
    const { body } = await buy(gateway, rail, 'tollway/batch', { calls, max_cost_cents: 25 })
    expect(body).toMatchObject({ data: { status: 'queued', async: true } })
    expect((await received(gateway, rail)) - before).toBe(200_000n)
    const poll = async () => (await (await fetch(body.data.status_url)).json()).data
    await until(async () => (await poll()).refund?.status === 'confirmed')
    expect(await poll()).toMatchObject({
      status: 'succeeded',
      charged_usd: '0.140000',
      refund: { amount: '0.060000' },
      result: { failed_count: 3, spent_usd: '0.140000' },
    })
    await expectBooksRight(gateway)
  },
)

test.skipIf(!payments.ok)(
  `a wallet that cancels its plan gets back what was not delivered ${payments.reason}`,
  async () => {
    const gateway = shared()
    const steps = [
      { id: 'first', action: 'test/slow' },
      { id: 'last', ...delivers, after: ['first'] },
    ]
    const { body } = await buy(gateway, 'mpp', 'tollway/run-plan', { steps, max_cost_cents: 25 })
    await gateway.provider.waiting(1)
    const { job_id } = body.data
    const cancelled = await buy(gateway, 'mpp', 'tollway/cancel', { job_id })
    expect(cancelled.body).toMatchObject({ data: { status: 'stopping' } })
    gateway.provider.release()
    const poll = async () => (await (await fetch(body.data.status_url)).json()).data
    await until(async () => (await poll()).refund?.status === 'confirmed')
    expect(await poll()).toMatchObject({
      charged_usd: '0.020000',
      refund: { amount: '0.020000' },
      result: { status: 'cancelled' },
    })
    await expectBooksRight(gateway)
  },
)

test.skipIf(!payments.ok).each(rails)(
  `%s: a wallet pays the fixed price of a published plan, and gets it back where a step fails ${payments.reason}`,
  async (rail) => {
    const gateway = shared()
    const plan = {
      name: `sold-by-${rail}`,
      title: 'Echo a text, unless it should fail.',
      input: { type: 'object', properties: { code: { type: 'string' } } },
      steps: [
        { id: 'first', ...delivers },
        { id: 'fails', ...fails, after: ['first'], optional: true },
      ],
      price: { kind: 'fixed', cents: 7 },
    }
    const publish = async (method: string, path: string, body: object) =>
      expect(await gateway.request(method, path, { key: adminToken, body })).toMatchObject({
        body: { action: `plans/${plan.name}` },
      })
    await publish('POST', '/api/v1/admin/plans', plan)
    const before = await received(gateway, rail)
    const bought = async () => {
      const { body } = await buy(gateway, rail, `plans/${plan.name}`, {})
      expect(body).toMatchObject({ data: { status: 'queued', async: true } })
      const poll = async () => (await (await fetch(body.data.status_url)).json()).data
      await until(
        async () => (await poll()).status !== 'queued' && (await poll()).status !== 'running',
      )
      return poll
    }
    expect(await (await bought())()).toMatchObject({ status: 'succeeded', charged_usd: '0.070000' })
    expect((await received(gateway, rail)) - before).toBe(70_000n)

    const required = plan.steps.map((step) => ({ ...step, optional: false }))
    await publish('PATCH', `/api/v1/admin/plans/${plan.name}`, { steps: required })
    const poll = await bought()
    await until(async () => (await poll()).refund?.status === 'confirmed')
    expect(await poll()).toMatchObject({ status: 'failed', refund: { amount: '0.070000' } })
    await expectBooksRight(gateway)
  },
)
