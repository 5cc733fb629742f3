import type { ChatFields } from '../../conversation/fields.ts'
import { writeEvent } from '../../exchange/sse.ts'

/** What all chunks of an answer have in common. */
export interface ChunkHead {
  readonly id: string
  readonly created: number
  readonly model: string
}

/** A chunk of a completion in the common format, as an event (latin1). */
export function writeChunk(
  { id, created, model }: ChunkHead,
  choices: readonly object[],
  more: object = {},
): string {
  return writeEvent({ id, object: 'chat.completion.chunk', created, model, choices, ...more })
}

export function choiceOf(
  index: number,
  delta: ChatFields,
  finishReason: string | null = null,
): object {
  return { index, delta, logprobs: null, finish_reason: finishReason }
}
