// A surface is the format in which callers ask a model: it reads their requests and writes their answers. What a call
// costs, which model answers and what happens when one fails are the same for all surfaces.

import type { CallError } from '#core/errors.ts'
import type { TokenUsage } from '#core/model-price.ts'
import type { Micros } from '#core/money.ts'
import type { AnswerEvent } from '../conversation/answer-event.ts'
import type { ChatFields } from '../conversation/fields.ts'
import type { ModelRequest } from '../conversation/model-request.ts'
import type { StreamState, WholeAnswer, Wire } from '../wire/wire.ts'

export interface Surface {
  /** The name of its calls in transactions and in the limits of keys. */
  readonly action: string
  /** Throws `bad_request` for the first invalid field; `param` names the field. */
  readRequest(body: unknown): ModelRequest
  openWriter(context: AnswerContext): AnswerWriter
  /** Sent while there is nothing else to send (latin1). */
  readonly keepAlive: string
  /** It has no form for arguments of a call that are not a JSON object: they fail the answer. */
  readonly argumentsAreJson?: boolean
  /** For upstreams of the surface's own format: their answers are passed on instead of being translated. */
  readonly passThrough?: PassThrough | undefined
}

/** One answer on its way to the caller. */
export interface AnswerContext {
  readonly request: ModelRequest
  readonly callId: string
  /** The model that answers. */
  readonly slug: string
  /** Unix seconds. */
  readonly createdAt: number
}

/** Writes one answer in the format of the surface, as a stream or as a whole. */
export interface AnswerWriter {
  /** What the caller is sent for an event (latin1), which may be empty. */
  write(event: AnswerEvent): string
  /** The last events of a complete stream (latin1), after each choice has ended. */
  end(told: Told): string
  /** The last events of a stream that failed (latin1). It may have failed before its first event. */
  fail(error: CallError): string
  /** The JSON of a whole answer, after its last event was written. */
  whole(told: Told): string
}

/** What the caller is told about the tokens and the charge of an answer. */
export interface Told {
  readonly usage: TokenUsage
  /** Reasoning tokens, which are part of the completion. */
  readonly thoughtTokens: number
  /** The usage as the upstream reports it, in the common format. */
  readonly usageFields: ChatFields
  readonly micros: Micros
  readonly estimated: boolean
}

/** An answer that is read from an upstream and written for the caller. */
export interface AnswerStream {
  readonly state: StreamState
  /** The id that the upstream gave its answer, once it is known. */
  answerId?(): string | undefined
  /** Reads the data of one event (latin1). Returns the events to send (latin1), which may be empty. */
  read(data: string): string
  /** Reads an answer that came whole although a stream was asked for. */
  readWhole(answer: WholeAnswer): string
  /** Ends all open choices as at the token limit. Returns the events that say so. */
  cut(): string
  end(told: Told): string
  fail(error: CallError): string
}

export interface PassThrough {
  readonly wire: Wire
  /** False: this answer is translated nevertheless. */
  fits(context: AnswerContext): boolean
  openStream(context: AnswerContext): AnswerStream
  /** The JSON of a whole answer that came as `native`. */
  writeWhole(native: ChatFields, context: AnswerContext, told: Told): string
}
