// A wire is the way in which an upstream speaks: the common chat-completions format, or a vendor's own, translated.
import type { TokenUsage } from '#core/model-price.ts'
import type { UpstreamFailure } from '../exchange/failure.ts'
import type { ChatFields } from '../request/fields.ts'
import type { ChatRequest } from '../request/request.ts'

export interface WireOptions {
  /** The model as the upstream calls it. */
  readonly upstreamModel: string
  /** How this upstream calls the token limit. */
  readonly maxTokensField: string
  readonly cacheKey: string | undefined
  /** Fields of the operator's own, added to each request. */
  readonly extraFields: ChatFields
}

/** A whole answer in the common format, and what it was made of. */
export interface WholeAnswer {
  readonly completion: ChatFields
  readonly usage: TokenUsage | undefined
  /** The same as the caller reads it, with whatever else the upstream counts. */
  readonly usageFields: ChatFields
  /** What the upstream says that it charged the operator. */
  readonly costUsd: number | undefined
  readonly deliveredBytes: number
}

/** What a stream has come to so far. Its translator writes it, whoever relays reads it. */
export interface StreamState {
  /** As in the chunks. */
  id: string
  created: number
  /** Content, a tool call, reasoning or an end has come: there is no way back to another model. */
  begun: boolean
  finished: boolean
  /** Nothing more is to come. */
  done: boolean
  usage: TokenUsage | undefined
  usageFields: ChatFields
  costUsd: number | undefined
  deliveredBytes: number
  /** It was cut where it ran past what it may write. */
  overran: boolean
  failure: UpstreamFailure | undefined
}

export interface StreamTranslator {
  readonly state: StreamState
  /** Reads the data of one event (latin1) and returns the events to send (latin1), which may be none. */
  read(data: string): string
  /** Ends what has not ended, as at the token limit: returns the events that say so. */
  cut(): string
}

export interface Wire {
  readonly path: string
  credentialHeaders(key: string): Record<string, string>
  /** Why an upstream of this wire cannot answer this request; undefined when it can. */
  cannot(chat: ChatRequest): string | undefined
  writeRequest(chat: ChatRequest, options: WireOptions): string
  /** Throws on what is no answer; a UpstreamFailure inside a 200 is returned. */
  readAnswer(json: unknown): WholeAnswer | UpstreamFailure
  /** `model` is the slug that the caller reads. */
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
