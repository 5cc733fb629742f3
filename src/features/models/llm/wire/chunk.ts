import { writeEvent } from '../exchange/sse.ts'
import type { StreamState } from './wire.ts'

/** A chunk of a completion in the common format, as an event (latin1). */
export function writeChunk(
  model: string,
  { id, created }: StreamState,
  choices: readonly object[],
): string {
  return writeEvent({ id, object: 'chat.completion.chunk', created, model, choices })
}

export function choiceOf(index: number, delta: object, finishReason: string | null = null): object {
  return { index, delta, logprobs: null, finish_reason: finishReason }
}
