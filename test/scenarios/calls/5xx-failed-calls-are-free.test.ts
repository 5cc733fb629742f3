import { describe, expect, test } from 'vitest'
import { shareGatewayOfWorker, verify } from '#test/harness.ts'

const failures = [
  {
    title: 'a provider’s error',
    action: 'test/fails',
    body: { code: 'upstream_error' },
    status: 500,
    error: 'upstream_error',
  },
  {
    title: 'a crash in an action',
    action: 'test/fails',
    body: { code: 'crash' },
    status: 500,
    error: 'upstream_error',
  },
  {
    title: 'an answer that the action does not understand',
    action: 'test/nonsense',
    body: {},
    status: 500,
    error: 'upstream_error',
  },
  {
    title: 'a call that never ends',
    action: 'test/hangs',
    body: {},
    status: 500,
    error: 'upstream_error',
  },
  {
    title: 'nothing that could be read',
    action: 'test/fails',
    body: { code: 'all_blocked' },
    status: 502,
    error: 'all_blocked',
  },
  {
    title: 'a busy provider',
    action: 'test/fails',
    body: { code: 'upstream_busy' },
    status: 409,
    error: 'upstream_busy',
  },
]

const shared = shareGatewayOfWorker()

describe('a failed call is not charged', () => {
  test.each(failures)('$title: $status $error', async ({ action, body, status, error }) => {
    const gateway = shared()
    const account = await gateway.account(10)
    const reply = await account.call(action, body)
    expect(reply.status).toBe(status)
    expect(reply.body).toMatchObject({ ok: false, error })
    expect(reply.body.message).not.toMatch(/secret|sk_live/)
    expect(await account.state()).toEqual({ availableCents: 10, heldCents: 0, transactions: 1 })
    const { body: page } = await account.get('/api/v1/transactions?type=call')
    expect(page.transactions).toMatchObject([{ status: 'failed', error, charged_cents: 0 }])
    expect(
      await gateway.database.query(
        'select t.* from transfer t join call c on c.id = t.call_id where t.kind = $1 and c.account_id = $2',
        ['charge', account.id],
      ),
    ).toEqual([])
    expect(await verify(gateway)).toMatchObject({ ok: true })
  })

  test('a provider that asks to wait: 429 with its Retry-After', async () => {
    const gateway = shared()
    const account = await gateway.account(10)
    const reply = await account.call('test/fails', { code: 'rate_limited' })
    expect(reply.status).toBe(429)
    expect(reply.headers.get('retry-after')).toBe('7')
    expect(await account.state()).toMatchObject({ availableCents: 10 })
  })
})

test('a call whose hold was voided while it ran is refused, since it cannot be charged', async () => {
  const gateway = shared()
  const account = await gateway.account(10)
  const running = account.call('test/slow', {})
  await gateway.provider.waiting(1)
  await gateway.database.query(
    `select s.* from call c, ledger_settle(
       row(c.id, c.account_id, 'voided', 0, null, 'upstream_error', 'late', null, null)::settlement) s
     where c.account_id = $1`,
    [account.id],
  )
  gateway.provider.release()
  const reply = await running
  expect([reply.status, reply.body.error]).toEqual([500, 'upstream_error'])
  expect(await account.state()).toEqual({ availableCents: 10, heldCents: 0, transactions: 1 })
  expect(await verify(gateway)).toMatchObject({ ok: true })
})
