// Converts an answer of the router to the formats of the vendors that it stands in for.
import type { TokenUsage } from '#core/model-price.ts'
import type { RoutedAnswer } from '#core/model-router.ts'

export function describeUsage({ usage, costUsd }: RoutedAnswer) {
  return {
    prompt_tokens: usage.promptTokens,
    completion_tokens: usage.completionTokens,
    total_tokens: usage.promptTokens + usage.completionTokens,
    prompt_tokens_details: {
      cached_tokens: usage.cacheReadTokens,
      cache_write_tokens: usage.cacheWriteTokens,
    },
    ...(costUsd !== undefined && { cost: costUsd }),
  }
}

const stopReasons: Readonly<Record<string, string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  content_filter: 'refusal',
}

interface Completion {
  readonly id?: string
  readonly choices?: readonly {
    readonly message?: { readonly content?: string | null }
    readonly finish_reason?: string | null
  }[]
}

/** The completion in the vendor's own format of messages. */
export function asMessage({ completion, upstream, usage }: RoutedAnswer, model: string) {
  const { id, choices: [choice] = [] } = completion as Completion
  return {
    provider: upstream,
    id: id ?? '',
    type: 'message',
    role: 'assistant',
    model,
    content: [{ type: 'text', text: choice?.message?.content ?? '' }],
    stop_reason: stopReasons[choice?.finish_reason ?? ''] ?? null,
    stop_sequence: null,
    usage: readInputTokens(usage),
  }
}

const readInputTokens = (usage: TokenUsage) => ({
  input_tokens: usage.promptTokens - usage.cacheReadTokens,
  output_tokens: usage.completionTokens,
  cache_read_input_tokens: usage.cacheReadTokens,
})
