import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { z } from '#core/action.ts'
import { addRoute, operatorsOnly } from './add-route.ts'
import { defineRoute } from './route.ts'

const route = defineRoute({
  method: 'post',
  path: '/shelves/{shelf}/books/{path}',
  summary: 'Put a book on a shelf.',
  query: z.strictObject({ copies: z.coerce.number().default(1) }),
  body: z.strictObject({ title: z.string() }),
  status: 201,
})
const ofOperator = defineRoute({ ...route, who: 'operator' })

test('a handler gets the parts of the path, and what was sent as its schemas read it', async () => {
  const server = Fastify()
  addRoute(server, route, ({ params, query, body }) => ({ params, query, body }))
  const answer = await server.inject({
    method: 'POST',
    url: '/shelves/7/books/fiction/a%20b',
    payload: { title: 'Emma' },
  })
  expect(answer.statusCode).toBe(201)
  expect(answer.json()).toEqual({
    params: { shelf: '7', path: 'fiction/a b', '*': 'fiction/a b' },
    query: { copies: 1 },
    body: { title: 'Emma' },
  })
})

test('a route of the operator is served behind the check of the operator only', () => {
  const server = Fastify()
  expect(() => addRoute(server, ofOperator, () => ({}))).toThrow('served elsewhere')
  server.decorate(operatorsOnly, true)
  addRoute(server, ofOperator, () => ({}))
  expect(() => addRoute(server, route, () => ({}))).toThrow('is for everyone')
})
