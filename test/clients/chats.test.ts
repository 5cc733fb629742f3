// Chats by the client: whole answers and streams, and what happens when a stream breaks off.
import { expect, test } from 'vitest'
import { hello as messages, shareLlmGateway } from '#test/llm-gateway.ts'
import { breaksAfter, cuts, sentence } from '#test/model-upstream.ts'
import { openBreakingProxy } from './breaking-proxy.ts'
import { collect, openClient } from './open-client.ts'

const gateway = shareLlmGateway()
const request = { model: 'lab/one', messages }

async function open() {
  const account = await gateway().account(100)
  const proxy = await openBreakingProxy(gateway().url)
  return { account, proxy, tollway: openClient(proxy, account) }
}

test('an answer has its text, its model and its tokens', async () => {
  const { tollway } = await open()
  const answer = await tollway.chat(request)
  expect(answer.choices[0]?.message.content).toBe(sentence.join(''))
  expect(answer.usage).toMatchObject({ prompt_tokens: 100, completion_tokens: 50 })
})

test('an answer that is lost is read back, and the model is asked once', async () => {
  const { proxy, tollway } = await open()
  proxy.next('cut answer')
  const answer = await tollway.chat(request)
  expect(answer.choices[0]?.message.content).toBe(sentence.join(''))
  expect(proxy.seen).toHaveLength(2)
  expect(gateway().upstream.asked).toHaveLength(1)
})

test('a stream arrives in parts', async () => {
  const { tollway } = await open()
  let text = ''
  for await (const { choices } of tollway.chat.stream(request))
    text += choices[0]?.delta.content ?? ''
  expect(text).toBe(sentence.join(''))
})

test('a stream that the model breaks off throws the error of the gateway', async () => {
  const { tollway } = await open()
  gateway().upstream.behave('one', breaksAfter(3, cuts))
  await expect(collect(tollway.chat.stream(request))).rejects.toMatchObject({
    name: 'TollwayError',
    code: 'upstream_error',
  })
})

test('a stream whose connection breaks throws, and is read back with the same key', async () => {
  const { proxy, tollway } = await open()
  proxy.next('cut answer')
  const idempotencyKey = crypto.randomUUID()
  await expect(collect(tollway.chat.stream(request, { idempotencyKey }))).rejects.toMatchObject({
    name: 'TollwayError',
    code: 'connection_failed',
  })
  const chunks = await collect(tollway.chat.stream(request, { idempotencyKey }))
  expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe(
    sentence.join(''),
  )
  expect(gateway().upstream.asked).toHaveLength(1)
})

test('a stream that the caller leaves or aborts ends at the model, and is charged for what it brought', async () => {
  gateway().upstream.behave(
    'one',
    breaksAfter(3, () => {}),
  )
  const account = await gateway().account(100)
  const tollway = openClient(gateway(), account)
  for await (const { choices } of tollway.chat.stream(request)) if (choices[0]?.delta.content) break

  const leaving = new AbortController()
  const aborted = async () => {
    for await (const { choices } of tollway.chat.stream(request, { signal: leaving.signal }))
      if (choices[0]?.delta.content) leaving.abort(new Error('enough'))
  }
  await expect(aborted()).rejects.toThrow('enough')

  const endings = async () => {
    const path = (id: string) => ({ path: { id } })
    const calls = await collect(
      tollway.list('GET /api/v1/transactions', { query: { type: 'call' } }),
    )
    return await Promise.all(
      calls.map(async ({ transaction_id: id }) => {
        const { inference } = await tollway.request('GET /api/v1/transactions/{id}', path(id))
        return inference?.ending
      }),
    )
  }
  await expect.poll(endings).toEqual(['client_gone', 'client_gone'])
  expect(gateway().upstream.asked.map(({ abandoned }) => abandoned)).toEqual([true, true])
})

test('a name with a slash is one part of an address', async () => {
  const { tollway } = await open()
  const [model] = await collect(tollway.list('GET /api/llm/v1/models'))
  const path = { path: String(model?.id) }
  expect(path.path).toContain('/')
  expect(await tollway.request('GET /api/llm/v1/models/{path}', { path })).toMatchObject({
    id: path.path,
  })
})
