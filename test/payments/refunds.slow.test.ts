// Unearned payments are refunded on the chain: in full, once, and to the payer.
import { setTimeout as delay } from 'node:timers/promises'
import { pad } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import type { UntypedJson } from '#core/replies/untyped-json.ts'
import { memoTopic, refundName } from '#money/chains/dollar.ts'
import { countRows, expectBooksRight } from './books.ts'
import { forgeMpp } from './forgeries.ts'
import {
  chainOf,
  type PaidGateway,
  payments,
  rails,
  shareChains,
  sharePaidGateway,
  startPaidGateway,
} from './paid-gateway.ts'
import { buy, present, received, sign } from './payers.ts'
import { settleDown } from './soak.ts'

const pollsMax = 600
const pollIntervalMs = 50

describe.skipIf(!payments.ok)(`refunds ${payments.reason}`, () => {
  const chains = shareChains()
  const shared = sharePaidGateway(chains)
  const paidFirst = sharePaidGateway(chains, { env: { SETTLE_BEFORE_CENTS: '0' } })
  beforeEach(async () => {
    await settleDown(shared())
    await settleDown(paidFirst())
  })

  test('a job is paid before it is queued, and refunded when it fails', async () => {
    const gateway = shared()
    const body = { steps: 3, costs: 10, ends: 'failed' }
    const handle = await buy(gateway, 'mpp', 'test/job', body)
    expect(handle.body).toMatchObject({ data: { status: 'queued', async: true }, charged_cents: 0 })
    expect(handle.headers.get('payment-receipt')).not.toBeNull()
    expect(await received(gateway, 'mpp')).toBe(300_000n)
    const { job_id, status_url } = handle.body.data
    const job = await poll(status_url, ({ refund }) => refund?.status === 'confirmed')
    expect(job).toMatchObject({
      status: 'failed',
      charged_cents: 0,
      refund: { amount: '0.300000' },
    })
    const [refund] = await gateway.database.query<{ id: string }>(
      'select id from refund where call_id = $1',
      [job_id],
    )
    const { mpp, wallets } = chains()
    const { logs } = await mpp.rpc('eth_getTransactionReceipt', [job.refund.tx])
    const named = logs.find(({ topics }: { topics: string[] }) => topics[0] === memoTopic)
    expect(named.topics).toEqual([
      memoTopic,
      pad(gateway.till.refundWallet.address, { size: 32 }),
      pad(wallets.payer.address, { size: 32 }),
      refundName(refund?.id ?? ''),
    ])
    await expectBooksRight(gateway)
  })

  test('a job that succeeds keeps its cost, and a remainder that is dust', async () => {
    const gateway = shared()
    const before = await countRows(gateway, 'refund')
    const handle = await buy(gateway, 'mpp', 'test/job', { steps: 3, costs: 10 })
    const job = await poll(handle.body.data.status_url, ({ status }) => status !== 'running')
    expect(job).toMatchObject({ status: 'succeeded', charged_usd: '0.295000' })
    expect(job).not.toHaveProperty('refund')
    expect(await countRows(gateway, 'refund')).toBe(before)
    await expectBooksRight(gateway)
  })

  test('the difference between a cap and the cost is refunded unless it is dust', async () => {
    const gateway = shared()
    const before = await countRows(gateway, 'refund')
    const dear = await buy(gateway, 'mpp', 'test/capped', { costs: 24.5 })
    expect(dear.body).toMatchObject({ charged_usd: '0.245000' })
    expect(dear.body).not.toHaveProperty('refund')
    const cheap = await buy(gateway, 'mpp', 'test/capped', { costs: 3 })
    expect(cheap.body).toMatchObject({ charged_cents: 3, refund: { amount: '0.220000' } })
    await confirmed(gateway, before)
    expect(await received(gateway, 'mpp')).toBe(500_000n)
    await expectBooksRight(gateway)
  })

  test.each(rails)('%s: a call that was paid first and fails is refunded', async (rail) => {
    const gateway = paidFirst()
    const before = await countRows(gateway, 'refund')
    const payment = await sign(gateway, rail, 'test/fails', { code: 'all_blocked' })
    const failed = await present(gateway, 'test/fails', { code: 'all_blocked' }, payment)
    expect([failed.status, failed.body.data.refund]).toMatchObject([502, { amount: '0.020000' }])
    await confirmed(gateway, before)
    // The payment is spent. Presented again, it returns its outcome, runs nothing and takes nothing.
    const again = await present(gateway, 'test/fails', { code: 'all_blocked' }, payment)
    expect(again.body).toMatchObject({
      error: 'all_blocked',
      data: { refund: { status: 'confirmed', tx: expect.stringMatching(/^0x/) } },
    })
    expect([await received(gateway, rail), gateway.provider.asked.length]).toEqual([20_000n, 1])
    await expectBooksRight(gateway)
  })

  test.each(rails)(
    '%s: an empty refund wallet delays a refund but does not lose it',
    async (rail) => {
      const gateway = await startWithEmptyRefundWallet()
      const failed = await buy(gateway, rail, 'test/fails', { code: 'all_blocked' })
      expect(failed.body.data.refund.status).toBe('pending')
      await attempted(gateway)
      expect(gateway.log.messages('warn').join()).toMatch(/refund/)
      await chainOf(chains(), rail).mint(emptyWallet, 1_000_000n)
      await confirmed(gateway, 0)
      const [row] = await gateway.database.query<{ payee: string }>('select payee from refund')
      expect(row?.payee).toBe(chains().wallets.payer.address)
    },
  )

  test('a refund that waits for its next try does not delay payments', async () => {
    const gateway = await startWithEmptyRefundWallet()
    await buy(gateway, 'x402', 'test/fails', { code: 'all_blocked' })
    await attempted(gateway)
    gateway.till.node.x402.dropRequest('eth_sendRawTransaction')
    await chains().x402.mint(emptyWallet, 1_000_000n)
    await rested(gateway)
    expect((await buy(gateway, 'x402', 'test/echo', {})).status).toBe(200)
    await gateway.database.query('update refund set next_attempt_at = now()')
    await confirmed(gateway, 0)
    expect(await chains().x402.balanceOf(emptyWallet)).toBe(980_000n)
  })

  test('a refund goes to the signer of the payment, regardless of the rest of the request', async () => {
    const gateway = paidFirst()
    const { otherPayer, payer } = chains().wallets
    const body = { code: 'all_blocked' }
    const before = await countRows(gateway, 'refund')
    const payment = await sign(gateway, 'mpp', 'test/fails', body)
    const forged = forgeMpp(payment, (it) => {
      it.source = `did:pkh:eip155:${chains().mpp.chainId}:${otherPayer.address}`
    })
    await present(gateway, 'test/fails', body, forged)
    await present(gateway, 'test/fails', body, payment)
    await confirmed(gateway, before)
    const rows = await gateway.database.query<{ payee: string }>(
      'select payee from refund order by id desc limit 1',
    )
    expect(rows).toEqual([{ payee: payer.address }])
    const asked = await present(
      gateway,
      'test/fails',
      { ...body, refund_to: otherPayer.address },
      {},
    )
    expect(asked.status).toBe(400)
  })

  test.each(rails)(
    '%s: a call that times out costs nothing, and its payment can be used again',
    async (rail) => {
      const gateway = shared()
      const payment = await sign(gateway, rail, 'test/hangs')
      for (let turn = 0; turn < 2; turn += 1) {
        const late = await present(gateway, 'test/hangs', {}, payment)
        expect([late.status, late.body.error]).toEqual([500, 'upstream_error'])
      }
      expect(await received(gateway, rail)).toBe(0n)
      await expectBooksRight(gateway)
    },
  )

  test.each(rails)('%s: a top-up is a payment like any other, and counts once', async (rail) => {
    const gateway = shared()
    const account = await gateway.account(0)
    const topUp = { account_id: account.id, amount_cents: 50 }
    const payment = await sign(gateway, rail, '/api/v1/topups', topUp)
    const first = await present(gateway, '/api/v1/topups', topUp, payment)
    expect([first.status, first.body.charged_cents]).toEqual([200, 50])
    const again = await present(gateway, '/api/v1/topups', topUp, payment)
    expect([again.status, again.body]).toEqual([200, first.body])
    expect(await account.state()).toMatchObject({ availableCents: 50 })
    expect((await account.call('test/echo', {})).status).toBe(200)
    expect(await account.state()).toMatchObject({ availableCents: 48 })
    expect(await received(gateway, rail)).toBe(500_000n)
    await expectBooksRight(gateway)
  })

  let emptyWallet: `0x${string}` = '0x'
  async function startWithEmptyRefundWallet() {
    const { address, privateKey } = await chains().createPayer(0n)
    emptyWallet = address
    const keys = { X402_REFUND_KEY: privateKey, MPP_REFUND_KEY: privateKey }
    return await startPaidGateway(chains(), { env: { SETTLE_BEFORE_CENTS: '0', ...keys } })
  }
})

async function poll(
  statusUrl: string,
  isEnough: (job: UntypedJson) => boolean,
): Promise<UntypedJson> {
  for (let turn = 0; turn < pollsMax; turn += 1) {
    const { data } = await (await fetch(statusUrl)).json()
    if (isEnough(data)) return data
    await delay(pollIntervalMs)
  }
  throw new Error('The job did not end.')
}

/** Resolves when all refunds are on the chain, one more than before. */
async function confirmed(gateway: PaidGateway, before: number) {
  for (let turn = 0; turn < pollsMax; turn += 1) {
    const rows = await gateway.database.query(`select 1 from refund where state = 'confirmed'`)
    if (rows.length === before + 1)
      return expect(await countRows(gateway, 'refund')).toBe(before + 1)
    await delay(pollIntervalMs)
  }
  throw new Error('The refund is not on the chain.')
}

/** Resolves when a refund has taken its number, was not sent, and will not be retried for a long time. */
async function rested({ database }: PaidGateway) {
  for (let turn = 0; turn < pollsMax; turn += 1) {
    const resting = await database.query(
      `update refund set next_attempt_at = now() + interval '1 hour'
       where state = 'signed' and error like '%did not answer%' returning 1`,
    )
    if (resting.length > 0) return
    await delay(pollIntervalMs)
  }
  throw new Error('The refund was not signed.')
}

async function attempted({ database }: PaidGateway) {
  for (let turn = 0; turn < pollsMax; turn += 1) {
    if ((await database.query('select 1 from refund where error is not null')).length > 0) return
    await delay(pollIntervalMs)
  }
  throw new Error('The refund was not attempted.')
}
