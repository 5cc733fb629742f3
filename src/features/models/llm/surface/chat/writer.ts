// Writes answers of other formats in the common one.
import type { AnswerContext, AnswerWriter } from '../surface.ts'
import { choiceOf, writeChunk } from './chunk.ts'
import { createMessage, type EventOfChoice, type MessageOfChoice } from './message.ts'
import { usageOf, writeFailure, writeTail } from './tail.ts'

export function openChatWriter(context: AnswerContext): AnswerWriter {
  const head = {
    id: `chatcmpl-${context.callId}`,
    created: context.createdAt,
    model: context.slug,
  }
  const messages = new Map<number, MessageOfChoice>()

  function writeOfChoice(event: EventOfChoice): string {
    const message = messages.get(event.choice) ?? createMessage(event.choice)
    messages.set(event.choice, message)
    const delta = message.add(event)
    const finish = event.type === 'end' ? event.reason : null
    return delta === undefined ? '' : writeChunk(head, [choiceOf(event.choice, delta, finish)])
  }

  return {
    write(event) {
      if (event.type !== 'start') return writeOfChoice(event)
      if (event.id !== '') head.id = event.id
      head.created = event.createdAt
      return writeChunk(head, [choiceOf(0, { role: 'assistant', content: '' })])
    },
    end: (told) => writeTail(context, head, told),
    fail: writeFailure,
    whole: (told) =>
      JSON.stringify({
        id: head.id,
        object: 'chat.completion',
        created: head.created,
        model: head.model,
        choices: [...messages.values()].map((message) => message.whole()),
        usage: usageOf(told),
      }),
  }
}
