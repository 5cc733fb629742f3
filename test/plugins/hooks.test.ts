// Rules of plugins: they see a call before its price is held, and are told what it was charged.
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { shareGateway, startGateway, verify } from '#test/harness.ts'
import { chat, shareLlmGateway } from '#test/llm-gateway.ts'
import { until } from '#test/until.ts'
import { stopped, toldOf } from './allowance/plugin.ts'
import { bank } from './cash/bank.ts'
import { payByNote } from './cash/pay.ts'

const folder = (name: string) => path.join(import.meta.dirname, name)
const till = bank.open(1_000_000)
const env = {
  TOLLWAY_PLUGINS: `${folder('allowance')},${folder('cash')}`,
  ALLOWANCE_CENTS: '2',
  CASH_TILL: till,
}
const prices = {
  'lab/one': { prompt: 1, completion: 400 },
  'lab/two': { prompt: 1, completion: 4 },
}
const gateway = shareGateway({ env })
const llm = shareLlmGateway({ env, config: { prices, tiers: { cheap: ['lab/one', 'lab/two'] } } })
beforeEach(() => stopped.clear())

test('a refused call holds nothing, reaches no provider and leaves no row; a quote says so', async () => {
  const account = await gateway().account(100)
  const refused = await account.call('test/miss', { found: true })
  expect([refused.status, refused.body.error]).toEqual([402, 'spend_limit_reached'])
  expect(refused.body.message).toBe('A call may cost 2¢ here. Nothing was charged.')
  const quote = await account.call('test/miss?quote=true', { found: true })
  expect(quote.body.data).toMatchObject({
    allowed: false,
    refusal: { error: 'spend_limit_reached', message: refused.body.message },
  })
  expect(await account.state()).toEqual({ availableCents: 100, heldCents: 0, transactions: 0 })
  expect(gateway().provider.asked).toEqual([])
  expect(toldOf(account.id)).toEqual([])
})

test('an allowed call is charged, and the plugin is told what; a failed one is told as voided', async () => {
  const account = await gateway().account(100)
  const { body } = await account.call('test/echo', { text: 'a' })
  await until(async () => toldOf(account.id).length === 1)
  expect(toldOf(account.id)).toEqual([
    {
      transactionId: body.transaction_id,
      accountId: account.id,
      keyId: expect.any(String),
      action: 'test/echo',
      state: 'settled',
      chargedMicros: 20_000,
    },
  ])
  await account.call('test/nonsense', {})
  await until(async () => toldOf(account.id).length === 2)
  expect(toldOf(account.id)[1]).toMatchObject({
    action: 'test/nonsense',
    state: 'voided',
    chargedMicros: 0,
  })
})

test('a wallet is refused before its payment is taken, and told like an account', async () => {
  const payer = bank.open(1_000_000)
  const pay = async (action: string, body: object) => {
    const url = new URL(`/api/run/${action}`, gateway().url)
    const init = { method: 'POST', body: JSON.stringify(body) }
    const challenged = await fetch(url, init)
    const headers = payByNote(challenged, payer)
    return await fetch(url, { ...init, headers })
  }
  const refused = await pay('test/miss', { found: true })
  expect(await refused.json()).toMatchObject({ error: 'spend_limit_reached' })
  expect(bank.balanceOf(payer)).toBe(1_000_000)
  expect((await pay('test/echo', { text: 'a' })).status).toBe(200)
  const [wallet] = await gateway().database.query<{ id: string }>(
    'select account_id as id from payment where payer = $1',
    [payer],
  )
  const toldOfWallet = () => toldOf(wallet?.id ?? '')
  await until(async () => toldOfWallet().length === 1)
  expect(toldOfWallet()).toMatchObject([{ action: 'test/echo', chargedMicros: 20_000 }])
  expect(await verify(gateway())).toMatchObject({ ok: true })
})

test('what was paid for is answered again after a rule has begun to refuse it', async () => {
  const account = await gateway().account(100)
  const once = { 'idempotency-key': 'once' }
  const call = await account.call('test/echo', { text: 'a' }, once)
  const payer = await llm().account(1_000)
  const ask = (key: string) => {
    const headers = { 'idempotency-key': key }
    return chat(llm(), payer, { model: 'lab/two', max_tokens: 100 }, { headers })
  }
  const answer = await ask('once')
  const { availableCents } = await payer.state()
  stopped.add('test/echo').add('llm/chat')

  expect((await account.call('test/echo', { text: 'b' })).status).toBe(403)
  const calledAgain = await account.call('test/echo', { text: 'a' }, once)
  expect([calledAgain.status, calledAgain.body.data]).toEqual([200, call.body.data])
  expect((await ask('new')).status).toBe(403)
  const answeredAgain = await ask('once')
  expect([answeredAgain.status, answeredAgain.body]).toEqual([200, answer.body])
  expect((await payer.state()).availableCents).toBe(availableCents)
})

test('a plan is refused by what it orders', async () => {
  const account = await gateway().account(100)
  const calls = [{ action: 'test/miss', params: { found: true } }]
  const { status, body } = await account.call('tollway/batch', { calls, max_cost_cents: 40 })
  expect([status, body.message]).toEqual([403, 'Plans may not order test/miss here.'])
})

test('a job is told once it has ended', async () => {
  const account = await gateway().account(100)
  const calls = [{ action: 'test/echo', params: { text: 'a' } }]
  const { body } = await account.call('tollway/batch', { calls, max_cost_cents: 2 })
  await until(async () => toldOf(account.id).length === 1)
  const transactionId = body.data.job_id
  expect(toldOf(account.id)).toMatchObject([
    { transactionId, action: 'tollway/batch', chargedMicros: 20_000 },
  ])
})

test('a chat holds what the rule allows, and is told', async () => {
  const account = await llm().account(1_000)
  const dear = await chat(llm(), account, { model: 'lab/one', max_tokens: 4_000 })
  expect([dear.status, dear.body.error.code]).toEqual([402, 'spend_limit_reached'])
  const cheap = await chat(llm(), account, { model: 'tollway/cheap', max_tokens: 4_000 })
  expect(cheap.headers.get('x-model')).toBe('lab/two')
  await until(async () => toldOf(account.id).length === 1)
  expect(toldOf(account.id)).toMatchObject([{ accountId: account.id, state: 'settled' }])
  expect(toldOf(account.id)[0]?.chargedMicros).toBeGreaterThan(0)
})

test('a rule that fails lets nothing through', async () => {
  const broken = await startGateway({ env: { ...env, ALLOWANCE_TROUBLE: 'before' } })
  const account = await broken.account(100)
  const refused = await account.call('test/echo', { text: 'a' })
  expect([refused.status, refused.body.error]).toEqual([503, 'unavailable'])
  expect(await account.state()).toEqual({ availableCents: 100, heldCents: 0, transactions: 0 })
})

test('a hook that fails after a call changes nothing', async () => {
  const broken = await startGateway({ env: { ...env, ALLOWANCE_TROUBLE: 'after' } })
  const account = await broken.account(100)
  expect((await account.call('test/echo', { text: 'a' })).status).toBe(200)
  await until(async () => toldOf(account.id).length === 1)
  expect(await account.state()).toEqual({ availableCents: 98, heldCents: 0, transactions: 1 })
})
