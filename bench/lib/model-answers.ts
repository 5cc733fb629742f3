// What the model of `npm run bench llm` answers: the same words in the format of each surface, whole and as a stream of
// as many events.

/** By the address that is asked. */
export const surfacePaths = {
  chat: '/v1/chat/completions',
  responses: '/v1/responses',
  messages: '/v1/messages',
} as const
export type BenchSurface = keyof typeof surfacePaths

export interface ModelAnswer {
  readonly whole: string
  /** A stream: its beginning, a word, and its end. */
  readonly first: string
  readonly word: string
  readonly last: string
  /** The words of a stream of 102 events. */
  readonly words: number
}

const eventsPerStream = 102
const content = 'word '.repeat(140)
const createdAt = 1_700_000_000
const [promptTokens, completionTokens] = [200, 100]
const countEvents = (events: string) => events.split('\n\n').length - 1

/** Of the surfaces whose events have names. */
type NamedEvent = { readonly type: string } & Readonly<Record<string, unknown>>

const withWords = (answer: Omit<ModelAnswer, 'words'>): ModelAnswer => ({
  ...answer,
  words: eventsPerStream - countEvents(answer.first) - countEvents(answer.last),
})
const named = (event: NamedEvent) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`

export const modelAnswers: Readonly<Record<BenchSurface, ModelAnswer>> = {
  chat: withWords(chatAnswer()),
  responses: withWords(responsesAnswer()),
  messages: withWords(messagesAnswer()),
}

function chatAnswer() {
  const usage = {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  }
  const facts = {
    id: 'chatcmpl-bench',
    created: createdAt,
    model: 'one',
    system_fingerprint: 'fp_1',
  }
  const chunk = (choices: readonly object[], counted: object | null = null) =>
    `data: ${JSON.stringify({ ...facts, object: 'chat.completion.chunk', choices, usage: counted })}\n\n`
  const choice = (delta: object, finish_reason: string | null = null) => [
    { index: 0, delta, logprobs: null, finish_reason },
  ]
  const message = { role: 'assistant', content, refusal: null }
  return {
    whole: JSON.stringify({
      ...facts,
      object: 'chat.completion',
      choices: [{ index: 0, message, logprobs: null, finish_reason: 'stop' }],
      usage,
    }),
    first: chunk(choice({ role: 'assistant', content: '' })),
    word: chunk(choice({ content: ' word' })),
    last: `${chunk(choice({}, 'stop'))}${chunk([], usage)}data: [DONE]\n\n`,
  }
}

function responsesAnswer() {
  const place = { item_id: 'msg_1', output_index: 0, content_index: 0 }
  const part = (text: string) => ({ type: 'output_text', text, annotations: [], logprobs: [] })
  const item = (status: string, parts: readonly object[]) => ({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    status,
    content: parts,
  })
  const response = (status: string, output: readonly object[], usage: object | null) => ({
    id: 'resp_1',
    object: 'response',
    created_at: createdAt,
    status,
    model: 'one',
    error: null,
    incomplete_details: null,
    output,
    store: false,
    usage,
  })
  const usage = {
    input_tokens: promptTokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: completionTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: promptTokens + completionTokens,
  }
  const event = (type: string, fields: object) => named({ type, sequence_number: 1, ...fields })
  const begun = { response: response('in_progress', [], null) }
  /** An item's text must be that of its pieces. */
  const ended = (text: string) => {
    const done = item('completed', [part(text)])
    return [
      event('response.output_text.done', { ...place, text, logprobs: [] }),
      event('response.content_part.done', { ...place, part: part(text) }),
      event('response.output_item.done', { output_index: 0, item: done }),
      event('response.completed', { response: response('completed', [done], usage) }),
    ].join('')
  }
  const first = [
    event('response.created', begun),
    event('response.in_progress', begun),
    event('response.output_item.added', { output_index: 0, item: item('in_progress', []) }),
    event('response.content_part.added', { ...place, part: part('') }),
  ].join('')
  const words = eventsPerStream - countEvents(first) - countEvents(ended(''))
  return {
    whole: JSON.stringify(response('completed', [item('completed', [part(content)])], usage)),
    first,
    word: event('response.output_text.delta', { ...place, delta: ' word', logprobs: [] }),
    last: ended(' word'.repeat(words)),
  }
}

function messagesAnswer() {
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'one',
    content: [] as object[],
    stop_reason: null as string | null,
    stop_sequence: null,
    usage: { input_tokens: promptTokens, output_tokens: 1 },
  }
  const usage = { input_tokens: promptTokens, output_tokens: completionTokens }
  const text = { type: 'text', text: '' }
  const end = { stop_reason: 'end_turn', stop_sequence: null }
  return {
    whole: JSON.stringify({ ...message, ...end, content: [{ ...text, text: content }], usage }),
    first: [
      { type: 'message_start', message },
      { type: 'content_block_start', index: 0, content_block: text },
    ]
      .map(named)
      .join(''),
    word: named({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'text_delta', text: ' word' },
    }),
    last: [
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: end, usage },
      { type: 'message_stop' },
    ]
      .map(named)
      .join(''),
  }
}
