import { expect, test } from 'vitest'
import type { HttpRequest } from '#core/ports.ts'
import { systemClock } from '../clock.ts'
import { createReplyMemory } from './reply-memory.ts'

function openMemory(status = 200) {
  const clock = { ...systemClock, nowMs: 0, now: () => clock.nowMs }
  const asked: HttpRequest[] = []
  const remembering = createReplyMemory({ clock })
  const send = (request: Partial<HttpRequest>) =>
    remembering(
      { method: 'GET', path: '/list', rememberSeconds: 60, ...request },
      async (wanted) => {
        asked.push(wanted)
        return { status, headers: {}, body: { number: asked.length } }
      },
    )
  return { clock, asked, send }
}

test('a reply is reused until it expires', async () => {
  const { clock, send } = openMemory()
  expect((await send({})).body).toEqual({ number: 1 })
  clock.nowMs = 59_999
  expect((await send({})).body).toEqual({ number: 1 })
  clock.nowMs = 60_000
  expect((await send({})).body).toEqual({ number: 2 })
})

test.each<[string, Partial<HttpRequest>]>([
  ['another path', { path: '/other' }],
  ['another query', { query: { page: 2 } }],
  ['another host', { host: { host: 'www' } }],
  ['another form', { as: 'text' }],
  ['a POST', { method: 'POST' }],
  ['a request that does not allow it', { rememberSeconds: undefined }],
])('%s is asked for', async (_name, other) => {
  const { asked, send } = openMemory()
  await send({})
  await send(other)
  expect(asked).toHaveLength(2)
})

test('a failure that the action handles is not remembered', async () => {
  const { asked, send } = openMemory(404)
  await send({ accept: [404] })
  await send({ accept: [404] })
  expect(asked).toHaveLength(2)
})
