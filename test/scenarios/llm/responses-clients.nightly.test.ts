// The openai SDK, unmodified, against the Responses surface with an upstream of either wire.
import { describe, expect, test } from 'vitest'
import { OpenAI } from '#oracles/openai.ts'
import { expectSettled, shareLlmGateway } from '#test/llm-gateway.ts'
import { type Behaviour, breaksAfter, cuts, refuses, sentence } from '#test/model-upstream.ts'

const shared = shareLlmGateway()
const text = sentence.join('')
const calls = [
  { id: 'call_1', name: 'weather', arguments: ['{"city"', ': "Wien"}'] },
  { id: 'call_2', name: 'weather', arguments: ['{"city":', '"Łódź"}'] },
]
const weather = {
  type: 'function',
  name: 'weather',
  description: 'The weather of a city',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  strict: false,
} satisfies OpenAI.Responses.Tool
const agent: [Behaviour, Behaviour] = [(it) => it.answer({ toolCalls: calls }), (it) => it.answer()]

describe.each(['lab/one', 'claude/one', 'answers/one'])('%s', (model) => {
  const connect = async (options: { maxRetries?: number } = {}) => {
    const account = await shared().account(100)
    const address = { baseURL: `${shared().url}/api/llm/v1`, apiKey: account.key }
    return { account, openai: new OpenAI({ ...address, maxRetries: 0, ...options }) }
  }

  test('creates, reads, continues and deletes', async () => {
    const { openai, account } = await connect()
    const first = await openai.responses.create({ model, input: 'Hello', instructions: 'Be kind.' })
    expect(first.output_text).toBe(text)
    expect(first.usage).toMatchObject({ total_tokens: 150 })
    const read = await openai.responses.retrieve(first.id)
    expect(read.output_text).toBe(text)
    const second = await openai.responses.create({
      model,
      input: 'And now?',
      previous_response_id: first.id,
    })
    expect(second.previous_response_id).toBe(first.id)
    const items = []
    for await (const item of openai.responses.inputItems.list(second.id)) items.push(item)
    expect(items).toMatchObject([{ type: 'message', role: 'user' }])
    await openai.responses.delete(first.id)
    await expect(openai.responses.retrieve(first.id)).rejects.toBeInstanceOf(OpenAI.NotFoundError)
    await expectSettled(shared(), account, 600)
  })

  test('streams: the snapshot of the helper equals the response', async () => {
    const { openai, account } = await connect()
    const stream = openai.responses.stream({ model, input: 'Hello' })
    const types: string[] = []
    for await (const event of stream) types.push(event.type)
    const response = await stream.finalResponse()
    expect(response.output_text).toBe(text)
    expect(response.status).toBe('completed')
    expect(types[0]).toBe('response.created')
    expect(types.at(-1)).toBe('response.completed')
    await expectSettled(shared(), account, 300)
  })

  test.each([false, true])('calls tools in parallel and answers (stream: %s)', async (stream) => {
    const { openai, account } = await connect()
    shared().upstream.behave('one', ...agent)
    const request = { model, input: 'How is it?', tools: [weather] }
    const first = stream
      ? await openai.responses.stream(request).finalResponse()
      : await openai.responses.create(request)
    const output: OpenAI.Responses.ResponseOutputItem[] = first.output
    const called = output.filter(
      (item): item is OpenAI.Responses.ResponseFunctionToolCall => item.type === 'function_call',
    )
    expect(called.map((call) => JSON.parse(call.arguments).city)).toEqual(['Wien', 'Łódź'])
    const outputs = called.map(({ call_id }) => ({
      type: 'function_call_output' as const,
      call_id,
      output: 'sunny',
    }))
    const second = await openai.responses.create({
      model,
      previous_response_id: first.id,
      input: outputs,
      tools: [weather],
    })
    expect(second.output_text).toBe(text)
    await expectSettled(shared(), account, 600)
  })

  test('works without any storage: the whole history in each request', async () => {
    const { openai, account } = await connect()
    shared().upstream.behave('one', ...agent)
    const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: 'How is it?' }]
    const base = {
      model,
      tools: [weather],
      store: false,
      include: ['reasoning.encrypted_content' as const],
    }
    const first = await openai.responses.create({ ...base, input })
    for (const item of first.output) {
      input.push(item as OpenAI.Responses.ResponseInputItem)
    }
    for (const { id } of calls)
      input.push({ type: 'function_call_output', call_id: id, output: 'sunny' })
    const second = await openai.responses.create({ ...base, input })
    expect(second.output_text).toBe(text)
    await expectSettled(shared(), account, 600)
  })

  test('parses structured output', async () => {
    const { openai, account } = await connect()
    shared().upstream.behave('one', (it) => it.answer({ tokens: ['{"city":', '"Wien"}'] }))
    const format = {
      type: 'json_schema' as const,
      name: 'place',
      schema: {
        type: 'object',
        properties: { city: { type: 'string' } },
        required: ['city'],
        additionalProperties: false,
      },
      strict: true,
    }
    const parsed = await openai.responses.parse({ model, input: 'Where?', text: { format } })
    expect(parsed.output_parsed).toEqual({ city: 'Wien' })
    await expectSettled(shared(), account, 300)
  })

  test('works in the background, is polled and charged once', async () => {
    const { openai, account } = await connect()
    const queued = await openai.responses.create({ model, input: 'Hello', background: true })
    expect(queued.status).toBe('queued')
    await expect
      .poll(async () => (await openai.responses.retrieve(queued.id)).status)
      .toBe('completed')
    expect((await openai.responses.retrieve(queued.id)).output_text).toBe(text)
    await expectSettled(shared(), account, 300)
  })

  test('raises the right exceptions, with our codes', async () => {
    const { openai, account } = await connect()
    const ask = (more: object) =>
      openai.responses.create({ model, input: 'Hello', ...more }).then(
        () => undefined,
        (error: unknown) => error as InstanceType<typeof OpenAI.APIError>,
      )
    expect(await ask({ seed: 4 })).toMatchObject({
      status: 400,
      code: 'bad_request',
      param: 'seed',
    })
    expect(await ask({ model: 'lab/none' })).toBeInstanceOf(OpenAI.NotFoundError)
    shared().upstream.behave('one', refuses(429, { 'retry-after': '30' }))
    expect(await ask({})).toBeInstanceOf(OpenAI.RateLimitError)
    shared().upstream.behave('one', refuses(503))
    expect(await ask({})).toBeInstanceOf(OpenAI.InternalServerError)
    await expectSettled(shared(), account, 0)
  })

  test('reports a stream that breaks off, and keeps nothing of it', async () => {
    const { openai, account } = await connect()
    shared().upstream.behave('one', breaksAfter(6, cuts))
    const stream = await openai.responses.create({ model, input: 'Hello', stream: true })
    let received = ''
    let id = ''
    const error = await (async () => {
      for await (const event of stream) {
        if (event.type === 'response.created') id = event.response.id
        if (event.type === 'response.output_text.delta') received += event.delta
      }
    })().then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    expect(error).toBeInstanceOf(OpenAI.APIError)
    expect(error).toMatchObject({ code: 'upstream_error' })
    expect(text.startsWith(received) && received.length > 0).toBe(true)
    await expect(openai.responses.retrieve(id)).rejects.toBeInstanceOf(OpenAI.NotFoundError)
    await expectSettled(shared(), account, 0)
  })
})
