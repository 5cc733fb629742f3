// Frameworks for agents, unmodified, with the gateway as their address: every wire, and every surface that they speak.
import { describe, expect, test } from 'vitest'
import { z } from '#core/action.ts'
import { Agent, tool as agentsTool, OpenAIProvider, Runner } from '#oracles/agents.ts'
import {
  ChatAnthropic,
  ChatOpenAI,
  HumanMessage,
  tool as langchainTool,
  ToolMessage,
} from '#oracles/langchain.ts'
import {
  type LLM,
  OpenAI as LlamaChat,
  OpenAIResponses as LlamaResponses,
  tool as llamaTool,
} from '#oracles/llamaindex.ts'
import { OpenAI } from '#oracles/openai.ts'
import { expectSettled, shareLlmGateway } from '#test/llm-gateway.ts'
import { type Behaviour, breaksAfter, cuts, sentence } from '#test/model-upstream.ts'

const shared = shareLlmGateway()
const text = sentence.join('')
const calls = [
  { id: 'call_1', name: 'weather', arguments: ['{"city"', ': "Wien"}'] },
  { id: 'call_2', name: 'weather', arguments: ['{"city":', '"Łódź"}'] },
]
const cities = ['Wien', 'Łódź']
const description = 'The weather of a city'
const parameters = z.object({ city: z.string() })
/** Calls both tools first, then answers from their results. */
const callsTools: [Behaviour, Behaviour] = [
  (it) => it.answer({ toolCalls: calls }),
  (it) => it.answer(),
]

interface Address {
  readonly model: string
  /** With `/v1` at its end. */
  readonly baseURL: string
  readonly apiKey: string
}

interface Framework {
  /** Asks, and returns the text of the answer. */
  ask(address: Address): Promise<string>
  /** The same as a stream. */
  stream(address: Address): Promise<string>
  /** Lets the model call a tool until it answers. */
  act(address: Address, weather: (city: string) => void): Promise<string>
}

const agents = (useResponses: boolean): Framework => {
  const runner = ({ baseURL, apiKey }: Address) =>
    new Runner({
      modelProvider: new OpenAIProvider({
        openAIClient: new OpenAI({ baseURL, apiKey, maxRetries: 0 }) as never,
        useResponses,
      }),
      tracingDisabled: true,
    })
  const agent = (model: string) => new Agent({ name: 'Asker', instructions: 'Be kind.', model })
  return {
    async ask(address) {
      const { finalOutput } = await runner(address).run(agent(address.model), 'Hello')
      return String(finalOutput)
    },
    async stream(address) {
      const run = await runner(address).run(agent(address.model), 'Hello', { stream: true })
      let streamed = ''
      for await (const piece of run.toTextStream()) streamed += piece
      await run.completed
      expect(run.finalOutput).toBe(streamed)
      return streamed
    },
    async act(address, weather) {
      const forecast = agentsTool({
        name: 'weather',
        description,
        parameters,
        execute({ city }) {
          weather(city)
          return 'sunny'
        },
      })
      const withTools = agent(address.model).clone({ tools: [forecast] })
      const { finalOutput } = await runner(address).run(withTools, 'How is it?')
      return String(finalOutput)
    },
  }
}

type LangchainModel = ChatOpenAI | ChatAnthropic

const langchain = (open: (address: Address) => LangchainModel): Framework => ({
  ask: async (address) => (await open(address).invoke('Hello')).text,
  async stream(address) {
    let streamed = ''
    for await (const chunk of await open(address).stream('Hello')) streamed += chunk.text
    return streamed
  },
  async act(address, weather) {
    const forecast = langchainTool(async () => 'sunny', {
      name: 'weather',
      description,
      schema: parameters,
    })
    const bound = open(address).bindTools([forecast])
    const question = new HumanMessage('How is it?')
    const first = await bound.invoke([question])
    const results = (first.tool_calls ?? []).map(({ id = '', args }) => {
      weather(args.city)
      return new ToolMessage({ tool_call_id: id, content: 'sunny' })
    })
    return (await bound.invoke([question, first, ...results])).text
  },
})

type LlamaMessage = Parameters<LLM<object, object>['chat']>[0]['messages'][number]

const llama = (open: (address: Address) => LLM<object, object>): Framework => ({
  async ask(address) {
    const { message } = await open(address).chat({ messages: [{ role: 'user', content: 'Hello' }] })
    return textOf(message)
  },
  async stream(address) {
    const messages: LlamaMessage[] = [{ role: 'user', content: 'Hello' }]
    let streamed = ''
    for await (const { delta, raw } of await open(address).chat({ messages, stream: true })) {
      // On responses it repeats the last piece with every event that follows.
      const { type } = raw as { type?: string }
      if (type === undefined || type === 'response.output_text.delta') streamed += delta
    }
    return streamed
  },
  async act(address, weather) {
    const forecast = llamaTool({
      name: 'weather',
      description,
      parameters,
      execute({ city }) {
        weather(city)
        return 'sunny'
      },
    })
    const model = open(address)
    const question: LlamaMessage = { role: 'user', content: 'How is it?' }
    const first = await model.chat({ messages: [question], tools: [forecast] })
    const { toolCall } = first.message.options as { toolCall: { id: string; input: string }[] }
    const results = toolCall.map(({ id, input }): LlamaMessage => {
      const result = String(forecast.call(JSON.parse(input)))
      const options = { toolResult: { id, result, isError: false } }
      return { role: 'user', content: result, options }
    })
    const messages = [question, first.message, ...results]
    return textOf((await model.chat({ messages, tools: [forecast] })).message)
  },
})

const textOf = ({ content }: LlamaMessage): string =>
  typeof content === 'string'
    ? content
    : content.map((part) => (part.type === 'text' ? part.text : '')).join('')

const frameworks: Readonly<Record<string, Framework>> = {
  '@openai/agents on responses': agents(true),
  '@openai/agents on chat completions': agents(false),
  '@langchain/openai on responses': langchain(
    ({ model, baseURL, apiKey }) =>
      new ChatOpenAI({
        model,
        apiKey,
        configuration: { baseURL },
        maxRetries: 0,
        useResponsesApi: true,
      }),
  ),
  '@langchain/openai on chat completions': langchain(
    ({ model, baseURL, apiKey }) =>
      new ChatOpenAI({ model, apiKey, configuration: { baseURL }, maxRetries: 0 }),
  ),
  '@langchain/anthropic on messages': langchain(
    ({ model, baseURL, apiKey }) =>
      new ChatAnthropic({
        model,
        apiKey,
        anthropicApiUrl: baseURL.replace(/\/v1$/, ''),
        maxTokens: 1_000,
        maxRetries: 0,
      }),
  ),
  '@llamaindex/openai on responses': llama(
    (address) => new LlamaResponses({ ...address, maxRetries: 0 }),
  ),
  '@llamaindex/openai on chat completions': llama(
    (address) => new LlamaChat({ ...address, maxRetries: 0 }),
  ),
}

describe.each(Object.entries(frameworks))('%s', (_name, framework) => {
  describe.each(['lab/one', 'claude/one', 'answers/one', 'gemini/one'])('%s', (model) => {
    const connect = async () => {
      const account = await shared().account(100)
      const address = { model, baseURL: `${shared().url}/api/llm/v1`, apiKey: account.key }
      return { account, address }
    }

    test('asks', async () => {
      const { account, address } = await connect()
      expect(await framework.ask(address)).toBe(text)
      await expectSettled(shared(), account, 300)
    })

    test('streams', async () => {
      const { account, address } = await connect()
      expect(await framework.stream(address)).toBe(text)
      await expectSettled(shared(), account, 300)
    })

    test('calls tools and answers from what they said', async () => {
      const { account, address } = await connect()
      shared().upstream.behave('one', ...callsTools)
      const asked: string[] = []
      expect(await framework.act(address, (city) => asked.push(city))).toBe(text)
      expect(asked).toEqual(cities)
      await expectSettled(shared(), account, 600)
    })

    test('throws at a stream that breaks off, which is free', async () => {
      const { account, address } = await connect()
      shared().upstream.behave('one', breaksAfter(6, cuts))
      await expect(framework.stream(address)).rejects.toThrow()
      await expectSettled(shared(), account, 0)
    })
  })
})
