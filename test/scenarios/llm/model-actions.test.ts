// The direct actions of the model vendors through the runner: charged by the token, at most a dollar, and counted with
// the chats of the day.
import { expect, test } from 'vitest'
import { startGateway } from '#test/harness.ts'
import { startReplayServer } from '#test/replay-server.ts'

const counts = (prompt: number, completion: number) => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
})
const completion = (usage: object) => ({
  model: 'gpt-4o-mini-2024-07-18',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
  usage,
})
const messages = [{ role: 'user', content: 'Hello!' }]

async function start(sent: object, reply: object, env: Record<string, string> = {}) {
  const body = { model: 'gpt-4o-mini', messages, ...sent }
  const server = await startReplayServer([
    {
      request: { method: 'POST', path: '/chat/completions', query: {}, body },
      reply: { status: 200, body: reply },
    },
  ])
  const gateway = await startGateway({
    env: {
      OPENAI_API_KEY: 'test-key',
      NS_LLM_B_BASE_URL: server.baseUrlFor('https://api.openai.com/v1'),
      ...env,
    },
  })
  return { gateway, server }
}

test('the exact price of the tokens is charged, and only the envelope rounds it up to a cent', async () => {
  const { gateway, server } = await start(
    { max_completion_tokens: 4_096 },
    completion(counts(1_000, 500)),
  )
  const account = await gateway.account(100)
  const { status, body } = await account.call('ns_llm_b/chat', { model: 'gpt-4o-mini', messages })
  expect(status).toBe(200)
  expect(body).toMatchObject({
    charged_cents: 1,
    charged_usd: '0.000450',
    data: { usage: counts(1_000, 500) },
  })
  const [day] = await gateway.database.query(
    'select spent, held from inference_day where account_id = $1',
    [account.id],
  )
  expect(day).toEqual({ spent: 450, held: 0 })
  await server.close()
})

test('a call costs at most a dollar: a longer requested answer is refused, and others are cut', async () => {
  const { gateway, server } = await start(
    { model: 'o1', max_completion_tokens: 14_884 },
    completion(counts(10, 10)),
  )
  const account = await gateway.account(1_000)
  const prompt = [{ role: 'user', content: 'x'.repeat(6_900) }]
  const asked = await account.call('ns_llm_b/chat', {
    model: 'o1',
    messages: prompt,
    max_tokens: 16_384,
  })
  expect([asked.status, asked.body.error]).toEqual([402, 'max_cost_exceeded'])
  const most = asked.body.data.max_tokens
  expect(most).toBeLessThan(16_384)
  const quote = (max_tokens: number) =>
    gateway.request('POST', '/api/run/ns_llm_b/chat?quote=true', {
      key: account.key,
      body: { model: 'o1', messages: prompt, max_tokens },
    })
  const [fits, exceeds] = [await quote(most), await quote(most + 1)]
  expect(fits.body.data.price.cents).toBeLessThanOrEqual(100)
  expect(exceeds.status).toBe(402)
  expect((await account.call('ns_llm_b/chat', { model: 'no-such-model', messages })).status).toBe(
    400,
  )
  expect((await account.call('ns_llm_b/embeddings', { input: [] })).status).toBe(400)
  expect(await account.state()).toMatchObject({ availableCents: 1_000, transactions: 0 })
  await server.close()
})

test('they count towards the daily cap', async () => {
  const { gateway, server } = await start({}, {}, { INFERENCE_DAY_CENTS_MAX: '0' })
  const account = await gateway.account(100)
  const { status, body, headers } = await account.call('ns_llm_b/chat', {
    model: 'gpt-4o-mini',
    messages,
  })
  expect([status, body.error]).toEqual([429, 'rate_limited'])
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await account.call('test/echo', { text: 'hi' })).status).toBe(200)
  await server.close()
})
