// A client of the messages surface, for comparing answers across formats.
import type { Conversation, Step } from './conversations.ts'
import type { Json } from './format.ts'
import { readMessageEvents } from './message-events.ts'
import type { SurfaceClient, Understood } from './surface-client.ts'

export const messagesClient: SurfaceClient = {
  write: ({ system, steps, tools }: Conversation, seal) => ({
    max_tokens: 1_000,
    ...(system === undefined ? {} : { system }),
    ...(tools.length === 0
      ? {}
      : { tools: tools.map((name) => ({ name, input_schema: { type: 'object' } })) }),
    messages: joinTurns(steps.flatMap((step) => writeStep(step, seal))),
  }),
  readStream(text) {
    const { message } = readMessageEvents(text)
    if (message === undefined) throw new Error('The message has no end.')
    return understand(message)
  },
  readWhole: understand,
}

const finishes: Readonly<Record<string, string>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  tool_use: 'tool_calls',
  refusal: 'content_filter',
}

function understand({ content, stop_reason: reason }: Json): Understood {
  const ofType = (type: string): Json[] => content.filter((block: Json) => block.type === type)
  const thoughts = ofType('thinking')
  return {
    thought: thoughts.map(({ thinking }) => thinking).join(''),
    text: ofType('text')
      .map(({ text }) => text)
      .join(''),
    // This format has no refusals: they are words.
    refusal: '',
    calls: ofType('tool_use').map(({ name, input }) => ({ name, arguments: input })),
    finish: finishes[reason] ?? reason,
    seal: thoughts.at(-1)?.signature ?? '',
  }
}

function writeStep(step: Step, seal: string): Json[] {
  if (step.role === 'user') {
    const texts = step.texts.map((text) => ({ type: 'text', text }))
    const data = step.picture?.replace(/^data:[^,]*,/, '')
    const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data } }
    return [{ role: 'user', content: data === undefined ? texts : [...texts, picture] }]
  }
  const thinking = { type: 'thinking', thinking: step.thought, signature: seal }
  const results = step.calls.map(({ id, result }) => ({
    type: 'tool_result',
    tool_use_id: id,
    content: result,
  }))
  return [
    {
      role: 'assistant',
      content: [
        ...(step.thought === undefined ? [] : [thinking]),
        { type: 'text', text: step.text },
        ...step.calls.map(({ id, name, arguments: input }) => ({
          type: 'tool_use',
          id,
          name,
          input,
        })),
      ],
    },
    ...(results.length === 0 ? [] : [{ role: 'user', content: results }]),
  ]
}

/** The vendor's clients send one message for each turn. */
function joinTurns(messages: readonly Json[]): Json[] {
  const turns: Json[] = []
  for (const { role, content } of messages) {
    const last = turns.at(-1)
    if (last?.role === role) last.content.push(...content)
    else turns.push({ role, content: [...content] })
  }
  return turns
}
