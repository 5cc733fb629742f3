// Anthropic's Messages API, translated from and into the common format.
// Source: https://docs.claude.com/en/api/messages and .../build-with-claude/streaming
import { readFailureReply, statusOfError } from '../exchange/failure.ts'
import { type ChatFields, isObject } from '../request/fields.ts'
import { finishReasonOf, readAnthropicUsage, writeUsage } from './anthropic-reply.ts'
import { writeAnthropicRequest } from './anthropic-request.ts'
import { openAnthropicStream } from './anthropic-stream.ts'
import type { Wire } from './wire.ts'

const version = '2023-06-01'

export const anthropicWire: Wire = {
  path: '/v1/messages',
  credentialHeaders: (key) => ({ 'x-api-key': key, 'anthropic-version': version }),
  cannot(chat) {
    if (chat.n > 1) return 'gives only one choice: omit n'
    if (chat.wantsLogprobs) return 'gives no log probabilities: omit logprobs'
    if ([chat.fields.stop ?? []].flat().some((text) => text.trim() === ''))
      return 'does not stop at white space alone: remove it from stop'
    return undefined
  },
  writeRequest: (chat, options) => JSON.stringify(writeAnthropicRequest(chat, options)),
  readAnswer(json) {
    if (!isObject(json)) throw new TypeError('The answer is not an object.')
    if (json.type === 'error') return readFailureReply(statusOfError(json.error), json)
    if (json.type !== 'message' || !Array.isArray(json.content))
      throw new TypeError('The answer is not a message.')
    const { message, deliveredBytes } = readContent(json.content)
    const usage = readAnthropicUsage(json.usage)
    return {
      completion: {
        id: json.id,
        object: 'chat.completion',
        created: Math.floor(Date.now() / 1_000),
        model: json.model,
        choices: [
          { index: 0, message, logprobs: null, finish_reason: finishReasonOf(json.stop_reason) },
        ],
      },
      usage,
      usageFields: usage === undefined ? {} : writeUsage(usage),
      costUsd: undefined,
      deliveredBytes,
    }
  },
  readBill: (json) => ({ usage: readAnthropicUsage(isObject(json) ? json.usage : undefined) }),
  openStream: openAnthropicStream,
}

function readContent(blocks: readonly ChatFields[]) {
  const texts: string[] = []
  const thoughts: string[] = []
  const calls: ChatFields[] = []
  for (const block of blocks) {
    if (block.type === 'text') texts.push(block.text)
    else if (block.type === 'thinking') thoughts.push(block.thinking)
    else if (block.type === 'tool_use') {
      const text = JSON.stringify(block.input ?? {})
      calls.push({
        id: block.id,
        type: 'function',
        function: { name: block.name, arguments: text },
      })
    }
  }
  const message: ChatFields = {
    role: 'assistant',
    content: texts.length === 0 ? null : texts.join(''),
    refusal: null,
  }
  if (thoughts.length > 0) message.reasoning_content = thoughts.join('\n')
  if (calls.length > 0) message.tool_calls = calls
  const written = [...texts, ...thoughts, ...calls.map((call) => call.function.arguments)]
  return { message, deliveredBytes: Buffer.byteLength(written.join('')) }
}
