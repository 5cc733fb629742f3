// A wire is the format of an upstream. It writes requests in that format and reads answers as AnswerEvents.
import type { TokenUsage } from '#core/model-price.ts'
import type { AnswerEvent, WireName } from '../conversation/answer-event.ts'
import type { ChatFields } from '../conversation/fields.ts'
import type { ModelRequest } from '../conversation/model-request.ts'
import type { ToolRule } from '../conversation/tool-forms.ts'
import type { Billed, UpstreamFailure } from '../exchange/failure.ts'

export interface WireOptions {
  /** The model's name here, and the upstream's own. */
  readonly slug: string
  readonly upstreamModel: string
  /** Whether the model may be asked to think. */
  readonly mayThink: boolean
  /** The upstream's own name of the token limit. */
  readonly maxTokensField: string
  readonly cacheKey: string | undefined
  /** It takes marks of what its cache should keep, as Anthropic's models do. */
  readonly takesCacheMarks?: boolean
  /** Fields that the operator adds to each request. */
  readonly extraFields: ChatFields
}

/** A whole answer with its usage. */
export interface WholeAnswer {
  /** As it came; what clients of that format cannot read is corrected. */
  readonly native: ChatFields
  /** All events of the answer. */
  events(): AnswerEvent[]
  readonly usage: TokenUsage | undefined
  /** The usage as the upstream reports it, in the common format. */
  readonly usageFields: ChatFields
  /** The operator's cost as the upstream reports it. */
  readonly costUsd: number | undefined
  readonly deliveredBytes: number
}

/** The state of a stream. Its reader writes it; the relay reads it. */
export interface StreamState {
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

/** Reads one stream. What an answer has delivered and whether it has ended is counted from its events, not here. */
export interface WireReader {
  readonly state: StreamState
  /** Reads the data of one event (latin1). */
  read(data: string): AnswerEvent[]
}

export interface Wire {
  readonly name: WireName
  readonly tools: ToolRule
  path(request: ModelRequest, upstreamModel: string): string
  credentialHeaders(key: string): Record<string, string>
  /** Why this wire cannot express the request; undefined if it can. */
  cannot(request: ModelRequest): string | undefined
  /** What of the request is left out for a model, although the caller sent it. */
  drops(request: ModelRequest, options: Pick<WireOptions, 'slug' | 'mayThink'>): readonly string[]
  writeRequest(request: ModelRequest, options: WireOptions): string
  /** Returns an error inside a 200 as an UpstreamFailure. Throws if the JSON is not an answer. */
  readAnswer(json: unknown): WholeAnswer | UpstreamFailure
  /** What JSON that is not an answer tells about its bill. */
  readBill(json: unknown): Billed
  openStream(): WireReader
}

export function newStreamState(): StreamState {
  return {
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
