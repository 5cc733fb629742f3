// The common clients, unmodified, against the chat surface with an upstream of either wire.

import { describe, expect, test } from 'vitest'
import { z } from '#core/action.ts'
import {
  createOpenAICompatible,
  generateText,
  jsonSchema,
  stepCountIs,
  streamText,
  tool,
} from '#oracles/ai.ts'
import { ChatOpenAI, HumanMessage, tool as langchainTool, ToolMessage } from '#oracles/langchain.ts'
import { OpenAI } from '#oracles/openai.ts'
import { expectSettled, hello, shareLlmGateway } from '#test/llm-gateway.ts'
import { type Behaviour, breaksAfter, cuts, refuses, sentence } from '#test/model-upstream.ts'

const shared = shareLlmGateway()
const text = sentence.join('')
const calls = [
  { id: 'call_1', name: 'weather', arguments: ['{"city"', ': "Wien"}'] },
  { id: 'call_2', name: 'weather', arguments: ['{"city":', '"Łódź"}'] },
]
const weather = {
  name: 'weather',
  description: 'The weather of a city',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
} as const
const cities = ['Wien', 'Łódź']
/** Calls both tools first, then answers from their results. */
const agent: Behaviour[] = [(it) => it.answer({ toolCalls: calls }), (it) => it.answer()]

describe.each(['lab/one', 'claude/one'])('%s', (model) => {
  const upstreamModel = 'one'
  const connect = async (options: { maxRetries?: number } = {}) => {
    const account = await shared().account(100)
    const address = { baseURL: `${shared().url}/api/llm/v1`, apiKey: account.key }
    return { account, address, openai: new OpenAI({ ...address, maxRetries: 0, ...options }) }
  }

  describe('openai', () => {
    test('asks, and reads tokens and cost', async () => {
      const { openai, account } = await connect()
      const completion = await openai.chat.completions.create({ model, messages: hello as never })
      expect(completion.choices[0]?.message.content).toBe(text)
      expect(completion.usage).toMatchObject({ total_tokens: 150 })
      await expectSettled(shared(), account, 300)
    })

    test('streams', async () => {
      const { openai, account } = await connect()
      const stream = openai.chat.completions.stream({
        model,
        messages: hello as never,
        stream_options: { include_usage: true },
      })
      const completion = await stream.finalChatCompletion()
      expect(completion.choices[0]?.message.content).toBe(text)
      expect(completion.choices[0]?.finish_reason).toBe('stop')
      expect(completion.usage).toMatchObject({ total_tokens: 150 })
      await expectSettled(shared(), account, 300)
    })

    test.each([false, true])(
      'calls tools and tells what they said (stream: %s)',
      async (stream) => {
        const { openai, account } = await connect()
        shared().upstream.behave(upstreamModel, ...(agent as [Behaviour, Behaviour]))
        const request = {
          model,
          messages: hello as OpenAI.ChatCompletionMessageParam[],
          tools: [
            {
              type: 'function' as const,
              function: { ...weather, parameters: { ...weather.parameters } },
            },
          ],
        }
        const first = stream
          ? await openai.chat.completions.stream(request).finalChatCompletion()
          : await openai.chat.completions.create(request)
        const [choice] = first.choices
        expect(choice?.finish_reason).toBe('tool_calls')
        const asked = choice?.message.tool_calls?.map((call) =>
          call.type === 'function' ? JSON.parse(call.function.arguments).city : undefined,
        )
        expect(asked).toEqual(cities)
        const second = await openai.chat.completions.create({
          ...request,
          messages: [
            ...request.messages,
            choice?.message as OpenAI.ChatCompletionMessage,
            ...calls.map(({ id }) => ({
              role: 'tool' as const,
              tool_call_id: id,
              content: 'sunny',
            })),
          ],
        })
        expect(second.choices[0]?.message.content).toBe(text)
        await expectSettled(shared(), account, 600)
      },
    )

    test('repeats a request that failed at the upstream, and pays once', async () => {
      const { openai, account } = await connect({ maxRetries: 2 })
      shared().upstream.behave(upstreamModel, refuses(500), refuses(500), (it) => it.answer())
      const completion = await openai.chat.completions.create({ model, messages: hello as never })
      expect(completion.choices[0]?.message.content).toBe(text)
      await expectSettled(shared(), account, 300)
    })

    test('raises the right exceptions, with our codes', async () => {
      const { openai, account, address } = await connect()
      const ask = (client: OpenAI, more: object = {}) =>
        client.chat.completions.create({ model, messages: hello as never, ...more }).then(
          () => undefined,
          (error: unknown) => error as InstanceType<typeof OpenAI.APIError>,
        )
      const stranger = new OpenAI({ ...address, apiKey: 'tw_live_nobody', maxRetries: 0 })
      const poor = new OpenAI({
        ...address,
        apiKey: (await shared().account(0)).key,
        maxRetries: 0,
      })
      const errors = {
        badRequest: await ask(openai, { max_tokens: 20_000 }),
        unknownModel: await ask(openai, { model: 'lab/none' }),
        stranger: await ask(stranger),
        poor: await ask(poor),
        ceiling: await ask(openai, { max_cost_cents: 0 }),
      }
      expect(errors.badRequest).toBeInstanceOf(OpenAI.BadRequestError)
      expect(errors.badRequest).toMatchObject({
        code: 'bad_request',
        param: 'max_tokens',
        type: 'invalid_request_error',
      })
      expect(errors.unknownModel).toBeInstanceOf(OpenAI.NotFoundError)
      expect(errors.stranger).toBeInstanceOf(OpenAI.AuthenticationError)
      expect(errors.stranger).toMatchObject({ code: 'invalid_token' })
      expect(errors.poor).toMatchObject({ status: 402, code: 'insufficient_balance' })
      expect(errors.ceiling).toMatchObject({ status: 402, code: 'max_cost_exceeded' })
      shared().upstream.behave(upstreamModel, refuses(429, { 'retry-after': '30' }))
      const busy = await ask(openai)
      expect(busy).toBeInstanceOf(OpenAI.RateLimitError)
      expect(busy?.headers?.get('retry-after')).toBe('30')
      shared().upstream.behave(upstreamModel, refuses(503))
      expect(await ask(openai)).toBeInstanceOf(OpenAI.InternalServerError)
      await expectSettled(shared(), account, 0)
    })

    test('reports a stream that breaks off', async () => {
      const { openai, account } = await connect()
      shared().upstream.behave(upstreamModel, breaksAfter(6, cuts))
      const stream = await openai.chat.completions.create({
        model,
        messages: hello as never,
        stream: true,
      })
      let received = ''
      const error = await (async () => {
        for await (const chunk of stream) received += chunk.choices[0]?.delta.content ?? ''
      })().then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
      expect(error).toBeInstanceOf(OpenAI.APIError)
      expect(error).toMatchObject({ code: 'upstream_error' })
      expect(text.startsWith(received) && received.length > 0).toBe(true)
      await expectSettled(shared(), account, 0)
    })
  })

  describe('ai', () => {
    const provide = async () => {
      const { account, address } = await connect()
      const provider = createOpenAICompatible({ name: 'tollway', ...address, includeUsage: true })
      return { account, languageModel: provider.chatModel(model) }
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
      shared().upstream.behave(upstreamModel, ...(agent as [Behaviour, Behaviour]))
      const asked: string[] = []
      const options = {
        model: languageModel,
        prompt: 'How is it?',
        maxRetries: 0,
        stopWhen: stepCountIs(3),
        tools: {
          weather: tool({
            description: weather.description,
            inputSchema: jsonSchema<{ city: string }>(structuredClone(weather.parameters) as never),
            execute: async ({ city }) => {
              asked.push(city)
              return 'sunny'
            },
          }),
        },
      }
      expect(stream ? await streamText(options).text : (await generateText(options)).text).toBe(
        text,
      )
      expect(asked).toEqual(cities)
      await expectSettled(shared(), account, 600)
    })

    test('reports an error in the middle of a stream', async () => {
      const { account, languageModel } = await provide()
      shared().upstream.behave(upstreamModel, breaksAfter(6, cuts))
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

  describe('langchain', () => {
    const provide = async () => {
      const { account, address } = await connect()
      const chat = new ChatOpenAI({
        model,
        apiKey: address.apiKey,
        configuration: { baseURL: address.baseURL },
        maxRetries: 0,
      })
      return { account, chat }
    }

    test('invokes and streams', async () => {
      const { account, chat } = await provide()
      const answer = await chat.invoke('Hello')
      expect(answer.text).toBe(text)
      expect(answer.usage_metadata).toMatchObject({ total_tokens: 150 })
      let streamed = ''
      for await (const chunk of await chat.stream('Hello')) streamed += chunk.text
      expect(streamed).toBe(text)
      await expectSettled(shared(), account, 600)
    })

    test('calls tools and answers from their results', async () => {
      const { account, chat } = await provide()
      shared().upstream.behave(upstreamModel, ...(agent as [Behaviour, Behaviour]))
      const forecast = langchainTool(async ({ city }) => `sunny in ${city}`, {
        name: 'weather',
        description: weather.description,
        schema: z.object({ city: z.string() }),
      })
      const bound = chat.bindTools([forecast])
      const first = await bound.invoke('How is it?')
      expect(first.tool_calls?.map(({ args }) => args.city)).toEqual(cities)
      const results = (first.tool_calls ?? []).map(
        ({ id = '' }) => new ToolMessage({ tool_call_id: id, content: 'sunny' }),
      )
      const second = await bound.invoke([new HumanMessage('How is it?'), first, ...results])
      expect(second.text).toBe(text)
      await expectSettled(shared(), account, 600)
    })

    test('raises an error in the middle of a stream', async () => {
      const { account, chat } = await provide()
      shared().upstream.behave(upstreamModel, breaksAfter(6, cuts))
      await expect(async () => {
        for await (const _chunk of await chat.stream('Hello'));
      }).rejects.toMatchObject({ code: 'upstream_error' })
      await expectSettled(shared(), account, 0)
    })
  })
})
