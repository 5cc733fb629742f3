// Callers that disconnect or stop reading at a chosen moment still pay for the output that was produced for them.
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { TestAccount } from '#test/harness.ts'
import {
  chat,
  expectSettled,
  hello,
  type LlmGateway,
  lastTransaction,
  shareLlmGateway,
  textOf,
} from '#test/llm-gateway.ts'
import type { Behaviour, Exchange, Json } from '#test/model-upstream.ts'

const timeouts = {
  idle_ms: 60_000,
  first_token_ms: 60_000,
  first_token_last_ms: 60_000,
  usage_ms: 30_000,
}
const shared = shareLlmGateway({
  config: {
    timeouts,
    timeouts_by_model: {
      'lab/two': { usage_ms: 50 },
      // A busy machine too has sent text by then.
      'lab/three': { total_ms: 10_000 },
      'claude/one': { idle_ms: 300, answer_last_ms: 400, first_token_last_ms: 400 },
    },
  },
})
const promptBytes = Buffer.byteLength(JSON.stringify({ messages: hello }))

/** Lets the test decide when the upstream sends its next piece. */
function step() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { taken: promise, take: resolve }
}

async function leaveAfter(
  gateway: LlmGateway,
  account: TestAccount,
  marker: string,
  { body = {}, headers = {} }: { body?: Json; headers?: Record<string, string> } = {},
) {
  const left = new AbortController()
  const reply = await fetch(`${gateway.url}/api/llm/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${account.key}`, ...headers },
    body: JSON.stringify({ model: 'lab/one', messages: hello, stream: true, ...body }),
    signal: left.signal,
  })
  expect(reply.status).toBe(200)
  let seen = ''
  try {
    for await (const piece of reply.body ?? []) {
      seen += Buffer.from(piece).toString()
      if (seen.includes(marker)) break
    }
  } finally {
    left.abort()
  }
}

/** Sends all events except the last few, and those at the next step. */
const withholds =
  (count: number, after: Promise<void>, what = {}): Behaviour =>
  async (it: Exchange) => {
    it.openStream()
    const events = it.events(what)
    it.response.write(events.slice(0, -count).join(''))
    await after
    it.response.end(events.slice(-count).join(''))
  }

test('a caller that disconnects between the end and the token count pays by the count', async () => {
  const gateway = shared()
  const account = await gateway.account(1_000)
  const { taken, take } = step()
  gateway.upstream.behave('one', withholds(2, taken, { completionTokens: 8_050 }))
  const headers = { 'idempotency-key': 'left-at-the-end' }
  const body = { max_tokens: 16_000 }
  await leaveAfter(gateway, account, '"finish_reason":"stop"', { body, headers })
  const states = await gateway.database.query('select state from call where account_id = $1', [
    account.id,
  ])
  expect(states).toEqual([{ state: 'held' }])
  take()
  await expectSettled(gateway, account, 100 + 4 * 8_050)
  expect((await lastTransaction(account)).inference).toMatchObject({
    completion_tokens: 8_050,
    estimated: false,
    ending: 'client_gone',
  })
  // The answer was complete by then, so a call with the same key returns it.
  const again = await chat(
    gateway,
    account,
    { model: 'lab/one', stream: true, ...body },
    { headers },
  )
  expect([textOf(again).length > 0, again.done]).toEqual([true, true])
})

test('the wait for a missing token count ends at its timeout', async () => {
  const gateway = shared()
  const account = await gateway.account(1_000)
  gateway.upstream.behave('two', withholds(2, new Promise(() => {}), { tokens: ['x'.repeat(60)] }))
  await leaveAfter(gateway, account, '"finish_reason":"stop"', {
    body: { model: 'lab/two' },
  })
  await expectSettled(gateway, account, Math.floor(promptBytes / 6) + 4 * 10)
  await expect.poll(() => gateway.upstream.asked[0]?.abandoned).toBe(true)
})

test('a caller that disconnects after silent reasoning pays for the reasoning', async () => {
  const gateway = shared()
  const account = await gateway.account(1_000)
  const { taken, take } = step()
  gateway.upstream.behave('one', async (it) => {
    it.openStream()
    // A silence of this length counts as reasoning.
    await new Promise((resolve) => setTimeout(resolve, 2_200))
    const events = it.events({ completionTokens: 8_050 })
    it.response.write(events.slice(0, 3).join(''))
    await taken
    it.response.end(events.slice(3).join(''))
  })
  await leaveAfter(gateway, account, 'The ', { body: { max_tokens: 16_000 } })
  take()
  await expectSettled(gateway, account, 100 + 4 * 8_050)
})

test('without a token count, reasoning and images are counted too', async () => {
  const gateway = shared()
  const account = await gateway.account(1_000)
  gateway.upstream.behave('one', (it) =>
    it.answer({ reasoning: 'r'.repeat(600), tokens: ['x'.repeat(60)], usage: 'none' }),
  )
  const url = 'https://example.com/a.png'
  const messages = [
    {
      role: 'user',
      content: [
        { type: 'image_url', image_url: { url } },
        { type: 'image_url', image_url: { url, detail: 'low' } },
      ],
    },
  ]
  await chat(gateway, account, { model: 'lab/one', stream: true, messages })
  const prompt = Math.floor(Buffer.byteLength(JSON.stringify({ messages })) / 6) + 765 + 85
  await expectSettled(gateway, account, prompt + 4 * 110)
})

/** Sends the request on a socket that never reads. */
function askWithoutReading(gateway: LlmGateway, account: TestAccount, model: string) {
  const { hostname, port } = new URL(gateway.url)
  const body = JSON.stringify({ model, messages: hello, stream: true, max_tokens: 16_384 })
  const socket = connect(Number(port), hostname)
  onTestFinished(() => {
    socket.destroy()
  })
  socket.on('error', () => {})
  socket.pause()
  socket.write(
    `POST /api/llm/v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${account.key}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
  return socket
}

const writesForEver = (it: Exchange, padding = '') => {
  it.openStream()
  const [, said = ''] = it.events({ tokens: ['x'.repeat(100)] })
  const event = said.replace('data: {', `data: {"padding":"${padding}",`)
  const write = () => {
    while (!it.socket.destroyed && it.response.write(event));
  }
  it.response.on('drain', write)
  write()
}

/** Little of the data is text, so the buffers are soon full. */
const padding = 'x'.repeat(50_000)

test('a caller that reads nothing until the gateway’s deadline pays for the output', async () => {
  const gateway = shared()
  const account = await gateway.account(1_000)
  gateway.upstream.behave('three', (it) => writesForEver(it, padding))
  const socket = askWithoutReading(gateway, account, 'lab/three')
  await expectPaidLeaving(account)
  // The connection is closed too.
  socket.resume()
  await expect.poll(() => socket.readableEnded || socket.destroyed).toBe(true)
})

test('a caller that reads nothing until the upstream disconnects pays for the output', async () => {
  const gateway = shared()
  const account = await gateway.account(1_000)
  gateway.upstream.behave('one', (it) => {
    writesForEver(it, padding)
    setTimeout(() => {
      it.socket.destroy()
      socket.resume()
    }, 1_500)
  })
  const socket = askWithoutReading(gateway, account, 'lab/one')
  await expectPaidLeaving(account)
})

async function expectPaidLeaving(account: TestAccount) {
  await expect
    .poll(async () => (await lastTransaction(account))?.inference)
    .toMatchObject({ ending: 'client_gone' })
  expect(Number((await lastTransaction(account)).charged_usd)).toBeGreaterThan(0)
}

test('a stream that passes its limit is cut there and charged at most its hold', async () => {
  const gateway = shared()
  const account = await gateway.account(1_000)
  gateway.upstream.behave('one', (it) => writesForEver(it))
  const reply = await chat(gateway, account, { model: 'lab/one', stream: true, max_tokens: 100 })
  await expect.poll(() => gateway.upstream.asked[0]?.abandoned).toBe(true)
  expect(reply.done).toBe(true)
  expect(reply.events.at(-1).choices).toEqual([
    { index: 0, delta: {}, logprobs: null, finish_reason: 'length' },
  ])
  expect(textOf(reply).length).toBeLessThan(2_000_000)
  await expectSettled(gateway, account, Math.floor(promptBytes / 6) + 4 * 100)
})

test('a stream is cut when its own count passes its hold', async () => {
  const gateway = shared()
  const account = await gateway.account(1_000)
  gateway.upstream.behave('one', (it) => {
    it.openStream()
    const counted = (event: string) =>
      event.replace('"usage":null', '"usage":{"prompt_tokens":100,"completion_tokens":5000}')
    for (const event of it.events().slice(0, 5)) it.response.write(counted(event))
  })
  const reply = await chat(gateway, account, { model: 'lab/one', stream: true, max_tokens: 100 })
  expect([reply.done, reply.events.at(-1).choices[0].finish_reason]).toEqual([true, 'length'])
  const [held] = await gateway.database.query<{ held: number }>(
    'select held from call where account_id = $1',
    [account.id],
  )
  await expectSettled(gateway, account, held?.held ?? 0)
})

test('data that arrived while this process was busy does not count as silence', async () => {
  const gateway = shared()
  const account = await gateway.account(1_000)
  gateway.upstream.behave('one', async (it) => {
    it.answer()
    // The answer is arriving while the event loop is blocked for longer than the limit on silence.
    const until = performance.now() + 700
    while (performance.now() < until);
  })
  for (const stream of [false, true])
    expect(await chat(gateway, account, { model: 'claude/one', stream })).toMatchObject({
      status: 200,
    })
  expect(gateway.upstream.asked).toHaveLength(2)
  await expectSettled(gateway, account, 600)
})
