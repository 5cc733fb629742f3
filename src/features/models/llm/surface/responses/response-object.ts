// The response as an object: what a caller reads at the end of a stream, as a whole answer, and later by its id.
import type { ChatFields } from '../../conversation/fields.ts'
import type { Told } from '../surface.ts'

export type ResponseStatus =
  | 'queued'
  | 'in_progress'
  | 'completed'
  | 'incomplete'
  | 'failed'
  | 'cancelled'

export interface ResponseFacts {
  readonly id: string
  readonly createdAt: number
  readonly model: string
  readonly store: boolean
  /** Fields of the request that the response repeats. */
  readonly echo: ChatFields
}

export interface ResponseState {
  readonly status: ResponseStatus
  readonly output: readonly ChatFields[]
  readonly usage?: ChatFields | undefined
  readonly error?: { readonly code: string; readonly message: string } | undefined
  readonly incompleteReason?: string | undefined
  readonly completedAt?: number | undefined
}

/** Ids of one response begin with its call's id, so that an item tells which response it belongs to. */
export const responseIdOf = (callId: string): string => `resp_${callId.replaceAll('-', '')}`

const idPattern =
  /^[a-z]+_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})(?:_|$)/

/** The id of the call that made a response or an item. Undefined for an id that no gateway made. */
export function callIdOf(id: string): string | undefined {
  const parts = idPattern.exec(id)
  return parts === null ? undefined : parts.slice(1).join('-')
}

export function describeResponse(facts: ResponseFacts, state: ResponseState): ChatFields {
  const { status, output, error, incompleteReason } = state
  return {
    id: facts.id,
    object: 'response',
    created_at: facts.createdAt,
    status,
    completed_at: state.completedAt ?? null,
    error: error ?? null,
    incomplete_details: incompleteReason === undefined ? null : { reason: incompleteReason },
    model: facts.model,
    output,
    usage: state.usage ?? null,
    store: facts.store,
    ...facts.echo,
  }
}

/** The tokens in the form of this surface, with the charge in dollars. */
export function describeUsage({ usage, thoughtTokens, micros, estimated }: Told): ChatFields {
  return {
    input_tokens: usage.promptTokens,
    input_tokens_details: {
      cached_tokens: usage.cacheReadTokens,
      cache_write_tokens: usage.cacheWriteTokens,
    },
    output_tokens: usage.completionTokens,
    output_tokens_details: { reasoning_tokens: thoughtTokens },
    total_tokens: usage.promptTokens + usage.completionTokens,
    cost: micros / 1_000_000,
    ...(estimated ? { estimated: true } : {}),
  }
}
