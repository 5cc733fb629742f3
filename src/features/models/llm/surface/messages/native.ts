// The conversation as the vendor's own upstreams get it: ids have only letters that the vendor takes, and thoughts
// without a signature, which it refuses, are left out. The messages have been checked.
import { type ChatFields, isObject } from '../../conversation/fields.ts'

export function writeNativeMessages(messages: readonly ChatFields[]): ChatFields[] {
  return messages.flatMap((message) => {
    if (!Array.isArray(message.content)) return [message]
    const content = message.content.flatMap(writeBlock)
    return content.length === 0 ? [] : [{ ...message, content }]
  })
}

function writeBlock(block: unknown): unknown[] {
  if (!isObject(block)) return [block]
  switch (block.type) {
    case 'thinking':
      return block.signature ? [block] : []
    case 'tool_use':
      return [{ ...block, id: writeId(block.id) }]
    case 'tool_result':
      return [{ ...block, tool_use_id: writeId(block.tool_use_id) }]
    default:
      return [block]
  }
}

const writeId = (id: string) => id.replace(/[^\w-]/g, '_') || '_'
