// A request of a surface that is not a conversation, once it has been read, and the answers to it.
import type { Readable } from 'node:stream'
import type { AccountCaller } from '#core/caller.ts'
import type { CallError } from '#core/errors.ts'
import type { ModelPrice } from '#core/model-price.ts'
import type { ModelSurface, SurfaceUsage } from '#core/models/surfaces.ts'
import type { Micros } from '#core/money.ts'
import { isObject } from '../llm/conversation/fields.ts'
import type { Route } from '../llm/routing/models.ts'
import type { ModelMachine } from './local-models.ts'

export interface SurfaceCall {
  readonly caller: AccountCaller
  readonly idempotencyKey: string | undefined
  /** Aborted when the caller disconnects. */
  readonly gone: AbortSignal
}

export interface SurfaceRequest {
  readonly surface: ModelSurface
  /** A slug, as the caller wrote it. */
  readonly model: string
  readonly maxCostMicros: Micros | undefined
  /** What was asked, for a repetition with the same idempotency key. */
  readonly meaning: unknown
  /**
   * The most that an answer can use. Throws `bad_request` for what the model does not take. It is checked before
   * anything is held or sent.
   */
  readonly worst: (price: ModelPrice, slug: string) => SurfaceUsage | Promise<SurfaceUsage>
  /** What an answer has used whose vendor does not count. It favours the caller. */
  readonly estimate: (price: ModelPrice) => SurfaceUsage
  /** The path and the body of the request to an upstream. */
  readonly write: (route: Route) => UpstreamBody
  /** How a stored answer is sent again. */
  readonly replay: (stored: unknown) => ReplyBody
}

export interface UpstreamBody {
  readonly path: string
  readonly type: string
  readonly accept?: string
  readonly body: string | Buffer
}

export interface ReplyBody {
  readonly type: string
  readonly body: string | Buffer
}

/** A request whose answer is read to its end before any of it is passed on. */
export interface WholeRequest extends SurfaceRequest {
  /** The longest answer of an upstream. */
  readonly answerBytesMax: number
  /** Throws for what is not an answer. */
  readonly read: (reply: Buffer, route: Route) => SurfaceAnswer
  /** Answers on this machine. Throws a CallError for what its model does not take. */
  readonly answerHere?: (machine: ModelMachine, call: SurfaceCall) => Promise<SurfaceAnswer>
}

/** A request whose answer is passed on as it arrives. */
export interface StreamedRequest extends SurfaceRequest {
  /** The media type of the answer, and more headers. */
  readonly type: string
  readonly headers?: Record<string, string>
  /** Whether a reply of this media type can be an answer. */
  readonly takes: (mediaType: string) => boolean
  /** For one attempt. */
  readonly openReader: (route: Route) => AnswerReader
  /** What is stored of an answer for its idempotency key. */
  readonly store: (sent: Buffer) => string
  /** The end of an answer that breaks off. Absent: the connection is cut. */
  readonly writeFailure?: (failed: CallError) => Buffer
  /** The answer of this machine, as an upstream would send it. Throws a CallError for what its model does not take. */
  readonly answerHere?: (machine: ModelMachine, call: SurfaceCall) => Promise<Uint8Array>
}

export interface AnswerReader {
  /** Returns what the caller is sent. Throws for what is not an answer. */
  feed(chunk: Buffer): Buffer
  /** Throws if the answer is not complete. */
  end(): ReadAnswer
}

export interface ReadAnswer {
  /** As the vendor counts; undefined if it does not. */
  readonly usage: SurfaceUsage | undefined
  /** The end of the answer, once its charge is known. */
  readonly rest?: (charge: Charge) => Buffer
}

export interface SurfaceAnswer {
  /** As the vendor counts; undefined if it does not. */
  readonly usage: SurfaceUsage | undefined
  /** The answer to the caller, once its charge is known. */
  readonly finish: (charge: Charge) => FinishedAnswer
}

export interface Charge {
  readonly slug: string
  readonly usage: SurfaceUsage
  readonly micros: Micros
  readonly estimated: boolean
}

export interface FinishedAnswer extends ReplyBody {
  /** JSON that is stored for the idempotency key. */
  readonly stored: string
}

export type SurfaceReply =
  | ({ readonly kind: 'whole'; readonly headers: Record<string, string> } & ReplyBody)
  | {
      readonly kind: 'stream'
      readonly type: string
      readonly headers: Record<string, string>
      readonly bytes: Readable
    }
  | { readonly kind: 'gone' }

export const jsonType = 'application/json; charset=utf-8'

/** For answers that are JSON objects. */
export const replayJson = (stored: unknown): ReplyBody => ({
  type: jsonType,
  body: JSON.stringify(stored),
})

/** The usage as the vendor tells it. `cost` is the charge in dollars, as in chats. */
export const usageWith = (usage: unknown, { micros, estimated }: Charge): object => ({
  ...(isObject(usage) ? usage : {}),
  cost: micros / 1_000_000,
  ...(estimated ? { estimated: true } : {}),
})

/** A JSON object as an answer. */
export function finishJson(answer: object, usage: object, charge: Charge): FinishedAnswer {
  const body = JSON.stringify({ ...answer, usage: usageWith(usage, charge) })
  return { type: jsonType, body, stored: body }
}
