// What the events of an answer say about its state: whether it has begun and ended, and the bytes that the model wrote.
import type { AnswerEvent } from './answer-event.ts'

export interface EventCounter {
  count(event: AnswerEvent): void
  /** The events that end all open choices as at the token limit. */
  endOpen(): AnswerEvent[]
}

interface Counted {
  begun: boolean
  finished: boolean
  deliveredBytes: number
}

export function createEventCounter(state: Counted): EventCounter {
  const seen = new Set<number>()
  const ended = new Set<number>()

  function count(event: AnswerEvent) {
    if (event.type === 'start') return
    const written = writtenIn(event)
    if (written !== '' || event.type === 'end') state.begun = true
    state.deliveredBytes += Buffer.byteLength(written)
    seen.add(event.choice)
    if (event.type === 'end') ended.add(event.choice)
    // Some upstreams send one choice even if several were requested, so the received choices count as all.
    state.finished = ended.size === seen.size
  }

  return {
    count,
    endOpen() {
      const open = seen.size === 0 ? [0] : [...seen].filter((choice) => !ended.has(choice))
      const ends = open.map((choice) => ({ type: 'end', choice, reason: 'length' }) as const)
      ends.forEach(count)
      return ends
    },
  }
}

/** What the model wrote. */
function writtenIn(event: AnswerEvent): string {
  if ('text' in event) return event.text
  return event.type === 'call' ? event.name : ''
}

export function bytesOfEvents(events: readonly AnswerEvent[]): number {
  return Buffer.byteLength(events.map(writtenIn).join(''))
}
