import { expect, test } from 'vitest'
import { toLatin1 } from '../../exchange/sse.ts'
import { readChatRequest } from '../../surface/chat/request.ts'
import { geminiWire } from './gemini.ts'

const slug = 'google/gemini-3-pro'
const options = {
  slug,
  upstreamModel: 'gemini-3-pro',
  mayThink: true,
  maxTokensField: 'max_tokens',
  cacheKey: undefined,
  extraFields: {},
}
const hello = [{ role: 'user', content: 'Hello' }]
const requestOf = (body: object) => readChatRequest({ model: slug, messages: hello, ...body })
const write = (body: object, more: object = {}) =>
  JSON.parse(geminiWire.writeRequest(requestOf(body), { ...options, ...more }))
const read = (replies: readonly object[]) => {
  const stream = geminiWire.openStream()
  const said = replies.flatMap((reply) => stream.read(toLatin1(JSON.stringify(reply))))
  return { said, state: stream.state }
}
const reply = (parts: object[], more: object = {}) => ({
  responseId: 'r',
  candidates: [{ content: { role: 'model', parts }, ...more }],
})
const call = (id: string, name: string, args: string) => ({
  id,
  type: 'function',
  function: { name, arguments: args },
})

test('the address names the model and whether it streams', () => {
  expect(geminiWire.path(requestOf({}), 'gemini-3-pro')).toBe(
    '/models/gemini-3-pro:generateContent',
  )
  expect(geminiWire.path(requestOf({ stream: true }), 'gemini-3-pro')).toBe(
    '/models/gemini-3-pro:streamGenerateContent?alt=sse',
  )
})

test('a conversation with tools, pictures and limits is translated', () => {
  expect(
    write({
      max_tokens: 9,
      temperature: 1.5,
      stop: 'END',
      seed: 4,
      n: 2,
      tools: [
        {
          type: 'function',
          function: { name: '1st', description: 'd', parameters: { type: 'object' } },
        },
      ],
      tool_choice: { type: 'function', function: { name: '1st' } },
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'n', schema: { type: 'object' } },
      },
      messages: [
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is it?' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBO' } },
          ],
        },
        {
          role: 'assistant',
          content: null,
          tool_calls: [call('a', '1st', '{"city":"Wien"}'), call('b', '1st', '')],
        },
        { role: 'tool', tool_call_id: 'a', content: 'sunny' },
        { role: 'tool', tool_call_id: 'b', content: 'rain' },
      ],
    }),
  ).toEqual({
    systemInstruction: { parts: [{ text: 'Be brief.' }] },
    contents: [
      {
        role: 'user',
        parts: [{ text: 'What is it?' }, { inlineData: { mimeType: 'image/png', data: 'iVBO' } }],
      },
      {
        role: 'model',
        parts: [
          // A call that another model made needs the vendor's own word for that.
          {
            functionCall: { id: 'a', name: '_1st', args: { city: 'Wien' } },
            thoughtSignature: 'skip_thought_signature_validator',
          },
          { functionCall: { id: 'b', name: '_1st', args: {} } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'a', name: '_1st', response: { output: 'sunny' } } },
          { functionResponse: { id: 'b', name: '_1st', response: { output: 'rain' } } },
        ],
      },
    ],
    tools: [
      {
        functionDeclarations: [
          { name: '_1st', description: 'd', parametersJsonSchema: { type: 'object' } },
        ],
      },
    ],
    toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['_1st'] } },
    generationConfig: {
      maxOutputTokens: 9,
      candidateCount: 2,
      temperature: 1.5,
      stopSequences: ['END'],
      seed: 4,
      responseMimeType: 'application/json',
      responseJsonSchema: { type: 'object' },
    },
  })
})

test.each([
  ['gemini-3-pro', { reasoning_effort: 'low' }, { includeThoughts: true, thinkingLevel: 'LOW' }],
  [
    'gemini-2.5-pro',
    { reasoning: { max_tokens: 900 } },
    { includeThoughts: true, thinkingBudget: 900 },
  ],
  ['gemini-2.5-pro', { reasoning_effort: 'none' }, { includeThoughts: false, thinkingBudget: 0 }],
  ['gemini-2.5-pro', {}, undefined],
])('%s thinks as %o asks', (upstreamModel, more, expected) => {
  expect(write(more, { upstreamModel }).generationConfig.thinkingConfig).toEqual(expected)
})

test.each([
  [{ logprobs: true }, 'gives no log probabilities: omit logprobs'],
  [{ min_p: 0.1 }, 'does not take min_p: omit min_p'],
  [
    {
      messages: [
        {
          role: 'user',
          content: [{ type: 'image_url', image_url: { url: 'https://example.org/a.png' } }],
        },
      ],
    },
    'takes pictures and files only as base64: send them as data URLs',
  ],
])('%o is refused before it is sent', (more, why) => {
  expect(geminiWire.cannot(requestOf(more))).toBe(why)
})

test('what has no counterpart and does not change what is asked is named as dropped', () => {
  const request = requestOf({ parallel_tool_calls: false, verbosity: 'low' })
  expect(geminiWire.drops(request, options)).toEqual(['parallel_tool_calls', 'verbosity'])
})

test('signatures of parts are kept with the place that they belong to', () => {
  const { said, state } = read([
    reply([{ text: 'hm', thought: true }]),
    reply([{ functionCall: { name: 'f', args: { a: 1 } }, thoughtSignature: 's1' }]),
    reply([{ functionCall: { id: 'g1', name: 'g' } }]),
    {
      ...reply([{ text: '', thoughtSignature: 's2' }], { finishReason: 'STOP' }),
      usageMetadata: {
        promptTokenCount: 10,
        candidatesTokenCount: 4,
        thoughtsTokenCount: 3,
        cachedContentTokenCount: 6,
        toolUsePromptTokenCount: 2,
        totalTokenCount: 19,
      },
    },
  ])
  const seal = (index: number, id: string, data: string) => ({
    type: 'thought_end',
    choice: 0,
    index,
    seal: { maker: 'gemini', id, data, hidden: true },
  })
  expect(said.slice(1)).toEqual([
    { type: 'thought', choice: 0, index: 0, text: 'hm' },
    { type: 'thought_end', choice: 0, index: 0, seal: undefined },
    seal(1, 'call:0', 's1'),
    expect.objectContaining({ type: 'call', index: 0, name: 'f' }),
    { type: 'arguments', choice: 0, index: 0, text: '{"a":1}' },
    { type: 'call', choice: 0, index: 1, id: 'g1', name: 'g', kind: 'function' },
    { type: 'arguments', choice: 0, index: 1, text: '{}' },
    seal(2, 'text', 's2'),
    { type: 'end', choice: 0, reason: 'tool_calls' },
  ])
  expect(state).toMatchObject({
    usage: { promptTokens: 12, completionTokens: 7, cacheReadTokens: 6 },
    usageFields: { completion_tokens_details: { reasoning_tokens: 3 } },
  })
})

test.each([
  [{ promptFeedback: { blockReason: 'SAFETY' } }, 'policy'],
  [{ error: { code: 503, status: 'UNAVAILABLE', message: 'x' } }, 'server'],
  [{ error: { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'x' } }, 'busy'],
  [{ error: { code: 400, message: 'API key not valid. Please pass a valid API key.' } }, 'refused'],
  [
    { error: { code: 400, message: 'The input token count exceeds the maximum number of tokens' } },
    'context',
  ],
  [reply([], { finishReason: 'MALFORMED_FUNCTION_CALL' }), 'server'],
])('%o is the failure %s, in a stream and in a 200', (json, kind) => {
  expect(read([json])).toMatchObject({ said: [], state: { failure: { kind } } })
  expect(geminiWire.readAnswer(json)).toMatchObject({ kind })
})

test.each([
  ['MAX_TOKENS', 'length'],
  ['SAFETY', 'content_filter'],
  ['PROHIBITED_CONTENT', 'content_filter'],
])('%s ends the answer by %s', (finishReason, reason) => {
  const { said } = read([reply([{ text: 'Hi' }]), reply([], { finishReason })])
  expect(said.at(-1)).toEqual({ type: 'end', choice: 0, reason })
})

test('a damaged event fails the stream', () => {
  const stream = geminiWire.openStream()
  stream.read('{"candidates":[{"cont')
  expect(stream.state.failure?.kind).toBe('unreadable')
})

test.each([{}, { candidates: [] }, reply([{ text: 'Hi' }]), 'x'])('%o is not an answer', (json) => {
  expect(() => geminiWire.readAnswer(json)).toThrow(TypeError)
})
