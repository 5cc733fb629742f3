// The events of a message, put together as a client would.
import type { ChatFields } from '../../conversation/fields.ts'
import type { MessageEvent } from './blocks-out.ts'

export function foldMessage(events: readonly MessageEvent[]): ChatFields {
  let message: ChatFields = {}
  const content: ChatFields[] = []
  const inputs = new Map<ChatFields, string>()
  for (const event of events) {
    const block = content[event.index]
    if (event.type === 'message_start') message = { ...event.message }
    else if (event.type === 'content_block_start') content.push({ ...event.content_block })
    else if (event.type === 'content_block_delta' && block !== undefined)
      addDelta(block, event.delta, inputs)
    else if (event.type === 'message_delta')
      Object.assign(message, event.delta, { usage: event.usage })
  }
  return { ...message, content: content.filter((block) => readInput(block, inputs.get(block))) }
}

function addDelta(block: ChatFields, delta: ChatFields, inputs: Map<ChatFields, string>) {
  switch (delta.type) {
    case 'text_delta':
      block.text += delta.text
      return
    case 'thinking_delta':
      block.thinking += delta.thinking
      return
    case 'signature_delta':
      block.signature = delta.signature
      return
    case 'input_json_delta':
      inputs.set(block, (inputs.get(block) ?? '') + delta.partial_json)
  }
}

const callTypes = ['tool_use', 'server_tool_use']

/** False for a call that the limit of tokens has cut: its input cannot be given, and `stop_reason` says so. */
function readInput(block: ChatFields, text: string | undefined): boolean {
  if (!callTypes.includes(block.type) || text === undefined || text.trim() === '') return true
  try {
    block.input = JSON.parse(text)
    return true
  } catch {
    return false
  }
}
