// The hold of a chat covers its highest cost. If the caller cannot pay that, a smaller hold is used where it is
// sufficient.

import fc from 'fast-check'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test } from 'vitest'
import { boundTokens } from '#features/models/llm/routing/tokens.ts'
import { chat, expectSettled, lastTransaction, shareLlmGateway } from '#test/llm-gateway.ts'

const prices = {
  'lab/one': { prompt: 1, completion: 400 },
  'lab/two': { prompt: 1, completion: 4 },
  'lab/three': { prompt: 1, completion: 1 },
}
const shared = shareLlmGateway({ config: { prices, tiers: { cheap: ['lab/one', 'lab/two'] } } })

test('a tier answers with the members that the balance covers', async () => {
  const gateway = shared()
  const rich = await gateway.account(1_000)
  const poor = await gateway.account(3)
  const ask = { model: 'tollway/cheap', max_tokens: 4_000 }
  expect((await chat(gateway, rich, ask)).headers.get('x-model')).toBe('lab/one')
  expect((await chat(gateway, poor, ask)).headers.get('x-model')).toBe('lab/two')
  const ceiling = await chat(gateway, rich, { ...ask, max_cost_cents: 3 })
  expect(ceiling.headers.get('x-model')).toBe('lab/two')
  const none = await chat(gateway, await gateway.account(1), ask)
  expect([none.status, none.body.error.code]).toEqual([402, 'insufficient_balance'])
  const low = await chat(gateway, rich, { ...ask, max_cost_cents: 1 })
  expect([low.status, low.body.error.code]).toEqual([402, 'max_cost_exceeded'])
  await expectSettled(gateway, poor, 300)
})

test('a key with a limit below the most expensive model of a tier is answered by another model', async () => {
  const gateway = shared()
  const account = await gateway.account(1_000)
  const { body } = await gateway.request('POST', '/api/v1/keys', {
    key: account.key,
    body: { max_cents_per_call: 3 },
  })
  const limited = { ...account, key: body.api_key ?? body.secret }
  const reply = await chat(gateway, limited, { model: 'tollway/cheap', max_tokens: 4_000 })
  expect([reply.status, reply.headers.get('x-model')]).toEqual([200, 'lab/two'])
})

test('the tokens of a long prompt are counted if an estimate from its bytes would be too expensive', async () => {
  const gateway = shared()
  const account = await gateway.account(4)
  const content = 'The quick brown fox jumps over the lazy dog near the river bank. '.repeat(1_000)
  const messages = [{ role: 'user', content }]
  gateway.upstream.behave('three', (it) =>
    it.answer({ promptTokens: countTokens(content), completionTokens: 5 }),
  )
  const reply = await chat(gateway, account, { model: 'lab/three', messages, max_tokens: 10 })
  expect(reply.status).toBe(200)
  await expectSettled(gateway, account, countTokens(content) + 5)
  expect((await lastTransaction(account)).inference.estimated).toBe(false)
})

test('no text has more tokens than the bound, and all are counted quickly', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.lorem(),
          fc.stringMatching(/^[a-z]{1,80}$/),
          fc.constantFrom('漢字かな交じり文。', '🦊🦊', '    ', '\n\n', '1234567', '();{}'),
        ),
        { maxLength: 30 },
      ),
      async (pieces) => {
        const json = JSON.stringify({ messages: [{ role: 'user', content: pieces.join('') }] })
        const bound = await boundTokens(json)
        expect(bound('openai/gpt-5')).toBeGreaterThanOrEqual(countTokens(json) - 8 * 30)
        expect(bound('anthropic/claude-opus-4.8')).toBeGreaterThanOrEqual(
          countTokens(json) - 8 * 30,
        )
      },
    ),
  )
  // A tokenizer needs minutes for these.
  for (const run of ['漢', 'a', ' ', '🦊', '!'])
    expect((await boundTokens(run.repeat(150_000)))('openai/gpt-5')).toBeGreaterThan(140_000)
})
