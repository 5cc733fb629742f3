// The search of the web on the messages surface: the gateway runs it inside the call, for what its action costs.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Anthropic } from '#oracles/anthropic.ts'
import { ChatAnthropic } from '#oracles/langchain.ts'
import { portOf } from '#platform/http/port.ts'
import type { TestAccount } from '#test/harness.ts'
import {
  expectSettled,
  type LlmGateway,
  lastTransaction,
  startLlmGateway,
} from '#test/llm-gateway.ts'
import {
  type Behaviour,
  breaksAfter,
  cuts,
  type Json,
  refuses,
  sentence,
} from '#test/model-upstream.ts'

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

const query = 'who founded the Red Cross?'
const calls =
  (...named: readonly (readonly [name: string, input: object])[]): Behaviour =>
  (it) =>
    it.answer({
      toolCalls: named.map(([name, input], place) => ({
        id: `call_${place}`,
        name,
        arguments: [JSON.stringify(input)],
      })),
    })
const searches = calls(['web_search', { query }])
const answers: Behaviour = (it) => it.answer()
const connect = (account: TestAccount) =>
  new Anthropic({ baseURL: `${gateway.url}/api/llm`, apiKey: account.key, maxRetries: 0 })
const search = { type: 'web_search_20250305', name: 'web_search' } as const
const question: Anthropic.MessageParam = { role: 'user', content: 'Who founded the Red Cross?' }
const request = {
  model: 'lab/one',
  max_tokens: 1_000,
  messages: [question] as Anthropic.MessageParam[],
  tools: [search] as Anthropic.ToolUnion[],
}
const typesOf = ({ content }: Anthropic.Message) => content.map(({ type }) => type)
const lastAsked = () => JSON.stringify(gateway.upstream.asked.at(-1)?.body)
const weather: Anthropic.Tool = {
  name: 'weather',
  input_schema: { type: 'object', properties: {} },
}

describe.each(['lab/one', 'claude/one', 'answers/one', 'gemini/one'])('%s', (model) => {
  test.each([false, true])(
    'searches inside the call, and the search costs its price (stream: %s)',
    async (stream) => {
      const account = await gateway.account(500)
      const client = connect(account)
      gateway.upstream.behave('one', searches, answers)
      const asked = { ...request, model }
      const message = stream
        ? await client.messages.stream(asked).finalMessage()
        : await client.messages.create(asked)
      expect(typesOf(message)).toEqual(['server_tool_use', 'web_search_tool_result', 'text'])
      const [called, result, answer] = message.content
      expect(called).toMatchObject({
        id: expect.stringMatching(/^srvtoolu_/),
        name: 'web_search',
        input: { query },
      })
      expect(result).toMatchObject({
        tool_use_id: (called as Anthropic.ServerToolUseBlock).id,
        content: [
          {
            type: 'web_search_result',
            title: 'Red Cross',
            url: expect.stringContaining('Red_Cross'),
            page_age: null,
          },
        ],
      })
      expect(answer).toMatchObject({ text })
      expect(message.stop_reason).toBe('end_turn')
      expect(message.usage).toMatchObject({
        input_tokens: 200,
        output_tokens: 100,
        server_tool_use: { web_search_requests: 1, web_fetch_requests: 0 },
      })
      expect(lastAsked()).toContain('Geneva')
      expect(await lastTransaction(account)).toMatchObject({
        timeline: expect.arrayContaining([
          expect.objectContaining({ event: 'hop', provider: 'tollway', action: 'onesearch' }),
        ]),
      })
      await expectSettled(gateway, account, searchMicros + 600)
    },
  )

  test('tells the model again what was found when the blocks are sent back', async () => {
    const account = await gateway.account(500)
    const client = connect(account)
    gateway.upstream.behave('one', searches, answers)
    const { content } = await client.messages.create({ ...request, model })
    const messages = [question, { role: 'assistant' as const, content }, question]
    const { response } = await client.messages
      .create({ ...request, model, messages })
      .withResponse()
    expect(response.headers.get('x-dropped')).toBeNull()
    expect(lastAsked()).toContain('Geneva')
    await expectSettled(gateway, account, searchMicros + 900)
    // Without the tool, no model is told of its calls.
    const without = await client.messages
      .create({ ...request, model, messages, tools: [] })
      .withResponse()
    expect(without.response.headers.get('x-dropped')).toBe('web_search_tool_result')
    expect(lastAsked()).not.toContain('Geneva')
    expect(lastAsked()).toContain('jumps')
  })
})

test('a search that is only offered costs nothing, and the model sees a function', async () => {
  const account = await gateway.account(500)
  for (const type of ['web_search_20250305', 'web_search_20260209', 'web_search_20260318'] as const)
    await connect(account).messages.create({ ...request, tools: [{ ...search, type }] })
  for (const { body } of gateway.upstream.asked)
    expect(body.tools).toMatchObject([{ function: { name: 'web_search' } }])
  await expectSettled(gateway, account, 900)
})

test('a model that is forced to search is free to answer after it', async () => {
  const account = await gateway.account(1_000)
  for (const tool_choice of [{ type: 'any' }, { type: 'tool', name: 'web_search' }] as const) {
    gateway.upstream.reset()
    gateway.upstream.behave('one', searches, answers)
    await connect(account).messages.create({ ...request, tool_choice })
    const [first, second] = gateway.upstream.asked
    expect(JSON.stringify(first?.body.tool_choice)).toMatch(/required|web_search/)
    expect(second?.body.tool_choice).toBe('auto')
  }
})

test('sites are searched or left out as the tool says', async () => {
  const account = await gateway.account(500)
  const client = connect(account)
  for (const sites of [
    { allowed_domains: ['example.com'] },
    { blocked_domains: ['wikipedia.org'] },
  ]) {
    gateway.upstream.behave('one', searches, answers)
    const message = await client.messages.create({ ...request, tools: [{ ...search, ...sites }] })
    expect(message.content[1]).toMatchObject({ type: 'web_search_tool_result' })
    expect(JSON.stringify(message.content[1])).not.toContain('wikipedia')
  }
  const both = { allowed_domains: ['a.example'], blocked_domains: ['b.example'] }
  await expect(
    client.messages.create({ ...request, tools: [{ ...search, ...both }] }),
  ).rejects.toBeInstanceOf(Anthropic.BadRequestError)
})

test('a search that fails is free, and the model is told', async () => {
  said = nothing
  const account = await gateway.account(500)
  gateway.upstream.behave('one', calls(['web_search', { query: 'an unheard of thing' }]), answers)
  const message = await connect(account).messages.create(request)
  expect(message.content[1]).toMatchObject({
    content: { type: 'web_search_tool_result_error', error_code: 'unavailable' },
  })
  expect(message.usage.server_tool_use?.web_search_requests).toBe(0)
  expect(lastAsked()).toContain('The search failed: unavailable.')
  await expectSettled(gateway, account, 600)
})

test('a search without words is an error that the model is told', async () => {
  const account = await gateway.account(500)
  gateway.upstream.behave('one', calls(['web_search', {}]), answers)
  const message = await connect(account).messages.create(request)
  expect(message.content[1]).toMatchObject({
    content: { type: 'web_search_tool_result_error', error_code: 'invalid_tool_input' },
  })
  expect(lastAsked()).toContain('The search failed: invalid_tool_input.')
  await expectSettled(gateway, account, 600)
})

test.each([false, true])('max_uses limits the searches (stream: %s)', async (stream) => {
  const account = await gateway.account(2_000)
  gateway.upstream.behave(
    'one',
    calls(['web_search', { query }], ['web_search', { query: 'and when?' }]),
    answers,
  )
  const asked = { ...request, tools: [{ ...search, max_uses: 1 }] }
  const client = connect(account)
  const message = stream
    ? await client.messages.stream(asked).finalMessage()
    : await client.messages.create(asked)
  expect(typesOf(message)).toEqual([
    'server_tool_use',
    'web_search_tool_result',
    'server_tool_use',
    'web_search_tool_result',
    'text',
  ])
  expect(message.content[3]).toMatchObject({
    content: { type: 'web_search_tool_result_error', error_code: 'max_uses_exceeded' },
  })
  expect(gateway.upstream.asked[1]?.body.tool_choice).toBe('none')
  expect(message.usage.server_tool_use?.web_search_requests).toBe(1)
  await expectSettled(gateway, account, searchMicros + 600)
})

test.each([false, true])(
  'a turn pauses at a search that may not run, and goes on when it is sent back (stream: %s)',
  async (stream) => {
    const account = await gateway.account(2_000)
    const client = connect(account)
    const ask = (asked: typeof request) =>
      stream ? client.messages.stream(asked).finalMessage() : client.messages.create(asked)
    // This model searches although it was told not to.
    gateway.upstream.behave('one', searches, searches, searches, answers)
    const tools = [{ ...search, max_uses: 1 }]
    const first = await ask({ ...request, tools })
    expect(typesOf(first)).toEqual(['server_tool_use', 'web_search_tool_result', 'server_tool_use'])
    expect(first.stop_reason).toBe('pause_turn')
    await expectSettled(gateway, account, searchMicros + 600)
    const paused: Anthropic.MessageParam = { role: 'assistant', content: first.content }
    const second = await ask({ ...request, tools, messages: [question, paused] })
    expect(JSON.stringify(gateway.upstream.asked[2]?.body)).toContain('has not run yet')
    expect(typesOf(second)).toEqual(['server_tool_use', 'web_search_tool_result', 'text'])
    await expectSettled(gateway, account, 2 * searchMicros + 1_200)
  },
)

test.each(['lab/one', 'claude/one'])(
  '%s: a search beside a function of the caller waits for its result',
  async (model) => {
    const account = await gateway.account(500)
    const client = connect(account)
    const tools = [search, weather] as Anthropic.ToolUnion[]
    const both = calls(['web_search', { query }], ['weather', {}])
    gateway.upstream.behave('one', both, answers)
    const first = await client.messages.create({ ...request, model, tools })
    expect(typesOf(first)).toEqual(['tool_use', 'server_tool_use'])
    expect(first.stop_reason).toBe('tool_use')
    await expectSettled(gateway, account, 300)
    const [called] = first.content as [Anthropic.ToolUseBlock]
    const result = { type: 'tool_result' as const, tool_use_id: called.id, content: 'Rain.' }
    const second = await client.messages.create({
      ...request,
      model,
      tools,
      messages: [
        question,
        { role: 'assistant', content: first.content },
        { role: 'user', content: [result] },
      ],
    })
    expect(typesOf(second)).toEqual(['text'])
    expect(lastAsked()).toContain('Rain.')
    expect(lastAsked()).toContain('has not run yet')
    await expectSettled(gateway, account, 600)
  },
)

test('a search that cannot be paid for is not offered, and the answer says so', async () => {
  const account = await gateway.account(500)
  const { response } = await connect(account)
    .messages.create({ ...request, max_cost_cents: 5 } as Anthropic.MessageCreateParamsNonStreaming)
    .withResponse()
  expect(response.headers.get('x-dropped')).toBe('tools.web_search')
  expect(gateway.upstream.asked[0]?.body.tools).toBeUndefined()
  await expectSettled(gateway, account, 300)
})

test('other tools of the vendor are left out, and refused only when they are forced', async () => {
  const account = await gateway.account(500)
  const client = connect(account)
  const tools = [search, { type: 'code_execution_20250825', name: 'code_execution' }] as never
  const { response } = await client.messages.create({ ...request, tools }).withResponse()
  expect(response.headers.get('x-dropped')).toBe('tools.code_execution')
  const tool_choice = { type: 'tool' as const, name: 'code_execution' }
  await expect(client.messages.create({ ...request, tools, tool_choice })).rejects.toBeInstanceOf(
    Anthropic.BadRequestError,
  )
  await expectSettled(gateway, account, 300)
})

test('a call that fails after a search is free, and its search too', async () => {
  const account = await gateway.account(500)
  const client = connect(account)
  gateway.upstream.behave('one', searches, refuses(500))
  await expect(client.messages.create(request)).rejects.toBeInstanceOf(
    Anthropic.InternalServerError,
  )
  gateway.upstream.behave('one', searches, breaksAfter(6, cuts))
  const seen: string[] = []
  const stream = client.messages
    .stream(request)
    .on('contentBlock', ({ type }) => void seen.push(type))
  await expect(stream.finalMessage()).rejects.toMatchObject({ errorCode: 'upstream_error' })
  expect(seen).toEqual(['server_tool_use', 'web_search_tool_result'])
  await expectSettled(gateway, account, 0)
})

test('a repeated request is answered from its idempotency key, and pays once', async () => {
  const account = await gateway.account(500)
  gateway.upstream.behave('one', searches, answers)
  const ask = (client = connect(account)) =>
    client.messages.create(request, { headers: { 'idempotency-key': 'once' } })
  expect(await ask()).toEqual(await ask())
  expect(gateway.upstream.asked).toHaveLength(2)
  await expectSettled(gateway, account, searchMicros + 600)
})

test('LangChain searches, and tells the model of it in the next turn', async () => {
  const account = await gateway.account(500)
  const chat = new ChatAnthropic({
    model: 'lab/one',
    apiKey: account.key,
    anthropicApiUrl: `${gateway.url}/api/llm`,
    maxTokens: 1_000,
    maxRetries: 0,
  }).bindTools([search])
  gateway.upstream.behave('one', searches, answers)
  const first = await chat.invoke([['human', query]])
  expect(first.text).toBe(text)
  await chat.invoke([['human', query], first, ['human', 'And when?']])
  expect(lastAsked()).toContain('Geneva')
  await expectSettled(gateway, account, searchMicros + 900)
})

test('a count of tokens has room for the search that the model is offered', async () => {
  const client = connect(await gateway.account(0))
  const { max_tokens: _limit, tools, ...asked } = request
  const plain = await client.messages.countTokens(asked)
  const searching = await client.messages.countTokens({
    ...asked,
    tools: tools as Anthropic.MessageCountTokensTool[],
  })
  expect(searching.input_tokens).toBeGreaterThan(plain.input_tokens + 50)
  const atVendor = {
    ...asked,
    model: 'claude/one',
    tools: tools as Anthropic.MessageCountTokensTool[],
  }
  await client.messages.countTokens(atVendor)
  expect(lastAsked()).toContain('Search the web')
})
