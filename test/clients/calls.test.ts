// The client against a real gateway: calls, quotes, ceilings, errors and jobs.

import { createTollway, TollwayError } from '@tollway/client'
import { describe, expect, test } from 'vitest'
import { shareGatewayOfWorker } from '#test/harness.ts'
import { openBreakingProxy } from './breaking-proxy.ts'
import { collect, openClient } from './open-client.ts'

const gateway = shareGatewayOfWorker()
async function open(balanceCents = 100) {
  const account = await gateway().account(balanceCents)
  return { account, tollway: openClient(gateway(), account) }
}
const refusal = (code: string) => expect.objectContaining({ name: 'TollwayError', code })

describe('a call', () => {
  test('is answered with what it cost, in exact dollars too', async () => {
    const { account, tollway } = await open()
    const answer = await tollway.run('test/echo', { text: 'hi' })
    expect(answer).toMatchObject({
      data: { echo: 'hi' },
      chargedCents: 2,
      chargedUsd: '0.020000',
      balanceRemainingCents: 98,
      balanceRemainingUsd: '0.980000',
      replayed: false,
    })
    expect(answer.transactionId).toMatch(/^[0-9a-f-]{36}$/)
    expect((await account.state()).availableCents).toBe(98)
  })

  test('with a key of the caller is answered again without a second charge', async () => {
    const { account, tollway } = await open()
    const idempotencyKey = crypto.randomUUID()
    const first = await tollway.run('test/echo', {}, { idempotencyKey })
    const second = await tollway.run('test/echo', {}, { idempotencyKey })
    expect(second).toMatchObject({
      data: first.data,
      transactionId: first.transactionId,
      replayed: true,
    })
    expect((await account.state()).availableCents).toBe(98)
  })

  test('without a key of the caller is a new call each time', async () => {
    const { account, tollway } = await open()
    await tollway.run('test/echo', {})
    await tollway.run('test/echo', {})
    expect((await account.state()).availableCents).toBe(96)
  })

  test('above its ceiling is refused, and nothing runs', async () => {
    const { account, tollway } = await open()
    await expect(tollway.run('test/echo', {}, { maxCostCents: 1 })).rejects.toThrow(
      refusal('max_cost_exceeded'),
    )
    expect(await account.state()).toMatchObject({ availableCents: 100, transactions: 0 })
  })

  test('that buys takes its ceiling as an option, which its type demands', async () => {
    const { tollway } = await open()
    const bought = await tollway.run('test/purchase', { costs: 3 }, { maxCostCents: 10 })
    expect(bought).toMatchObject({ data: { cost: 3 }, chargedCents: 3 })
    // @ts-expect-error The options of a purchase need maxCostCents.
    await expect(tollway.run('test/purchase', { costs: 3 })).rejects.toThrow(
      refusal('max_cost_required'),
    )
  })

  test('is typed: an unknown action or parameter does not compile, and the gateway refuses it', async () => {
    const { tollway } = await open()
    // @ts-expect-error There is no such action.
    await expect(tollway.run('test/eco', {})).rejects.toThrow(refusal('not_found'))
    // @ts-expect-error There is no such parameter.
    await expect(tollway.run('test/echo', { words: 1 })).rejects.toThrow(refusal('bad_request'))
  })
})

describe('an error', () => {
  test('has its code, status, sentence, transaction and request', async () => {
    const { tollway } = await open()
    const error = await tollway
      .run('test/fails', { code: 'content_policy_violation' })
      .catch((thrown) => thrown)
    expect(error).toBeInstanceOf(TollwayError)
    expect(error).toMatchObject({ code: 'content_policy_violation', status: 400 })
    expect(error.message).toMatch(/Reword/)
    expect(error.requestId).toBeTruthy()
  })

  test('of a server that is not a gateway says what to check', async () => {
    const proxy = await openBreakingProxy(gateway().url)
    proxy.next({ status: 404, body: '<html>Not here</html>' })
    const error = await createTollway({ baseUrl: proxy.url })
      .discover('papers')
      .catch((thrown) => thrown)
    expect(error).toMatchObject({ code: 'unreadable_answer', status: 404 })
    expect(error.message).toMatch(/baseUrl/)
  })

  test('of an unknown key costs nothing and names what to do', async () => {
    const tollway = openClient(gateway(), { key: 'tw_live_wrong' })
    await expect(tollway.run('test/echo', {})).rejects.toThrow(refusal('invalid_token'))
  })
})

test('a quote tells the price and whether the call is allowed, and runs nothing', async () => {
  const { account, tollway } = await open(1)
  const quote = await tollway.quote('test/echo', {})
  expect(quote.price).toMatchObject({ kind: 'exact', cents: 2, min_cents: 2, max_cents: 2 })
  expect(quote).toMatchObject({ allowed: false, refusal: { error: 'insufficient_balance' } })
  expect((await tollway.quote('test/purchase', { costs: 3 })).max_cost_required).toBe(true)
  expect(await account.state()).toMatchObject({ availableCents: 1, transactions: 0 })
})

test('discover needs no key and returns hits that can be called', async () => {
  const tollway = createTollway({ baseUrl: gateway().url })
  const [hit] = await tollway.discover('find scholarly papers about memory', { limit: 3 })
  expect(hit).toMatchObject({ price_cents: expect.any(Number), required: expect.any(Array) })
})

describe('a job', () => {
  test('is a promise of its result, with what it cost', async () => {
    const { account, tollway } = await open()
    const { data, chargedUsd, transactionId } = await tollway.run('test/job', { steps: 3 })
    expect({ data, chargedUsd }).toEqual({ data: { spent_cents: 2.5 }, chargedUsd: '0.025000' })
    const read = await tollway.job(transactionId ?? '').result()
    expect(read.data).toEqual({ spent_cents: 2.5 })
    expect((await account.state()).heldCents).toBe(0)
  })

  test('reports its progress while it runs', async () => {
    const { tollway } = await open()
    const job = await tollway.start('test/job', { steps: 1, ends: 'gate' })
    await gateway().provider.waiting(1)
    const seen = await new Promise((resolve) => {
      job.result({ onProgress: resolve }).catch(() => undefined)
    })
    expect(seen).toEqual({ phase: 'stepping', percent: 0, done: 0, total: 1 })
    gateway().provider.release()
    expect((await job.result()).data).toEqual({ spent_cents: 0.5 })
  })

  test('that fails throws its error and costs nothing', async () => {
    const { account, tollway } = await open()
    await expect(tollway.run('test/job', { ends: 'failed' })).rejects.toThrow(
      refusal('all_blocked'),
    )
    expect(await account.state()).toMatchObject({ availableCents: 100, heldCents: 0 })
  })

  test('that answers at once needs no polling', async () => {
    const { tollway } = await open()
    expect((await tollway.run('test/either', {})).data).toEqual({ echo: 'at once' })
    const started = await tollway.start('test/either', {})
    expect((await started.result()).data).toEqual({ echo: 'at once' })
    expect(await started.cancel()).toBe('ended')
  })

  test('that has begun may be past cancelling, and waiting for it can be given up', async () => {
    const { tollway } = await open()
    const job = await tollway.start('test/job', { steps: 1, ends: 'never' })
    const waiting = new AbortController()
    const onProgress = () => waiting.abort(new Error('enough'))
    const result = job.result({ onProgress, signal: waiting.signal })
    await expect(result).rejects.toThrow('enough')
    await expect(job.cancel()).rejects.toThrow(refusal('job_begun'))
  })

  test('is cancelled when its call is aborted', async () => {
    const { account, tollway } = await open()
    const echo = { action: 'test/echo', params: { text: 'first' } }
    const plan = {
      steps: [
        { id: 'first', ...echo },
        { id: 'slow', action: 'test/slow', params: {}, after: ['first'] },
        { id: 'last', ...echo, after: ['slow'] },
      ],
    }
    const leaving = new AbortController()
    const { signal } = leaving
    let slowRuns = false
    const onProgress = () => slowRuns && leaving.abort(new Error('enough'))
    const left = tollway.run('tollway/run-plan', plan, { maxCostCents: 50, signal, onProgress })
    await gateway().provider.waiting(1)
    slowRuns = true
    await expect(left).rejects.toThrow('enough')
    gateway().provider.release()
    const query = { type: 'call', action: 'tollway/run-plan' } as const
    const [job] = await collect(tollway.list('GET /api/v1/transactions', { query }))
    const ended = await tollway.job<{ status: string }>(job?.transaction_id ?? '').result()
    expect(ended).toMatchObject({ data: { status: 'cancelled' }, chargedCents: 4 })
    expect(await account.state()).toMatchObject({ availableCents: 96, heldCents: 0 })
  })

  test('that has ended is past cancelling', async () => {
    const { tollway } = await open()
    const job = await tollway.start('test/job', { steps: 1 })
    await job.result()
    expect(await job.cancel()).toBe('ended')
  })
})
