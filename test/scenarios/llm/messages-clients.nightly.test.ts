// Anthropic's SDK and the AI SDK's provider for it, unmodified, with the gateway as their address.
import { describe, expect, test } from 'vitest'
import { generateText, jsonSchema, stepCountIs, streamText, tool } from '#oracles/ai.ts'
import { Anthropic, betaTool, createAnthropic } from '#oracles/anthropic.ts'
import { expectSettled, shareLlmGateway } from '#test/llm-gateway.ts'
import { type Behaviour, breaksAfter, cuts, refuses, sentence } from '#test/model-upstream.ts'

const shared = shareLlmGateway()
const text = sentence.join('')
const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'Hello' }]
const calls = [
  { id: 'call_1', name: 'weather', arguments: ['{"city"', ': "Wien"}'] },
  { id: 'call_2', name: 'weather', arguments: ['{"city":', '"Łódź"}'] },
]
const cities = ['Wien', 'Łódź']
const schema = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
} as const
/** Calls both tools first, then answers from their results. */
const agent: [Behaviour, Behaviour] = [(it) => it.answer({ toolCalls: calls }), (it) => it.answer()]

describe.each([
  ['lab/one', '/api/llm'],
  ['lab/one', '/api/llm/v1'],
  ['claude/one', '/api/llm'],
  ['claude/one', '/api/llm/v1'],
])('%s at %s', (model, base) => {
  const connect = async (options: { maxRetries?: number } = {}) => {
    const account = await shared().account(100)
    const client = new Anthropic({
      baseURL: `${shared().url}${base}`,
      apiKey: account.key,
      maxRetries: 0,
      ...options,
    })
    return { account, client }
  }
  const ask = { model, messages, max_tokens: 1_000 }

  test('create answers, and tells tokens and cost', async () => {
    const { client, account } = await connect()
    const message = await client.messages.create(ask)
    expect(message.content).toMatchObject([{ type: 'text', text }])
    expect(message.stop_reason).toBe('end_turn')
    expect(message.usage).toMatchObject({ input_tokens: 100, output_tokens: 50, cost: 0.0003 })
    await expectSettled(shared(), account, 300)
  })

  test('stream puts the same message together', async () => {
    const { client, account } = await connect()
    const texts: string[] = []
    const stream = client.messages.stream(ask).on('text', (piece) => texts.push(piece))
    const message = await stream.finalMessage()
    expect(texts.join('')).toBe(text)
    expect(message.content).toMatchObject([{ type: 'text', text }])
    expect(message.usage).toMatchObject({ input_tokens: 100, output_tokens: 50 })
    await expectSettled(shared(), account, 300)
  })

  test('thoughts arrive with a signature, and their block can be sent back', async () => {
    const { client, account } = await connect()
    shared().upstream.behave('one', (it) => it.answer({ reasoning: 'Hm.' }))
    const stream = client.messages.stream({ ...ask, thinking: { type: 'adaptive' } })
    const { content } = await stream.finalMessage()
    expect(content[0]).toMatchObject({ type: 'thinking', thinking: 'Hm.' })
    expect((content[0] as Anthropic.ThinkingBlock).signature).not.toBe('')
    const history = [...messages, { role: 'assistant' as const, content }, ...messages]
    await client.messages.create({ ...ask, messages: history })
    expect(JSON.stringify(shared().upstream.asked.at(-1)?.body.messages)).toContain('Hm.')
    await expectSettled(shared(), account, 600)
  })

  test.each([false, true])('the tool runner runs to its end (stream: %s)', async (stream) => {
    const { client, account } = await connect()
    shared().upstream.behave('one', ...agent)
    const asked: string[] = []
    const weather = betaTool({
      name: 'weather',
      description: 'The weather of a city',
      inputSchema: schema,
      run: ({ city }) => {
        asked.push(city)
        return 'sunny'
      },
    })
    const runner = client.beta.messages.toolRunner({ ...ask, tools: [weather], stream } as never)
    const last = (await runner.runUntilDone()) as Anthropic.Beta.BetaMessage
    expect(asked).toEqual(cities)
    expect(last.content).toMatchObject([{ type: 'text', text }])
    // Both calls, and their results after them.
    expect(shared().upstream.asked).toHaveLength(2)
    await expectSettled(shared(), account, 600)
  })

  test('countTokens counts for free', async () => {
    const { client, account } = await connect()
    const { input_tokens } = await client.messages.countTokens({ model, messages })
    expect(input_tokens).toBeGreaterThan(0)
    await expectSettled(shared(), account, 0)
  })

  test('errors are the SDK’s own, with our codes', async () => {
    const { client, account } = await connect()
    const failed = (more: object = {}, from = client) =>
      from.messages.create({ ...ask, ...more } as Anthropic.MessageCreateParamsNonStreaming).then(
        () => undefined,
        (error: unknown) => error as InstanceType<typeof Anthropic.APIError>,
      )
    const poor = new Anthropic({
      baseURL: `${shared().url}${base}`,
      apiKey: (await shared().account(0)).key,
      maxRetries: 0,
    })
    const bad = await failed({ max_tokens: -1 })
    expect(bad).toBeInstanceOf(Anthropic.BadRequestError)
    expect(bad).toMatchObject({ type: 'invalid_request_error', errorCode: 'bad_request' })
    expect(bad?.requestID).toBeTruthy()
    expect(await failed({ model: 'lab/none' })).toBeInstanceOf(Anthropic.NotFoundError)
    expect(await failed({}, poor)).toMatchObject({ status: 402, type: 'billing_error' })
    shared().upstream.behave('one', refuses(429, { 'retry-after': '30' }))
    const busy = await failed()
    expect(busy).toBeInstanceOf(Anthropic.RateLimitError)
    expect(busy?.headers?.get('retry-after')).toBe('30')
    shared().upstream.behave('one', refuses(503))
    expect(await failed()).toBeInstanceOf(Anthropic.InternalServerError)
    await expectSettled(shared(), account, 0)
  })

  test('a stream that breaks off throws', async () => {
    const { client, account } = await connect()
    shared().upstream.behave('one', breaksAfter(6, cuts))
    const error = await client.messages
      .stream(ask)
      .finalMessage()
      .then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
    expect(error).toBeInstanceOf(Anthropic.APIError)
    expect(error).toMatchObject({ type: 'api_error', errorCode: 'upstream_error' })
    await expectSettled(shared(), account, 0)
  })

  test('a failed request is repeated by the SDK and paid once', async () => {
    const { client, account } = await connect({ maxRetries: 2 })
    shared().upstream.behave('one', refuses(500), refuses(500), (it) => it.answer())
    expect((await client.messages.create(ask)).content).toMatchObject([{ text }])
    await expectSettled(shared(), account, 300)
  })
})

describe.each(['lab/one', 'claude/one'])('the AI SDK with %s', (model) => {
  const provide = async () => {
    const account = await shared().account(100)
    const provider = createAnthropic({
      baseURL: `${shared().url}/api/llm/v1`,
      apiKey: account.key,
    })
    return { account, languageModel: provider(model) }
  }

  test('generates, streams and reads the usage', async () => {
    const { account, languageModel } = await provide()
    const whole = await generateText({ model: languageModel, prompt: 'Hello', maxRetries: 0 })
    expect(whole.text).toBe(text)
    expect(whole.usage.totalTokens).toBe(150)
    const streamed = streamText({ model: languageModel, prompt: 'Hello', maxRetries: 0 })
    expect(await streamed.text).toBe(text)
    expect((await streamed.usage).totalTokens).toBe(150)
    expect(await streamed.finishReason).toBe('stop')
    await expectSettled(shared(), account, 600)
  })

  test.each([false, true])('runs tools until it has an answer (stream: %s)', async (stream) => {
    const { account, languageModel } = await provide()
    shared().upstream.behave('one', ...agent)
    const asked: string[] = []
    const options = {
      model: languageModel,
      prompt: 'How is it?',
      maxRetries: 0,
      stopWhen: stepCountIs(3),
      tools: {
        weather: tool({
          description: 'The weather of a city',
          inputSchema: jsonSchema<{ city: string }>(structuredClone(schema) as never),
          execute: async ({ city }) => {
            asked.push(city)
            return 'sunny'
          },
        }),
      },
    }
    expect(stream ? await streamText(options).text : (await generateText(options)).text).toBe(text)
    expect(asked).toEqual(cities)
    await expectSettled(shared(), account, 600)
  })

  test('reports an error in the middle of a stream', async () => {
    const { account, languageModel } = await provide()
    shared().upstream.behave('one', breaksAfter(6, cuts))
    const parts: string[] = []
    const { stream } = streamText({
      model: languageModel,
      prompt: 'Hello',
      maxRetries: 0,
      onError() {},
    })
    for await (const part of stream) parts.push(part.type)
    expect(parts).toContain('error')
    await expectSettled(shared(), account, 0)
  })
})
