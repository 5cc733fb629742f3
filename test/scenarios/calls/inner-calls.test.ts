// An action that runs another: one price, one transaction, and a hop for each call made on the way.
import { describe, expect, test } from 'vitest'
import { shareGatewayOfWorker, verify } from '#test/harness.ts'

const latency_ms = expect.any(Number)
const hopOf = (action: string, rest: object) => ({
  provider: 'test',
  action,
  latency_ms,
  ...rest,
})

const shared = shareGatewayOfWorker()

async function relay(action: string, body: object) {
  const gateway = shared()
  const account = await gateway.account(100)
  const reply = await account.call(action, body)
  const { body: page } = await account.get('/api/v1/transactions?type=call')
  const [transaction] = page.transactions
  const { timeline } = (await account.get(`/api/v1/transactions/${transaction.transaction_id}`))
    .body
  const hops = timeline
    .filter(({ event }: { event: string }) => event === 'hop')
    .map(({ event: _event, ...hop }: { event: string }) => hop)
  return { gateway, account, reply, transactions: page.transactions, hops }
}

describe('an action that runs another', () => {
  test('is charged once, at its own price, and leaves one transaction with the hop', async () => {
    const { gateway, account, reply, transactions, hops } = await relay('test/relay', {
      to: 'test/echo',
      body: { text: 'hi' },
    })
    expect(reply.body).toMatchObject({
      ok: true,
      data: { available: true, data: { echo: 'hi' } },
      charged_cents: 5,
      balance_remaining_cents: 95,
    })
    expect(transactions).toMatchObject([{ action: 'test/relay', charged_cents: 5 }])
    expect(hops).toEqual([hopOf('echo', { ok: true, charged_cents: 2 })])
    expect(await account.state()).toEqual({ availableCents: 95, heldCents: 0, transactions: 1 })
    expect(await verify(gateway)).toMatchObject({ ok: true, problems: [] })
  })

  test('states in the hop the price of what the inner action delivered, in cents rounded up', async () => {
    const { hops } = await relay('test/relay', {
      to: 'test/rows',
      body: { rows: 10, delivered: 3 },
    })
    expect(hops).toEqual([hopOf('rows', { ok: true, charged_cents: 2 })])
  })

  test('counts the cost of the inner call to the operator', async () => {
    const { gateway, account } = await relay('test/relay', {
      to: 'test/capped',
      body: { costs: 3 },
    })
    expect(
      await gateway.database.query('select cost from call where account_id = $1', [account.id]),
    ).toEqual([{ cost: 30_000 }])
  })

  const failures = [
    {
      title: 'that fails upstream',
      to: 'test/fails',
      body: { code: 'all_blocked' },
      status: 502,
      error: 'all_blocked',
      hop: { action: 'fails' },
    },
    {
      title: 'that refuses the input',
      to: 'test/echo',
      body: { colour: 'red' },
      status: 400,
      error: 'bad_request',
      hop: { action: 'echo', skipped: 'bad_request' },
    },
    {
      title: 'without its provider',
      to: 'ns_semantic/search',
      body: { query: 'x' },
      status: 503,
      error: 'provider_not_configured',
      hop: { provider: 'ns_semantic', action: 'search', skipped: 'provider_not_configured' },
    },
    {
      title: 'that does not exist',
      to: 'test/nothing',
      body: {},
      status: 404,
      error: 'not_found',
      hop: { action: 'nothing', skipped: 'not_found' },
    },
    {
      title: 'whose price has no ceiling',
      to: 'test/purchase',
      body: { costs: 1 },
      status: 402,
      error: 'max_cost_required',
      hop: { action: 'purchase', skipped: 'max_cost_required' },
    },
  ]
  test.each(failures)(
    '$title: the failure is the outer call’s, and nothing is charged',
    async ({ to, body, status, error, hop }) => {
      const { gateway, account, reply, hops } = await relay('test/relay', { to, body })
      expect(reply.status).toBe(status)
      expect(reply.body).toMatchObject({ ok: false, error })
      expect(hops).toEqual([hopOf(hop.action, { ok: false, charged_cents: 0, ...hop })])
      expect(await account.state()).toMatchObject({ availableCents: 100, heldCents: 0 })
      expect(await verify(gateway)).toMatchObject({ ok: true })
    },
  )

  test('can continue after the inner call failed, and can ask beforehand which actions are available', async () => {
    const { reply } = await relay('test/tolerant-relay', { to: 'ns_semantic/search' })
    expect(reply.body).toMatchObject({
      data: { available: false, data: { failed: 'provider_not_configured' } },
      charged_cents: 5,
    })
  })

  test('ends the inner call at its own deadline', async () => {
    const { gateway, reply, hops } = await relay('test/brief-relay', { to: 'test/sleeps' })
    expect(reply.body).toMatchObject({ error: 'upstream_error' })
    expect(reply.body.message).toContain('0.05 seconds')
    expect(gateway.provider.asked).toEqual(['woken'])
    expect(hops).toEqual([hopOf('sleeps', { ok: false, charged_cents: 0 })])
  })

  test('nests at most five actions', async () => {
    const nest = (depth: number): object =>
      depth === 0 ? { to: 'test/echo' } : { to: 'test/relay', body: nest(depth - 1) }
    const deep = await relay('test/relay', nest(4))
    expect(deep.reply.status).toBe(200)
    expect(deep.hops.map(({ action }: { action: string }) => action)).toEqual([
      'echo',
      ...Array<string>(4).fill('relay'),
    ])
    deep.gateway.provider.reset()
    const deeper = await relay('test/relay', nest(5))
    expect(deeper.reply.body).toMatchObject({ ok: false, error: 'upstream_error' })
    expect(deeper.gateway.provider.asked).toEqual([])
    expect(await deeper.account.state()).toMatchObject({ availableCents: 100 })
  })
})
