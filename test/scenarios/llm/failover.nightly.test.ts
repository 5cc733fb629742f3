// The wall of faults on each surface, before models of the common format, and what else a tier does when one fails.
import { expect, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { chat, expectSettled, shareLlmGateway, textOf } from '#test/llm-gateway.ts'
import { breaksAfter, cuts, refuses, sentence } from '#test/model-upstream.ts'
import { describeWall, wallTimeouts } from '#test/models/wall.ts'

let aheadMs = 0
const clock = { ...systemClock, now: () => Date.now() + aheadMs }
const shared = shareLlmGateway({ clock, config: { timeouts: wallTimeouts } })
const text = sentence.join('')

const forget = (afterMs: number) => {
  aheadMs += afterMs
}

describeWall({ gateway: shared, forget }, [
  { format: 'openai', tier: 'tollway/cheap', one: 'lab/one', two: 'lab/two' },
])

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
