// A wire is the format of an upstream: the common chat-completions format, or a vendor's own that is translated.
import type { TokenUsage } from '#core/model-price.ts'
import type { Billed, UpstreamFailure } from '../exchange/failure.ts'
import type { ChatFields } from '../request/fields.ts'
import type { ChatRequest } from '../request/request.ts'

export interface WireOptions {
  /** The upstream's own model name. */
  readonly upstreamModel: string
  /** The upstream's own name of the token limit. */
  readonly maxTokensField: string
  readonly cacheKey: string | undefined
  /** Fields that the operator adds to each request. */
  readonly extraFields: ChatFields
}

/** A whole answer in the common format, with its usage. */
export interface WholeAnswer {
  readonly completion: ChatFields
  readonly usage: TokenUsage | undefined
  /** The usage as the upstream reports it. */
  readonly usageFields: ChatFields
  /** The operator's cost as the upstream reports it. */
  readonly costUsd: number | undefined
  readonly deliveredBytes: number
}

/** The state of a stream. Its translator writes it; the relay reads it. */
export interface StreamState {
  /** The id in the chunks. */
  id: string
  created: number
  /** Content, a tool call, reasoning or an end has arrived. No other model can be tried now. */
  begun: boolean
  finished: boolean
  /** The stream has ended. */
  done: boolean
  usage: TokenUsage | undefined
  usageFields: ChatFields
  costUsd: number | undefined
  deliveredBytes: number
  /** The stream was cut because it exceeded its limit. */
  overran: boolean
  failure: UpstreamFailure | undefined
}

export interface StreamTranslator {
  readonly state: StreamState
  /** Reads the data of one event (latin1). Returns the events to send (latin1), which may be empty. */
  read(data: string): string
  /** Ends all open choices as at the token limit. Returns the events that say so. */
  cut(): string
}

export interface Wire {
  readonly path: string
  credentialHeaders(key: string): Record<string, string>
  /** Why this wire cannot express the request; undefined if it can. */
  cannot(chat: ChatRequest): string | undefined
  writeRequest(chat: ChatRequest, options: WireOptions): string
  /** Returns an error inside a 200 as an UpstreamFailure. Throws if the JSON is not an answer. */
  readAnswer(json: unknown): WholeAnswer | UpstreamFailure
  /** What JSON that is not an answer tells about its bill. */
  readBill(json: unknown): Billed
  /** `model`: the slug that the caller sees. */
  openStream(model: string): StreamTranslator
}

export function newStreamState(): StreamState {
  return {
    id: 'chatcmpl-gateway',
    created: 0,
    begun: false,
    finished: false,
    done: false,
    usage: undefined,
    usageFields: {},
    costUsd: undefined,
    deliveredBytes: 0,
    overran: false,
    failure: undefined,
  }
}
