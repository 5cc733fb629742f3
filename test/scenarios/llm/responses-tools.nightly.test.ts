// Hosted tools: the gateway runs them inside the call, and they cost what their actions cost.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { OpenAI } from '#oracles/openai.ts'
import { portOf } from '#platform/http/port.ts'
import type { TestAccount } from '#test/harness.ts'
import {
  expectSettled,
  type LlmGateway,
  lastTransaction,
  startLlmGateway,
} from '#test/llm-gateway.ts'
import { type Behaviour, type Json, refuses, sentence } from '#test/model-upstream.ts'
import { missingForBoxes } from '#test/sessions/boxes.ts'

const text = sentence.join('')
const searchMicros = 50_000
const article = { title: 'Red Cross', pageid: 1, snippet: 'A movement of Geneva.', wordcount: 9 }
const found: Json = { query: { searchinfo: { totalhits: 1 }, search: [article] } }
const nothing: Json = { query: { searchinfo: { totalhits: 0 }, search: [] } }
let said = found
const encyclopedia = createServer((request, response) => {
  request.resume()
  const isArticle = request.url?.startsWith('/ns_encyclopedia/')
  response.writeHead(isArticle ? 200 : 404, { 'content-type': 'application/json' })
  response.end(JSON.stringify(isArticle ? said : {}))
})

const endings: (() => Promise<void>)[] = []
let gateway: LlmGateway
beforeAll(async () => {
  encyclopedia.listen(0, '127.0.0.1')
  await once(encyclopedia, 'listening')
  const port = portOf(encyclopedia)
  const names = ['ENCYCLOPEDIA', 'KNOWLEDGE', 'PRESS', 'SCHOLAR', 'ARCHIVE']
  const env = Object.fromEntries(
    names.map((name) => [
      `NS_${name}_BASE_URL`,
      `http://127.0.0.1:${port}/ns_${name.toLowerCase()}`,
    ]),
  )
  gateway = await startLlmGateway({ env }, (end) => endings.unshift(end))
})
beforeEach(() => {
  gateway.upstream.reset()
  said = found
})
afterAll(async () => {
  for (const end of endings) await end()
  encyclopedia.close()
})

const calls =
  (name: string, input: object): Behaviour =>
  (it) =>
    it.answer({ toolCalls: [{ id: 'call_1', name, arguments: [JSON.stringify(input)] }] })
const searches = calls('web_search', { query: 'who founded the Red Cross?' })
const answers: Behaviour = (it) => it.answer()
const connect = (account: TestAccount) =>
  new OpenAI({ baseURL: `${gateway.url}/api/llm/v1`, apiKey: account.key, maxRetries: 0 })
const search = { type: 'web_search' } as const
const request = { input: 'Who founded the Red Cross?', tools: [search] }

describe.each(['lab/one', 'claude/one'])('%s', (model) => {
  test.each([false, true])(
    'searches inside the call, and the search costs its price (stream: %s)',
    async (stream) => {
      const account = await gateway.account(500)
      const openai = connect(account)
      gateway.upstream.behave('one', searches, answers)
      const include = [
        'web_search_call.action.sources' as const,
        'web_search_call.results' as const,
      ]
      const types: string[] = []
      const ask = async () => {
        if (!stream) return await openai.responses.create({ model, ...request, include })
        const events = openai.responses.stream({ model, ...request, include })
        for await (const { type } of events) types.push(type)
        return await events.finalResponse()
      }
      const response = await ask()
      expect(response.output_text).toBe(text)
      expect(response.output.map(({ type }) => type)).toEqual(['web_search_call', 'message'])
      expect(response.output[0]).toMatchObject({
        status: 'completed',
        action: {
          type: 'search',
          query: 'who founded the Red Cross?',
          sources: [{ type: 'url', url: expect.stringContaining('Red_Cross') }],
        },
      })
      if (stream)
        expect(types.filter((type) => type.includes('web_search'))).toEqual([
          'response.web_search_call.in_progress',
          'response.web_search_call.searching',
          'response.web_search_call.completed',
        ])
      expect(response.usage).toMatchObject({ total_tokens: 300, cost: 0.0506 })
      expect(JSON.stringify(gateway.upstream.asked[1]?.body.messages)).toContain('Geneva')
      expect(await lastTransaction(account)).toMatchObject({
        timeline: expect.arrayContaining([
          expect.objectContaining({ event: 'hop', provider: 'tollway', action: 'onesearch' }),
        ]),
      })
      await expectSettled(gateway, account, searchMicros + 600)
    },
  )
})

test.each([false, true])(
  'what the model links of what it has found is cited, and nothing else (stream: %s)',
  async (stream) => {
    const account = await gateway.account(500)
    const openai = connect(account)
    const url = 'https://en.wikipedia.org/wiki/Red_Cross'
    const said = ['Henry 😀 Dunant ([Red', ` Cross](${url}`, ')). See https://example.org.']
    gateway.upstream.behave('one', searches, (it) => it.answer({ tokens: said }))
    const added: unknown[] = []
    const ask = async () => {
      if (!stream) return await openai.responses.create({ model: 'lab/one', ...request })
      const events = openai.responses.stream({ model: 'lab/one', ...request })
      for await (const event of events)
        if (event.type === 'response.output_text.annotation.added') added.push(event)
      return await events.finalResponse()
    }
    const response = await ask()
    const link = `[Red Cross](${url})`
    // The smiley is one character and two units.
    const start = said.join('').indexOf(link) - 1
    const annotation = {
      type: 'url_citation',
      url,
      title: 'Red Cross',
      start_index: start,
      end_index: start + link.length,
    }
    const message = response.output[1] as OpenAI.Responses.ResponseOutputMessage
    expect(message.content).toMatchObject([{ annotations: [annotation] }])
    const place = { item_id: message.id, output_index: 1, content_index: 0, annotation_index: 0 }
    expect(added).toMatchObject(stream ? [{ ...place, annotation }] : [])
    const kept = await openai.responses.retrieve(response.id)
    expect(kept.output[1]).toMatchObject({ content: [{ annotations: [annotation] }] })
    const next = { model: 'lab/one', previous_response_id: response.id, input: 'Thanks.' }
    expect((await openai.responses.create(next)).output_text).toBe(said.join(''))
  },
)

test('a tool that is only offered costs nothing', async () => {
  const account = await gateway.account(500)
  await connect(account).responses.create({ model: 'lab/one', ...request })
  expect(gateway.upstream.asked[0]?.body.tools).toMatchObject([
    { function: { name: 'web_search' } },
  ])
  await expectSettled(gateway, account, 300)
})

test.each(['lab/one', 'claude/one'])(
  '%s: a search beside a function of the caller does not run, and the model is told to repeat it',
  async (model) => {
    const account = await gateway.account(500)
    const openai = connect(account)
    const weather = {
      type: 'function' as const,
      name: 'weather',
      parameters: { type: 'object', properties: {} },
      strict: false,
    }
    const tools = [search, weather]
    const both: Behaviour = (it) =>
      it.answer({
        toolCalls: [
          { id: 'call_1', name: 'web_search', arguments: ['{"query":"Red Cross"}'] },
          { id: 'call_2', name: 'weather', arguments: ['{}'] },
        ],
      })
    gateway.upstream.behave('one', both, answers)
    const include = ['web_search_call.results' as const]
    const first = await openai.responses.create({ model, input: request.input, tools, include })
    expect(first.output.map((item) => [item.type, 'status' in item && item.status])).toEqual([
      ['function_call', 'completed'],
      ['web_search_call', 'failed'],
    ])
    expect(JSON.stringify(first.output[1])).toContain('Call it again after their results.')
    await expectSettled(gateway, account, 300)
    const output = { type: 'function_call_output' as const, call_id: 'call_2', output: 'Rain.' }
    const second = await openai.responses.create({
      model,
      input: [output],
      previous_response_id: first.id,
      tools,
    })
    expect(second.output_text).toBe(text)
    const told = JSON.stringify(gateway.upstream.asked[1]?.body.messages)
    expect(told).toContain('Call it again after their results.')
    expect(told).toContain('Rain.')
  },
)

test('a search that finds nothing is free, and the model is told', async () => {
  said = nothing
  const account = await gateway.account(500)
  gateway.upstream.behave('one', calls('web_search', { query: 'an unheard of thing' }), answers)
  const response = await connect(account).responses.create({ model: 'lab/one', ...request })
  expect(response.output[0]).toMatchObject({ type: 'web_search_call', status: 'failed' })
  // The search itself has asked a model, which sorts such questions.
  expect(JSON.stringify(gateway.upstream.asked.at(-1)?.body.messages)).toContain('The tool failed')
  await expectSettled(gateway, account, 600)
})

test('a tool that cannot be paid for is not offered, and the answer says so', async () => {
  const account = await gateway.account(500)
  const ask = (more: Json) =>
    connect(account)
      .responses.create({ model: 'lab/one', ...request, ...more })
      .withResponse()
  const { response } = await ask({ max_cost_cents: 8 })
  expect(response.headers.get('x-dropped')).toBe('tools.web_search')
  expect(gateway.upstream.asked[0]?.body.tools).toBeUndefined()
  await expectSettled(gateway, account, 300)
})

test('a model that searches without end is stopped by max_tool_calls', async () => {
  const account = await gateway.account(2_000)
  gateway.upstream.behave('one', searches, searches, answers)
  const response = await connect(account).responses.create({
    model: 'lab/one',
    ...request,
    max_tool_calls: 2,
  })
  expect(response.output.map(({ type }) => type)).toEqual([
    'web_search_call',
    'web_search_call',
    'message',
  ])
  expect(gateway.upstream.asked[2]?.body.tool_choice).toBe('none')
  await expectSettled(gateway, account, 2 * searchMicros + 900)
})

test('a model that calls a search which it may not call is not asked again', async () => {
  const account = await gateway.account(2_000)
  gateway.upstream.behave('one', searches)
  const { output } = await connect(account).responses.create({
    model: 'lab/one',
    ...request,
    max_tool_calls: 1,
  })
  expect(output.map((item) => [item.type, 'status' in item && item.status])).toEqual([
    ['web_search_call', 'completed'],
    ['web_search_call', 'failed'],
  ])
  await expectSettled(gateway, account, searchMicros + 600)
})

test('a call that fails after a search is free, and its search too', async () => {
  const account = await gateway.account(500)
  gateway.upstream.behave('one', searches, refuses(500))
  const asked = connect(account).responses.create({ model: 'lab/one', ...request })
  await expect(asked).rejects.toBeInstanceOf(OpenAI.InternalServerError)
  await expectSettled(gateway, account, 0)
})

test('a response in the background searches, too', async () => {
  const account = await gateway.account(500)
  const openai = connect(account)
  gateway.upstream.behave('one', searches, answers)
  const { id } = await openai.responses.create({ model: 'lab/one', ...request, background: true })
  await expect.poll(async () => (await openai.responses.retrieve(id)).status).toBe('completed')
  const response = await openai.responses.retrieve(id)
  expect(response.output.map(({ type }) => type)).toEqual(['web_search_call', 'message'])
  await expectSettled(gateway, account, searchMicros + 600)
})

const isMissing = (await missingForBoxes()) !== undefined
test.skipIf(isMissing)('a program runs in a sandbox, for the price of the sandbox', async () => {
  const account = await gateway.account(500)
  const openai = connect(account)
  gateway.upstream.behave('one', calls('code_interpreter', { code: 'print(6 * 7)' }), answers)
  const response = await openai.responses.create({
    model: 'lab/one',
    input: 'What is 6 * 7?',
    tools: [{ type: 'code_interpreter', container: { type: 'auto' } }],
    include: ['code_interpreter_call.outputs'],
  })
  expect(response.output[0]).toMatchObject({
    type: 'code_interpreter_call',
    status: 'completed',
    outputs: [{ type: 'logs', logs: '42\n' }],
  })
  await expectSettled(gateway, account, 40_000 + 600)
})
