// An answer that a caller asked to keep answers the same request again, free.
import { expect, test } from 'vitest'
import { createAnswerCache } from '#features/models/llm/answer-cache.ts'
import { readChatRequest } from '#features/models/llm/surface/chat/request.ts'
import { systemClock } from '#platform/clock.ts'
import { chat, expectSettled, shareLlmGateway, textOf } from '#test/llm-gateway.ts'
import { breaksAfter, cuts, refuses, sentence } from '#test/model-upstream.ts'

let aheadMs = 0
const clock = { ...systemClock, now: () => Date.now() + aheadMs }
const shared = shareLlmGateway({ clock })
const cached = { headers: { 'x-response-cache': 'true' } }
const statusOf = (reply: { headers: Headers }) => reply.headers.get('x-response-cache')

test.each([false, true])(
  'the same request is answered again, free (stream: %s)',
  async (stream) => {
    const gateway = shared()
    const account = await gateway.account(100)
    const body = {
      model: 'tollway/best',
      stream,
      ...(stream ? { stream_options: { include_usage: true } } : {}),
    }
    const first = await chat(gateway, account, body, cached)
    expect([statusOf(first), first.headers.get('age')]).toEqual(['miss', null])
    const again = await chat(gateway, account, { max_cost_cents: 50, ...body }, cached)
    expect([again.status, statusOf(again)]).toEqual([200, 'hit'])
    expect(textOf(again)).toBe(sentence.join(''))
    expect(again.headers.get('x-model')).toBe('claude/one')
    expect(again.headers.get('x-transaction-id')).toBe(first.headers.get('x-transaction-id'))
    expect(Number(again.headers.get('age'))).toBeGreaterThanOrEqual(0)
    const usage = (reply: typeof again) => (reply.body ?? reply.events.at(-1)).usage
    expect(usage(first)).toMatchObject({ completion_tokens: 50, cost: 0.0003 })
    expect(usage(again)).toEqual({ ...usage(first), cost: 0 })
    if (stream) expect(again.done).toBe(true)
    expect(gateway.upstream.asked).toHaveLength(1)
    await expectSettled(gateway, account, 300)
    expect(await account.state()).toMatchObject({ transactions: 1 })
  },
)

test('another request, another account, a limited key, and a caller who does not ask get their own answers', async () => {
  const gateway = shared()
  const account = await gateway.account(100)
  const other = await gateway.account(100)
  const { body } = await gateway.request('POST', '/api/v1/keys', {
    key: account.key,
    body: { max_cents_per_day: 50 },
  })
  const limited = { ...account, key: body.api_key }
  const ask = { model: 'lab/one', temperature: 0 }
  expect(statusOf(await chat(gateway, account, ask, cached))).toBe('miss')
  expect(statusOf(await chat(gateway, account, { ...ask, temperature: 1 }, cached))).toBe('miss')
  expect(statusOf(await chat(gateway, account, { ...ask, stream: true }, cached))).toBe('miss')
  expect(statusOf(await chat(gateway, other, ask, cached))).toBe('miss')
  expect(statusOf(await chat(gateway, limited, ask, cached))).toBe('miss')
  expect(statusOf(await chat(gateway, account, ask))).toBeNull()
  expect(gateway.upstream.asked).toHaveLength(6)
  expect(statusOf(await chat(gateway, limited, ask, cached))).toBe('hit')
  // New limits: what the key was answered before them is not its own any more.
  await gateway.request('PATCH', `/api/v1/keys/${body.key_id}`, {
    key: account.key,
    body: { actions: ['test/echo'] },
  })
  expect((await chat(gateway, limited, ask, cached)).status).toBe(403)
})

test('an answer is kept for as long as its caller says', async () => {
  const gateway = shared()
  const account = await gateway.account(100)
  const kept = { headers: { 'x-response-cache': '60' } }
  await chat(gateway, account, { model: 'lab/one' }, kept)
  aheadMs += 59_000
  const late = await chat(gateway, account, { model: 'lab/one' }, kept)
  expect([statusOf(late), late.headers.get('age')]).toEqual([
    'hit',
    expect.stringMatching(/^59|60$/),
  ])
  aheadMs += 2_000
  expect(statusOf(await chat(gateway, account, { model: 'lab/one' }, kept))).toBe('miss')
})

test('failed and broken answers are not kept, and an idempotency key has its own store', async () => {
  const gateway = shared()
  const account = await gateway.account(100)
  gateway.upstream.behave('one', refuses(400), breaksAfter(4, cuts), (it) => it.answer())
  const ask = { model: 'lab/one', stream: true }
  expect((await chat(gateway, account, ask, cached)).status).toBe(400)
  expect((await chat(gateway, account, ask, cached)).done).toBe(false)
  expect(statusOf(await chat(gateway, account, ask, cached))).toBe('miss')
  expect(statusOf(await chat(gateway, account, ask, cached))).toBe('hit')
  const once = { headers: { ...cached.headers, 'idempotency-key': 'a' } }
  expect(statusOf(await chat(gateway, account, ask, once))).toBe('off')
  const replayed = await chat(gateway, account, ask, once)
  expect(replayed.headers.get('idempotency-replayed')).toBe('true')
})

test.each([
  ['messages', { messages: [{ role: 'user', content: 'Hi' }], max_tokens: 100 }],
  ['responses', { input: 'Hi', store: false }],
])('answers on %s are not kept, and say so', async (surface, body) => {
  const gateway = shared()
  const { key } = await gateway.account(100)
  const ask = async (stream: boolean) => {
    const raw = JSON.stringify({ model: 'lab/one', stream, ...body })
    const headers = { authorization: `Bearer ${key}`, ...cached.headers }
    const reply = await fetch(`${gateway.url}/api/llm/v1/${surface}`, {
      method: 'POST',
      headers,
      body: raw,
    })
    await reply.text()
    return statusOf(reply)
  }
  expect([await ask(false), await ask(false), await ask(true)]).toEqual(['off', 'off', 'off'])
  expect(gateway.upstream.asked).toHaveLength(3)
})

test.each(['yes', '0', '86401', '-1', '1.5', ''])(
  'X-Response-Cache %o is refused',
  async (value) => {
    const gateway = shared()
    const account = await gateway.account(100)
    const headers = { 'x-response-cache': value }
    const reply = await chat(gateway, account, { model: 'lab/one' }, { headers })
    expect([reply.status, reply.body.error.code]).toEqual([400, 'bad_request'])
    expect(gateway.upstream.asked).toEqual([])
  },
)

test('memory is bounded: an account makes room for its own answers, and answers that are too large are not kept', async () => {
  const cache = createAnswerCache({ clock })
  const caller = (accountId: string) =>
    ({ kind: 'account', accountId, keyId: 'k', isLimited: false }) as const
  const request = (content: string) =>
    readChatRequest({ model: 'a/b', messages: [{ role: 'user', content }] })
  const keep = (account: string, name: string, size: number) =>
    cache.keep(caller(account), request(name), {
      text: 'x'.repeat(size),
      callId: name,
      model: 'a/b',
      lifetimeSeconds: 60,
    })
  const has = async (account: string, name: string) =>
    (await cache.find(caller(account), request(name))) !== undefined
  keep('quiet', 'own', 1_000)
  for (let turn = 0; turn < 10; turn += 1) keep('busy', `answer ${turn}`, 900_000)
  expect([await has('busy', 'answer 0'), await has('busy', 'answer 5')]).toEqual([false, false])
  expect([await has('busy', 'answer 6'), await has('busy', 'answer 9')]).toEqual([true, true])
  expect(await has('quiet', 'own')).toBe(true)
  keep('quiet', 'huge', 1_000_001)
  expect(await has('quiet', 'huge')).toBe(false)
  // All accounts together: those that were used last stay.
  for (let account = 0; account < 9; account += 1)
    for (let turn = 0; turn < 4; turn += 1) keep(`account ${account}`, `${turn}`, 900_000)
  expect([await has('busy', 'answer 9'), await has('quiet', 'own')]).toEqual([false, false])
  expect(await has('account 8', '3')).toBe(true)
})

test('an answer that one gateway keeps is found by another that shares its cache, until it is over', async () => {
  const texts = new Map<string, string>()
  const cache = {
    get: async (name: string) => texts.get(name),
    set: (name: string, text: string) => void texts.set(name, text),
  }
  let now = 1_000_000
  const open = () => createAnswerCache({ clock: { now: () => now }, cache })
  const [one, two] = [open(), open()]
  const caller = { kind: 'account', accountId: 'a', keyId: 'k', isLimited: false } as const
  const request = readChatRequest({ model: 'a/b', messages: [{ role: 'user', content: 'Hello' }] })
  one.keep(caller, request, { text: '{}', callId: 'c', model: 'a/b', lifetimeSeconds: 60 })
  now += 30_000
  expect(await two.find(caller, request)).toMatchObject({ callId: 'c', ageSeconds: 30 })
  expect(await two.find({ ...caller, accountId: 'b' }, request)).toBeUndefined()
  now += 30_000
  for (const gateway of [one, two]) expect(await gateway.find(caller, request)).toBeUndefined()
})
