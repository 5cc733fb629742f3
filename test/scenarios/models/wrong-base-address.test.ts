// Clients of language models with a wrong base address print the right one, because they read error objects only.
import { expect, test } from 'vitest'
import { shareGatewayOfWorker } from '#test/harness.ts'

const gateway = shareGatewayOfWorker()

test.for([
  ['/v1/chat/completions', '/api/llm/v1', '/api/llm/v1/chat/completions'],
  ['/chat/completions', '/api/llm/v1', '/api/llm/v1/chat/completions'],
  ['/api/llm/chat/completions?x=1', '/api/llm/v1', '/api/llm/v1/chat/completions'],
  ['/v1/responses', '/api/llm/v1', '/api/llm/v1/responses'],
  ['/v1/messages', '/api/llm', '/api/llm/v1/messages'],
  ['/api/llm/messages', '/api/llm', '/api/llm/v1/messages'],
] as const)('POST %s names the base address', async ([path, base, right]) => {
  const { status, body } = await gateway().request('POST', path, { body: {} })
  const message = `There is nothing at this address. Set the base URL of the client to ${gateway().url}${base}, so that it calls ${right}.`
  expect([status, body.ok, body.error.message]).toEqual([404, false, message])
  expect(body.error.type).toBe(
    path.endsWith('messages') ? 'not_found_error' : 'invalid_request_error',
  )
})

test('other addresses keep the body of all errors', async () => {
  for (const path of ['/v1/nothing', '/api/v1/responses', '/api/run/a/b/messages'])
    expect((await gateway().request('POST', path, { body: {} })).body.error).toBe('not_found')
})
