// Moderations: texts and pictures, for free where the vendor's are.
import { expect, test } from 'vitest'
import { OpenAI } from '#oracles/openai.ts'
import { lastTransaction } from '#test/llm-gateway.ts'
import { ask, expectPaid, shareSurfaceGateway } from '#test/models/surface-gateway.ts'

const shared = shareSurfaceGateway()

test.each([
  ['a text', 'I want to kill them.', [true]],
  ['several texts', ['hello', 'kill'], [false, true]],
  [
    'the parts of a message',
    [
      { type: 'text', text: 'hello' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
    ],
    [false],
  ],
])('the openai SDK asks about %s, and pays nothing', async (_what, input, flagged) => {
  const account = await shared().account(100)
  const baseURL = `${shared().url}/api/llm/v1`
  const openai = new OpenAI({ baseURL, apiKey: account.key, maxRetries: 0 })
  const reply = await openai.moderations.create({ model: 'lab/moderate', input: input as string })
  expect(reply.model).toBe('lab/moderate')
  expect(reply.results.map((result) => result.flagged)).toEqual(flagged)
  expect(shared().upstream.asked[0]?.body).toEqual({ model: 'moderate', input })
  await expectPaid(shared(), account, 0)
  expect(await lastTransaction(account)).toMatchObject({ action: 'llm/moderations' })
})

test.each([
  [{}],
  [{ input: '' }],
  [{ input: [] }],
  [{ input: ['a', { type: 'text', text: 'b' }] }],
  [{ input: [{ type: 'image_url', image_url: { url: 'file:///etc/passwd' } }] }],
  [{ input: 7 }],
])('the wrong request %# is refused', async (body) => {
  const account = await shared().account(100)
  const reply = await ask(shared(), account, '/moderations', { model: 'lab/moderate', ...body })
  expect([reply.status, reply.body.error.param]).toEqual([400, 'input'])
  expect(shared().upstream.asked).toHaveLength(0)
})

test('without a model it is the vendor of moderations, which is not served here', async () => {
  const account = await shared().account(100)
  const reply = await ask(shared(), account, '/moderations', { input: 'hello' })
  expect([reply.status, reply.body.error.code]).toEqual([503, 'provider_not_configured'])
})

test('an answer that lacks a result is an error', async () => {
  const account = await shared().account(100)
  shared().upstream.behave('/moderations', (it) => it.send(200, { results: [{}] }))
  const body = { model: 'lab/moderate', input: ['a', 'b'] }
  const reply = await ask(shared(), account, '/moderations', body)
  expect(reply.body.error.code).toBe('upstream_error')
})
