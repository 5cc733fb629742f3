// Chats on leases: keys with limits, and idempotency keys at two gateways of one database.
import { expect, test } from 'vitest'
import { startGateway, verify } from '#test/harness.ts'
import { chat, shareLlmGateway } from '#test/llm-gateway.ts'
import { refuses } from '#test/model-upstream.ts'

const shared = shareLlmGateway()

/** The shared gateway and another one of its database, each with a lease of a new account. */
async function startTwo() {
  const one = shared()
  const two = await startGateway({
    databaseUrl: one.databaseUrl,
    env: { LLM_CONFIG: one.configPath, LAB_API_KEY: 'upstream-key' },
  })
  const account = await one.account(1_000)
  const ask = (gateway: typeof two, key: string, more: object = {}) =>
    chat(gateway, account, { model: 'lab/one', ...more }, { headers: { 'idempotency-key': key } })
  let warmed = 0
  /** Chats until one of them runs on a lease of this gateway. Resolves to its id. */
  const warm = async (gateway: typeof two) => {
    const onLease = async () => {
      warmed += 1
      const { headers } = await ask(gateway, `warm-${warmed}`)
      const [row] = await one.database.query<{ onLease: boolean }>(
        'select on_lease as "onLease" from call where id = $1',
        [headers.get('x-transaction-id')],
      )
      return row?.onLease
    }
    await expect.poll(onLease, { interval: 30 }).toBe(true)
  }
  const settled = async () => {
    const seen = await one.request('GET', '/api/v1/account', { key: account.key })
    return seen.body
  }
  await warm(one)
  await warm(two)
  one.upstream.reset()
  return { one, two, ask, warmed: () => warmed, settled }
}

test.each([false, true])(
  'one Idempotency-Key at two gateways runs once on a lease, and either replays it (stream: %s)',
  async (stream) => {
    const { one, two, ask, warmed, settled } = await startTwo()
    const racing = await Promise.all(
      Array.from({ length: 8 }, (_, turn) => ask(turn % 2 === 0 ? one : two, 'once', { stream })),
    )
    const [first] = racing.filter(({ status }) => status === 200)
    expect(racing.every(({ status }) => status === 200 || status === 409)).toBe(true)
    expect(one.upstream.asked).toHaveLength(1)
    for (const gateway of [one, two]) {
      const again = await ask(gateway, 'once', { stream })
      expect(again.headers.get('idempotency-replayed')).toBe('true')
      expect(again.text).toBe(first?.text)
      expect(again.headers.get('x-transaction-id')).toBe(first?.headers.get('x-transaction-id'))
      expect((await ask(gateway, 'once', { stream, temperature: 1 })).status).toBe(422)
    }
    expect(one.upstream.asked).toHaveLength(1)
    await expect.poll(settled).toMatchObject({
      held_usd: '0.000000',
      calls_in_flight: 0,
      available_usd: (10 - (warmed() + 1) * 0.0003).toFixed(6),
    })
    expect(await verify(two)).toMatchObject({ ok: true })
  },
)

test('an answered chat is replayed by the other gateway at once, and a failed one is run there', async () => {
  const { one, two, ask } = await startTwo()
  for (let turn = 0; turn < 20; turn += 1) {
    const answered = await ask(one, `key-${turn}`)
    const again = await ask(two, `key-${turn}`)
    expect([answered.status, again.status]).toEqual([200, 200])
    expect(again.headers.get('idempotency-replayed')).toBe('true')
  }
  one.upstream.reset()
  one.upstream.behave('one', refuses(400), (it) => it.answer())
  expect((await ask(one, 'failed')).status).toBe(400)
  expect((await ask(two, 'failed')).status).toBe(200)
  expect((await ask(one, 'failed')).headers.get('idempotency-replayed')).toBe('true')
  expect(one.upstream.asked).toHaveLength(2)
  expect(await verify(two)).toMatchObject({ ok: true })
})

test('the chats of a key with limits run on a lease of the key', async () => {
  const gateway = shared()
  const account = await gateway.account(1_000)
  const { body } = await gateway.request('POST', '/api/v1/keys', {
    key: account.key,
    body: { max_cents_per_day: 500 },
  })
  const leases = async () => {
    await chat(gateway, { ...account, key: body.api_key }, { model: 'lab/one' })
    return await gateway.database.query(
      'select key_id as "keyId" from lease where account_id = $1',
      [account.id],
    )
  }
  await expect.poll(leases, { interval: 30 }).toEqual([{ keyId: expect.any(String) }])
})
