// What a client of a surface sends and understands, for comparing answers across formats.

import type { Conversation, Step } from './conversations.ts'
import type { Json } from './format.ts'

/** An answer as its client understands it. */
export interface Understood {
  readonly thought: string
  readonly text: string
  readonly refusal: string
  readonly calls: readonly { readonly name: string; readonly arguments: Json }[]
  readonly finish: string
  /** What the client gives back with the thought. */
  readonly seal: string
}

export interface SurfaceClient {
  /** `seal`: what the surface gave with each thought. */
  write(conversation: Conversation, seal: string): Json
  readStream(text: string): Understood
  readWhole(body: Json): Understood
}

const dataOf = (text: string): Json[] =>
  text
    .split('\n\n')
    .flatMap((event) => event.split('\n').filter((line) => line.startsWith('data: ')))
    .map((line) => line.slice(6))
    .filter((data) => data !== '[DONE]')
    .map((data) => JSON.parse(data))

export const chatClient: SurfaceClient = {
  write: ({ system, steps, tools }, seal) => ({
    ...(tools.length === 0
      ? {}
      : { tools: tools.map((name) => ({ type: 'function', function: { name } })) }),
    messages: [
      ...(system === undefined ? [] : [{ role: 'system', content: system }]),
      ...steps.flatMap((step) => writeChatStep(step, seal)),
    ],
  }),
  readStream(text) {
    const message = { content: '', refusal: '', reasoning_content: '', tool_calls: [] as Json[] }
    let finish = ''
    let seal = ''
    for (const { choices } of dataOf(text))
      for (const { delta, finish_reason } of choices) {
        finish = finish_reason ?? finish
        for (const field of ['content', 'refusal', 'reasoning_content'] as const)
          message[field] += delta[field] ?? ''
        for (const detail of delta.reasoning_details ?? []) seal = detail.signature ?? detail.data
        for (const { index, function: called } of delta.tool_calls ?? []) {
          const call = message.tool_calls[index] ?? { function: { name: '', arguments: '' } }
          message.tool_calls[index] = call
          call.function.name += called.name ?? ''
          call.function.arguments += called.arguments
        }
      }
    return understandMessage(message, finish, seal)
  },
  readWhole({ choices: [{ message, finish_reason }] }) {
    const [detail] = message.reasoning_details ?? []
    return understandMessage(message, finish_reason, detail?.signature ?? detail?.data ?? '')
  },
}

function understandMessage(message: Json, finish: string, seal: string): Understood {
  return {
    thought: message.reasoning_content ?? '',
    text: message.content ?? '',
    refusal: message.refusal ?? '',
    calls: (message.tool_calls ?? []).map(({ function: called }: Json) => ({
      name: called.name,
      arguments: JSON.parse(called.arguments),
    })),
    finish,
    seal,
  }
}

function writeChatStep(step: Step, seal: string): Json[] {
  if (step.role === 'user') {
    const texts = step.texts.map((text) => ({ type: 'text', text }))
    const picture =
      step.picture === undefined ? [] : [{ type: 'image_url', image_url: { url: step.picture } }]
    return [{ role: 'user', content: [...texts, ...picture] }]
  }
  const calls = step.calls.map(({ id, name, arguments: args }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }))
  const detail = { type: 'reasoning.text', text: step.thought, signature: seal, index: 0 }
  return [
    {
      role: 'assistant',
      content: step.text,
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
      ...(step.thought === undefined ? {} : { reasoning_details: [detail] }),
    },
    ...step.calls.map(({ id, result }) => ({ role: 'tool', tool_call_id: id, content: result })),
  ]
}
