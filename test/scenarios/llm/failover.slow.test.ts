// Sixteen faults, each of a first model before a healthy second one. `pass`: the caller received its answer, or the
// true reason why no model could answer. `safe`: the caller was told that the answer broke off, and pays nothing.
import { describe, expect, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { chat, expectSettled, lastTransaction, shareLlmGateway, textOf } from '#test/llm-gateway.ts'
import {
  type Behaviour,
  breaksAfter,
  cuts,
  late,
  refuses,
  resets,
  sentence,
  silence,
} from '#test/model-upstream.ts'

let aheadMs = 0
const clock = { ...systemClock, now: () => Date.now() + aheadMs }
/** Long enough for a healthy model on a busy machine. The failures last longer. */
const timeouts = {
  first_token_ms: 1_500,
  first_token_last_ms: 20_000,
  idle_ms: 1_500,
  answer_ms: 1_500,
  answer_last_ms: 20_000,
  usage_ms: 100,
  keep_alive_ms: 30_000,
}
const shared = shareLlmGateway({ clock, config: { timeouts } })
const text = sentence.join('')
const answers: Behaviour = (it) => it.answer()

interface Fault {
  readonly name: string
  readonly primary: [Behaviour, ...Behaviour[]]
  readonly fallback?: Behaviour
  /** The model that finally answers, if any. */
  readonly by?: 'one' | 'two'
  readonly streamed?: 'safe'
  readonly refused?: string
}

const faults: Fault[] = [
  { name: '1: 429 with Retry-After', primary: [refuses(429, { 'retry-after': '1' }), answers] },
  { name: '2: 429 for ever', primary: [refuses(429)] },
  { name: '3: 500 once', primary: [refuses(500), answers] },
  { name: '4: 503 for ever', primary: [refuses(503)] },
  { name: '5: a reset before the headers', primary: [resets] },
  { name: '6: silence', primary: [silence] },
  { name: '7: a first token that comes too late', primary: [late(4_000)] },
  { name: '8: a cut in the middle', primary: [breaksAfter(5, cuts)], streamed: 'safe' },
  { name: '9: a stall in the middle', primary: [breaksAfter(5, silence)], streamed: 'safe' },
  {
    name: '10: a malformed answer',
    primary: [
      (it) => {
        if (it.body.stream !== true) return it.response.end('{"choices":[{"mess')
        it.openStream()
        const events = it.events()
        it.response.end([...events.slice(0, 3), 'data: {"cho\n\n', ...events.slice(3)].join(''))
      },
    ],
    streamed: 'safe',
  },
  {
    name: '11: no [DONE]',
    primary: [
      (it) => {
        if (it.body.stream !== true) return it.answer()
        it.openStream()
        it.response.end(it.events().slice(0, -1).join(''))
      },
    ],
    by: 'one',
  },
  {
    name: '12: too much for its context',
    primary: [refuses(400, {}, { code: 'context_length_exceeded' })],
  },
  {
    name: '13: its content filter',
    primary: [refuses(400, {}, { code: 'content_filter' })],
    refused: 'content_policy_violation',
  },
  {
    name: '14: a cut, and a second model that does not continue the answer of the first',
    primary: [breaksAfter(5, cuts)],
    fallback: (it) => (it.body.messages.at(-1).role === 'assistant' ? it.refuse(400) : it.answer()),
    streamed: 'safe',
  },
  { name: '16: the second model’s price', primary: [refuses(502)] },
]

async function outcomeOf(fault: Fault, stream: boolean): Promise<string> {
  const gateway = shared()
  const account = await gateway.account(100)
  // Each fault meets models that have not failed before.
  aheadMs += 60_000
  gateway.upstream.behave('one', ...fault.primary)
  gateway.upstream.behave('two', fault.fallback ?? answers)
  const reply = await chat(gateway, account, { model: 'tollway/cheap', stream })
  if (reply.status !== 200) {
    await expectSettled(gateway, account, 0)
    return reply.body.error.code === fault.refused ? 'pass' : 'fail'
  }
  const failed = reply.events.at(-1)?.error !== undefined
  if (failed) {
    await expectSettled(gateway, account, 0)
    return text.startsWith(textOf(reply)) && !reply.done ? 'safe' : 'fail'
  }
  const by = (fault.by ?? (stream || gateway.upstream.asked.length > 1 ? 'two' : 'one')) as string
  const attempts = by === 'one' ? 1 : 2
  await expectSettled(gateway, account, 300)
  const last = await lastTransaction(account)
  expect(last.inference).toMatchObject({
    requested: 'tollway/cheap',
    model: reply.headers.get('x-model'),
  })
  expect(last.timeline.filter((step: { event: string }) => step.event === 'hop')).toHaveLength(
    Number(reply.headers.get('x-attempts')),
  )
  if (textOf(reply) !== text) return 'partial'
  const told = [reply.headers.get('x-model'), Number(reply.headers.get('x-attempts'))]
  const asExpected = stream
    ? told[0] === `lab/${by}` && told[1] === attempts
    : told[1] === gateway.upstream.asked.length
  return asExpected && (!stream || reply.done) ? 'pass' : 'fail'
}

describe('a whole answer passes', () => {
  test.each(faults)('$name', async (fault) => {
    expect(await outcomeOf(fault, false)).toBe('pass')
  })
})

describe('a stream passes, or says that it broke off', () => {
  test.each(faults)('$name', async (fault) => {
    expect(await outcomeOf(fault, true)).toBe(fault.streamed ?? 'pass')
  })
})

test.each([false, true])('15: a model that is down and comes back (stream: %s)', async (stream) => {
  const gateway = shared()
  const account = await gateway.account(100)
  aheadMs += 60_000
  gateway.upstream.behave('one', refuses(503))
  const ask = async () => {
    const reply = await chat(gateway, account, { model: 'tollway/cheap', stream })
    expect(textOf(reply)).toBe(text)
    return [reply.headers.get('x-model'), reply.headers.get('x-attempts')]
  }
  for (let call = 0; call < 3; call += 1) expect(await ask()).toEqual(['lab/two', '2'])
  // Its failures are recorded, so calls no longer wait for it.
  expect(await ask()).toEqual(['lab/two', '1'])
  gateway.upstream.behave('one', answers)
  aheadMs += 5_000
  expect(await ask()).toEqual(['lab/one', '1'])
  expect(await ask()).toEqual(['lab/one', '1'])
  await expectSettled(gateway, account, 6 * 300)
})

test('a model that breaks off again and again is asked last', async () => {
  const gateway = shared()
  const account = await gateway.account(100)
  aheadMs += 60_000
  gateway.upstream.behave('one', breaksAfter(5, cuts))
  const ask = async () => {
    const reply = await chat(gateway, account, { model: 'tollway/cheap', stream: true })
    return [reply.headers.get('x-model'), reply.done]
  }
  for (let call = 0; call < 3; call += 1) expect(await ask()).toEqual(['lab/one', false])
  expect(await ask()).toEqual(['lab/two', true])
  await expectSettled(gateway, account, 300)
})

test('a request that one model of a tier does not accept goes to another model', async () => {
  const gateway = shared()
  const account = await gateway.account(100)
  aheadMs += 60_000
  const error = { type: 'invalid_request_error', param: 'temperature', code: 'unsupported_value' }
  const ask = (model: string) => chat(gateway, account, { model, temperature: 0.5 })
  gateway.upstream.behave('one', refuses(400, {}, error))
  for (let call = 0; call < 4; call += 1) {
    const reply = await ask('tollway/cheap')
    expect([reply.status, reply.headers.get('x-model'), reply.headers.get('x-attempts')]).toEqual([
      200,
      'lab/two',
      '2',
    ])
  }
  gateway.upstream.behave('two', refuses(400, {}, error))
  for (const model of ['tollway/cheap', 'lab/one']) {
    const { status, body } = await ask(model)
    expect([status, body.error.code, body.error.param]).toEqual([400, 'bad_request', 'temperature'])
  }
  await expectSettled(gateway, account, 4 * 300)
})

test('every model of a tier down: an accurate status, no partial answer, no charge', async () => {
  const gateway = shared()
  const account = await gateway.account(100)
  aheadMs += 60_000
  gateway.upstream.behave('one', breaksAfter(1, cuts))
  gateway.upstream.behave('two', refuses(500))
  const reply = await chat(gateway, account, { model: 'tollway/cheap', stream: true })
  expect(reply.status).toBe(500)
  expect(reply.body).toMatchObject({
    ok: false,
    error: { code: 'upstream_error', type: 'api_error' },
  })
  await expectSettled(gateway, account, 0)
})

test('a tier fails over from one wire to the other', async () => {
  const gateway = shared()
  const account = await gateway.account(100)
  aheadMs += 60_000
  gateway.upstream.behave('one', refuses(529, {}, { type: 'overloaded_error', message: 'x' }))
  for (const [model, by] of [
    ['tollway/mid', 'claude/two'],
    ['tollway/best', 'lab/two'],
  ]) {
    const reply = await chat(gateway, account, { model, stream: true })
    expect([reply.headers.get('x-model'), textOf(reply)]).toEqual([by, text])
  }
  await expectSettled(gateway, account, 600)
})
