// Turns the bytes of an answer into the events that the caller is sent.
import type { Route } from '../routing/models.ts'
import type { AnswerStream } from '../surface/surface.ts'
import type { StreamState } from '../wire/wire.ts'
import { answerTooLarge, type CollectedAnswer, collectAnswer } from './complete.ts'
import type { UpstreamFailure } from './failure.ts'
import { createEventSplitter } from './sse.ts'

export interface StreamReader {
  readonly state: StreamState
  /** The answer began with an event that did not fail. */
  hasBegun(): boolean
  add(chunk: Buffer): void
  /** Reads what was added without waiting for the end of this turn of the event loop. */
  flush(): void
  /** No more bytes come. */
  end(): void
  /** The events read since the last call (latin1). */
  take(): string
  /** Bytes of events that were not taken. */
  waitingBytes(): number
  /** Ends the answer as at its token limit. */
  cut(): void
  /** Bytes that were added are no longer read. */
  close(): void
  /** The failure that ended the stream before its first content, with what the upstream bills for it. */
  billed(failure: UpstreamFailure): UpstreamFailure
}

/** Some upstreams send one JSON object although they were asked for a stream. No event begins like one. */
const looksWhole = (chunk: Buffer) => /^\s*\{/.test(chunk.toString('latin1', 0, 64))

/** Calls `onRead` after each piece that was read. */
export function createStreamReader(
  route: Route,
  answer: AnswerStream,
  onRead: () => void,
): StreamReader {
  const { state } = answer
  let whole: CollectedAnswer | undefined
  let heardAnything = false
  let waiting = ''
  let begun = false
  let closed = false
  const splitter = createEventSplitter((data) => {
    if (state.failure !== undefined) return
    waiting += answer.read(data)
    if (state.begun && state.failure === undefined) begun = true
  })

  function split(work: () => void) {
    try {
      work()
    } catch {
      state.failure ??= { kind: 'unreadable', reason: 'an event that is too long' }
    }
  }
  const turn = createTurnBuffer((bytes) => {
    if (closed) return
    split(() => splitter.feed(bytes))
    onRead()
  })
  function addToWhole(collected: CollectedAnswer, chunk: Buffer) {
    if (collected.add(chunk)) return
    state.failure = answerTooLarge
    onRead()
  }

  function readWhole(collected: CollectedAnswer) {
    const read = collected.read()
    if ('kind' in read) state.failure = read
    else waiting = answer.readWhole(read)
    begun = state.failure === undefined
  }

  return {
    state,
    hasBegun: () => begun,
    add(chunk) {
      if (!heardAnything && looksWhole(chunk)) whole = collectAnswer(route)
      heardAnything = true
      if (whole !== undefined) return addToWhole(whole, chunk)
      turn.add(chunk)
    },
    flush: turn.flush,
    end() {
      if (whole !== undefined) {
        readWhole(whole)
      } else {
        turn.flush()
        split(splitter.end)
      }
      onRead()
    },
    take() {
      const events = waiting
      waiting = ''
      return events
    },
    waitingBytes: () => waiting.length,
    cut() {
      waiting += answer.cut()
      state.overran = true
    },
    close() {
      closed = true
    },
    billed: (failure) => withBill(failure, state, heardAnything),
  }
}

/** A failure before the first content, with what the upstream bills for it. */
function withBill(
  failure: UpstreamFailure,
  { usage, costUsd, deliveredBytes }: StreamState,
  heardAnything: boolean,
): UpstreamFailure {
  const isAnswer = heardAnything && ['unreadable', 'broken'].includes(failure.kind)
  // An error in place of an answer is billed only if it says so.
  const isBilled = failure.billed !== undefined || isAnswer || (usage ?? costUsd) !== undefined
  return isBilled
    ? { ...failure, billed: { usage, costUsd, deliveredBytes, ...failure.billed } }
    : failure
}

/** Reads the chunks of one turn of the event loop as one. */
function createTurnBuffer(read: (bytes: Buffer) => void) {
  let chunks: Buffer[] = []
  function flush() {
    const arrived = chunks
    chunks = []
    if (arrived.length > 0) read(Buffer.concat(arrived))
  }
  return {
    add(chunk: Buffer) {
      if (chunks.length === 0) queueMicrotask(flush)
      chunks.push(chunk)
    },
    flush,
  }
}
