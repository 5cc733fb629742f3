// What the stub of a model vendor knows of one format: its requests, its answers and its errors.
import type { IncomingMessage } from 'node:http'
import type { UntypedJson } from '#core/replies/untyped-json.ts'

export type Json = UntypedJson

export type UpstreamFormat = 'openai' | 'anthropic' | 'responses' | 'gemini'

export interface ModelFormat {
  /** Before the path of the format. */
  readonly base: string
  modelOf(request: IncomingMessage, body: Json): string
  isStream(request: IncomingMessage, body: Json): boolean
  /** Faults of a request that the vendor would not accept. */
  problems(request: IncomingMessage, body: Json): string[]
  answer(model: string, said: Said, body: Json): Json
  /** The events of a stream, one string each. */
  events(model: string, said: Said, body: Json): string[]
  error(error: object, status: number): Json
}

/** The model's answer. */
export interface Said {
  readonly tokens: readonly string[]
  readonly toolCalls: readonly { id: string; name: string; arguments: readonly string[] }[]
  readonly reasoning: string
  /** What the vendor wants back with the reasoning. */
  readonly signature: string
  readonly refusal: string
  readonly promptTokens: number
  readonly completionTokens: number
  /** Billed as output beyond the completion: only the total counts them. */
  readonly thoughtTokens: number
  readonly finish: 'stop' | 'length' | 'content_filter'
  readonly usage: 'end' | 'none'
}

/** Faults that have nothing to do with the format. */
export function commonProblems(
  request: IncomingMessage,
  body: Json,
  fields: Set<string>,
): string[] {
  return [
    ...Object.keys(body)
      .filter((name) => !fields.has(name))
      .map((name) => `unknown field ${name}`),
    ...(request.method === 'POST' ? [] : ['method']),
    ...(request.headers['content-type'] === 'application/json' ? [] : ['content-type']),
    ...(Object.keys(request.headers).some((name) => /idempotency|cookie|^x-stainless/.test(name))
      ? ['headers of the caller']
      : []),
  ]
}
