// Anthropic's Messages API, translated from and into the common format.
// Source: https://docs.claude.com/en/api/messages and .../build-with-claude/streaming

import { type ChatFields, isObject } from '../conversation/fields.ts'
import { fieldName, holdsParts } from '../conversation/model-request.ts'
import { readFailureReply, statusOfError } from '../exchange/failure.ts'
import { readAnthropicUsage, writeUsage } from './anthropic-reply.ts'
import { anthropicTools, writeAnthropicRequest } from './anthropic-request.ts'
import { eventsOfMessage, openAnthropicStream } from './anthropic-stream.ts'
import { droppedFromMessage } from './anthropic-thinking.ts'
import type { Wire } from './wire.ts'

const version = '2023-06-01'

export const anthropicWire: Wire = {
  name: 'anthropic',
  tools: anthropicTools,
  path: () => '/v1/messages',
  credentialHeaders: (key) => ({ 'x-api-key': key, 'anthropic-version': version }),
  cannot(chat) {
    if (chat.n > 1) return 'gives only one choice: omit n'
    if (chat.wantsLogprobs) return `gives no log probabilities: omit ${fieldName(chat, 'logprobs')}`
    if (holdsParts(chat, ['input_audio'])) return 'takes no audio: send the words as text'
    if ([chat.fields.stop ?? []].flat().some((text) => text.trim() === ''))
      return `does not stop at white space alone: remove it from ${fieldName(chat, 'stop')}`
    return undefined
  },
  drops: droppedFromMessage,
  writeRequest: (chat, options) => JSON.stringify(writeAnthropicRequest(chat, options)),
  readAnswer(json) {
    if (!isObject(json)) throw new TypeError('The answer is not an object.')
    if (json.type === 'error') return readFailureReply(statusOfError(json.error), json)
    if (json.type !== 'message' || !Array.isArray(json.content))
      throw new TypeError('The answer is not a message.')
    const usage = readAnthropicUsage(json.usage)
    return {
      native: json,
      events: () => eventsOfMessage(json),
      usage,
      usageFields: usage === undefined ? {} : writeUsage(usage),
      costUsd: undefined,
      deliveredBytes: bytesOf(json.content),
    }
  },
  readBill: (json) => ({ usage: readAnthropicUsage(isObject(json) ? json.usage : undefined) }),
  openStream: openAnthropicStream,
}

/** Bytes that the model wrote. */
function bytesOf(blocks: readonly ChatFields[]): number {
  const written = blocks
    .filter(isObject)
    .map(({ type, text, thinking, input }) =>
      type === 'tool_use' ? JSON.stringify(input ?? {}) : (text ?? thinking ?? ''),
    )
  return Buffer.byteLength(written.join(''))
}
