// What responses and messages cost that are not read to their end, before upstreams of every format.
import { describe, expect, test } from 'vitest'
import type { TestAccount } from '#test/harness.ts'
import {
  expectSettled,
  hello,
  type LlmGateway,
  lastTransaction,
  shareLlmGateway,
} from '#test/llm-gateway.ts'
import type { Json } from '#test/model-upstream.ts'

const shared = shareLlmGateway({
  config: { timeouts: { idle_ms: 60_000, first_token_ms: 60_000, first_token_last_ms: 60_000 } },
})
const bodies: Readonly<Record<string, (tokens: number) => Json>> = {
  responses: (max_output_tokens) => ({ input: 'Hello', max_output_tokens }),
  messages: (max_tokens) => ({ messages: hello, max_tokens }),
}

function send(
  { url }: LlmGateway,
  { key }: TestAccount,
  surface: string,
  { body, signal = null }: { body: Json; signal?: AbortSignal | null },
) {
  return fetch(`${url}/api/llm/v1/${surface}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
    signal,
  })
}

async function expectPaid(gateway: LlmGateway, account: TestAccount, completion: number) {
  await expect
    .poll(async () => (await lastTransaction(account)).inference?.completion_tokens)
    .toBe(completion)
  const { inference } = await lastTransaction(account)
  expect(inference.prompt_tokens).toBeGreaterThan(0)
  await expectSettled(gateway, account, inference.prompt_tokens + 4 * completion)
  return inference
}

describe.each(Object.keys(bodies))('%s', (surface) => {
  describe.each(['lab/one', 'claude/one', 'answers/one', 'gemini/one'])('%s', (model) => {
    const bodyOf = (tokens: number, stream: boolean) => ({
      model,
      stream,
      ...bodies[surface]?.(tokens),
    })

    test('a caller who leaves in the middle pays for the delivered part', async () => {
      const gateway = shared()
      const account = await gateway.account(1_000)
      gateway.upstream.behave('one', (it) => {
        it.openStream()
        const events = it.events()
        const seen = events.findIndex((event) => event.includes('fox'))
        it.response.write(events.slice(0, seen + 1).join(''))
      })
      const left = new AbortController()
      const options = { body: bodyOf(1_000, true), signal: left.signal }
      const reply = await send(gateway, account, surface, options)
      let seen = ''
      for await (const piece of reply.body ?? []) {
        seen += Buffer.from(piece).toString()
        if (seen.includes('fox')) break
      }
      left.abort()
      const paid = await expectPaid(gateway, account, Math.floor('The quick brown fox '.length / 6))
      expect(paid).toMatchObject({ ending: 'client_gone', estimated: true })
      await expect.poll(() => gateway.upstream.asked[0]?.abandoned).toBe(true)
    })

    test('an answer that passes its limit is cut there, and says so', async () => {
      const gateway = shared()
      const account = await gateway.account(1_000)
      gateway.upstream.behave('one', (it) => {
        it.openStream()
        const events = it.events({ tokens: Array.from({ length: 1_000 }, () => 'word ') })
        const half = Math.floor(events.length / 2)
        it.response.write(events.slice(0, half).join(''))
      })
      const reply = await send(gateway, account, surface, { body: bodyOf(20, true) })
      const text = await reply.text()
      expect(text).toContain(
        surface === 'responses' ? '"reason":"max_output_tokens"' : '"stop_reason":"max_tokens"',
      )
      await expectPaid(gateway, account, 20)
    })

    test('a caller who leaves before an answer pays nothing', async () => {
      const gateway = shared()
      const account = await gateway.account(1_000)
      gateway.upstream.behave('one', () => {})
      const left = new AbortController()
      const options = { body: bodyOf(1_000, false), signal: left.signal }
      const reply = send(gateway, account, surface, options).catch(() => {})
      await expect.poll(() => gateway.upstream.asked.length).toBe(1)
      left.abort()
      await reply
      await expectSettled(gateway, account, 0)
      await expect.poll(() => gateway.upstream.asked[0]?.abandoned).toBe(true)
    })
  })
})
