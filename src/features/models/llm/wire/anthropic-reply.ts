import type { TokenUsage } from '#core/model-price.ts'
import type { EndReason } from '../conversation/answer-event.ts'
import { type ChatFields, isObject } from '../conversation/fields.ts'
import { isCount } from '../usage.ts'

/** Anthropic counts cached tokens apart from the prompt; the common format includes them. */
export function readAnthropicUsage(usage: unknown): TokenUsage | undefined {
  if (!isObject(usage)) return undefined
  const count = (value: unknown) => (isCount(value) ? value : undefined)
  const fresh = count(usage.input_tokens)
  const completionTokens = count(usage.output_tokens)
  if (fresh === undefined || completionTokens === undefined) return undefined
  const cacheReadTokens = count(usage.cache_read_input_tokens) ?? 0
  const cacheWriteTokens = count(usage.cache_creation_input_tokens) ?? 0
  const hour = count(usage.cache_creation?.ephemeral_1h_input_tokens) ?? 0
  return {
    promptTokens: fresh + cacheReadTokens + cacheWriteTokens,
    completionTokens,
    cacheReadTokens,
    cacheWriteTokens,
    ...(hour === 0 ? {} : { cacheWriteHourTokens: Math.min(hour, cacheWriteTokens) }),
  }
}

const endReasons: Readonly<Record<string, EndReason>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  pause_turn: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
  refusal: 'content_filter',
}

export function endReasonOf(stopReason: unknown): EndReason {
  return endReasons[String(stopReason)] ?? 'stop'
}

export function writeUsage(usage: TokenUsage): ChatFields {
  return {
    prompt_tokens: usage.promptTokens,
    completion_tokens: usage.completionTokens,
    prompt_tokens_details: {
      cached_tokens: usage.cacheReadTokens,
      cache_write_tokens: usage.cacheWriteTokens,
    },
  }
}
