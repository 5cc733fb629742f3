// Models that bill thoughts beyond the limit of a request: the hold has room for them, and they are charged whole.
import { expect, test } from 'vitest'
import {
  chat,
  expectSettled,
  labPrice,
  lastTransaction,
  shareLlmGateway,
} from '#test/llm-gateway.ts'

const thinker = { ...labPrice, thinks: true, output: 60_000 }
const config = {
  prices: {
    'lab/one': thinker,
    'lab/two': labPrice,
    'lab/three': labPrice,
    'lab/deep-thinking': labPrice,
    'claude/one': thinker,
  },
  tiers: { cheap: ['lab/one', 'lab/two'], mid: ['lab/two'], best: ['lab/two'] },
}
const shared = shareLlmGateway({ config })
/** A prompt of 100 tokens, an answer of 50, and 8,000 tokens of thoughts that only the total counts. */
const thought = { thoughtTokens: 8_000 }
const thoughtMicros = 100 + 8_050 * 4

test.each([false, true])(
  'thoughts beyond max_tokens are charged whole (stream: %s)',
  async (stream) => {
    const gateway = shared()
    const account = await gateway.account(100)
    for (const model of ['one', 'deep-thinking'])
      gateway.upstream.behave(model, (it) => it.answer(thought))
    await chat(gateway, account, { model: 'lab/one', max_tokens: 60, stream })
    await expectSettled(gateway, account, thoughtMicros)
    // Known by its name.
    await chat(gateway, account, { model: 'lab/deep-thinking', max_tokens: 60, stream })
    await expectSettled(gateway, account, 2 * thoughtMicros)
  },
)

test('the hold is the room of the model, and a balance below it is refused unless thinking is off', async () => {
  const gateway = shared()
  const poor = await gateway.account(20)
  const ask = { model: 'lab/one', max_tokens: 60 }
  const refused = await chat(gateway, poor, ask)
  expect([refused.status, refused.body.error.code]).toEqual([402, 'insufficient_balance'])
  expect(gateway.upstream.asked).toEqual([])
  const quick = await chat(gateway, poor, { ...ask, reasoning_effort: 'none' })
  expect(quick.status).toBe(200)
  const rich = await gateway.account(100)
  await chat(gateway, rich, ask)
  const { timeline } = await lastTransaction(rich)
  const hold = timeline.find(({ event }: { event: string }) => event === 'hold')
  expect(Number(hold.amount_usd)).toBeGreaterThanOrEqual((60_000 * 4) / 1e6)
  // A tier goes on with the models that the balance covers.
  const tier = await chat(gateway, poor, { ...ask, model: 'tollway/cheap' })
  expect(tier.headers.get('x-model')).toBe('lab/two')
})

test('an upstream whose limit covers thoughts needs no room for them', async () => {
  const gateway = shared()
  const poor = await gateway.account(1)
  const reply = await chat(gateway, poor, { model: 'claude/one', max_tokens: 60 })
  expect(reply.status).toBe(200)
})

test('a model that is not known to think is charged its hold once, and has room from then on', async () => {
  const gateway = shared()
  const account = await gateway.account(1_000)
  gateway.upstream.behave('three', (it) => it.answer(thought))
  await chat(gateway, account, { model: 'lab/three', max_tokens: 60 })
  const { body: before } = await account.get('/api/v1/account')
  const first = 10_000_000 - Number(before.available_usd) * 1_000_000
  expect(first).toBeLessThan(thoughtMicros)
  await chat(gateway, account, { model: 'lab/three', max_tokens: 60 })
  await expectSettled(gateway, account, Math.round(first) + thoughtMicros)
})

test('a model action has the room too, up to its dollar', async () => {
  const gateway = shared()
  const account = await gateway.account(100)
  gateway.upstream.behave('deep-thinking', (it) => it.answer(thought))
  const body = {
    model: 'lab/deep-thinking',
    messages: [{ role: 'user', content: 'Hello' }],
    max_tokens: 60,
  }
  const quoted = await account.call('ns_router/chat?quote=true', body)
  expect(quoted.body.data.price.cents).toBeGreaterThan(50)
  const { body: answer } = await account.call('ns_router/chat', body)
  expect(answer.charged_usd).toBe((thoughtMicros / 1e6).toFixed(6))
})
