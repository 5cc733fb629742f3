// Batches and plans of wallets: paid before they run, polled for free, and refunded on the chain what was not
// delivered.
import { expect, test } from 'vitest'
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
