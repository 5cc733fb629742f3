import { describe, expect, test } from 'vitest'
import { shareGatewayOfWorker, verify } from '#test/harness.ts'

describe('a paid call', () => {
  const shared = shareGatewayOfWorker()

  test('answers with the envelope of the spec and leaves one transaction', async () => {
    const gateway = shared()
    const account = await gateway.account(10)
    const reply = await account.call('test/echo', { text: 'hi' })
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-type')).toMatch(/^application\/json/)
    expect(reply.body).toEqual({
      ok: true,
      data: { echo: 'hi' },
      charged_cents: 2,
      charged_usd: '0.020000',
      balance_remaining_cents: 8,
      balance_remaining_usd: '0.080000',
      transaction_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    expect(await account.state()).toEqual({ availableCents: 8, heldCents: 0, transactions: 1 })
    expect(await verify(gateway)).toMatchObject({ ok: true, problems: [] })
  })

  test('takes a body without a content type, as a bare curl -d sends it', async () => {
    const gateway = shared()
    const account = await gateway.account(10)
    const reply = await gateway.request('POST', '/api/run/test/echo', {
      key: account.key,
      raw: '{"text":"hi"}',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(reply.body).toMatchObject({ ok: true, data: { echo: 'hi' } })
  })

  test('of many in a row each states what is left, and can be read as soon as it is answered', async () => {
    const gateway = shared()
    const [account, other] = [await gateway.account(1_000), await gateway.account(1_000)]
    const others: Promise<unknown>[] = []
    for (let call = 1; call <= 25; call += 1) {
      // A lone call is held by itself, in another way than one of many.
      others.push(other.call('test/echo', {}))
      const { body } = await account.call('test/echo', { text: `${call}` })
      expect(body.balance_remaining_cents).toBe(1_000 - 2 * call)
      const read = await account.get(`/api/v1/transactions/${body.transaction_id}`)
      expect(read.body).toMatchObject({
        status: 'succeeded',
        output: { echo: `${call}` },
        available_after_usd: body.balance_remaining_usd,
      })
      await account.call('test/fails', { code: 'upstream_error' })
    }
    await Promise.all(others)
    expect(await account.state()).toMatchObject({ availableCents: 950, heldCents: 0 })
    expect(await verify(gateway)).toMatchObject({ ok: true, problems: [] })
  })

  test('twenty at once on a balance for five: exactly five are paid, the balance is 0', async () => {
    const gateway = shared()
    const account = await gateway.account(10)
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => account.call('test/echo', {})),
    )
    const statuses = replies.map((reply) => reply.status).sort()
    expect(statuses).toEqual([...Array(5).fill(200), ...Array(15).fill(402)])
    expect(gateway.provider.asked).toHaveLength(5)
    expect(await account.state()).toEqual({ availableCents: 0, heldCents: 0, transactions: 5 })
    expect(await verify(gateway)).toMatchObject({ ok: true })
  })

  const settlements = [
    {
      title: 'units delivered are settled, not those asked for',
      action: 'test/rows',
      body: { rows: 10, delivered: 4 },
      usd: '0.020000',
      cents: 2,
    },
    {
      title: 'fractions of a cent are exact in dollars and rounded up in cents',
      action: 'test/rows',
      body: { rows: 10, delivered: 1 },
      usd: '0.005000',
      cents: 1,
    },
    {
      title: 'more delivered than quoted is not charged',
      action: 'test/rows',
      body: { rows: 2, delivered: 90 },
      usd: '0.010000',
      cents: 1,
    },
    {
      title: 'nothing delivered is free',
      action: 'test/rows',
      body: { rows: 10, delivered: 0 },
      usd: '0.000000',
      cents: 0,
    },
    {
      title: 'a hit is charged',
      action: 'test/miss',
      body: { found: true },
      usd: '0.100000',
      cents: 10,
    },
    {
      title: 'a miss is free',
      action: 'test/miss',
      body: { found: false },
      usd: '0.000000',
      cents: 0,
    },
    {
      title: 'the actual cost below a cap is charged',
      action: 'test/capped',
      body: { costs: 3.25 },
      usd: '0.032500',
      cents: 4,
    },
    {
      title: 'a cost above the cap is charged at the cap',
      action: 'test/capped',
      body: { costs: 80 },
      usd: '0.250000',
      cents: 25,
    },
    {
      title: 'a purchase below the ceiling is charged at its cost',
      action: 'test/purchase',
      body: { costs: 7, max_cost_cents: 20 },
      usd: '0.070000',
      cents: 7,
    },
    {
      title: 'a purchase is never charged above the ceiling',
      action: 'test/purchase',
      body: { costs: 70, max_cost_cents: 20 },
      usd: '0.200000',
      cents: 20,
    },
  ]
  test.each(settlements)('$title', async ({ action, body, usd, cents }) => {
    const gateway = shared()
    const account = await gateway.account(100)
    const reply = await account.call(action, body)
    expect(reply.body).toMatchObject({ ok: true, charged_usd: usd, charged_cents: cents })
    expect(await account.state()).toMatchObject({
      availableCents: Math.floor(100 - Number(usd) * 100),
      heldCents: 0,
    })
    expect(await verify(gateway)).toMatchObject({ ok: true })
  })

  test('stores the cost of the call to the operator', async () => {
    const gateway = shared()
    const account = await gateway.account(100)
    await account.call('test/capped', { costs: 3 })
    expect(
      await gateway.database.query('select cost from call where account_id = $1', [account.id]),
    ).toEqual([{ cost: 30_000 }])
  })

  test('of a free action needs no balance and leaves no transaction', async () => {
    const gateway = shared()
    const account = await gateway.account(0)
    const reply = await account.call('test/free', { text: 'hi' })
    expect(reply.body).toEqual({
      ok: true,
      data: { echo: 'hi' },
      charged_cents: 0,
      charged_usd: '0.000000',
    })
    expect(await account.state()).toMatchObject({ transactions: 0 })
  })

  test('of a retiring action names its last day and its replacement', async () => {
    const gateway = shared()
    const account = await gateway.account(10)
    const path = '/api/run/test/retiring'
    const ask = (options: object) => gateway.request('POST', path, options)
    const { key } = account
    const replies = [
      await account.call('test/retiring', {}),
      await gateway.request('GET', path),
      await ask({ key: 'wrong', body: {} }),
      await gateway.request('DELETE', path),
      await ask({ key, raw: JSON.stringify({ text: 'x'.repeat(11_000_000) }) }),
      await ask({ key, raw: '{' }),
    ]
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 401, 405, 413, 400])
    for (const { headers } of replies) {
      expect(headers.get('deprecation')).toBe('true')
      expect(headers.get('sunset')).toBe('Wed, 30 Jun 2027 00:00:00 GMT')
      expect(headers.get('link')).toBe('</api/run/test/echo>; rel="successor-version"')
    }
    const { paths } = (await gateway.request('GET', '/openapi.json')).body
    expect(paths[path].post.deprecated).toBe(true)
    expect(paths['/api/run/test/echo'].post).not.toHaveProperty('deprecated')
  })
})
