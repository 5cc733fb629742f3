import type { ChatFields } from '../../conversation/fields.ts'
import { openAiWire } from '../../wire/openai.ts'
import type { WholeAnswer, Wire } from '../../wire/wire.ts'
import { createMessage, type MessageOfChoice } from './message.ts'

/** A whole answer of any wire in the common format, without the usage. */
export function completionOf({ native, events }: WholeAnswer, wire: Wire): ChatFields {
  if (wire === openAiWire) return native
  const messages = new Map<number, MessageOfChoice>()
  let head: ChatFields = {}
  for (const event of events()) {
    if (event.type === 'start') {
      head = { id: event.id, created: event.createdAt }
      continue
    }
    const message = messages.get(event.choice) ?? createMessage(event.choice)
    messages.set(event.choice, message)
    message.add(event)
  }
  return {
    ...head,
    object: 'chat.completion',
    choices: [...messages.values()].map((message) => message.whole()),
  }
}
