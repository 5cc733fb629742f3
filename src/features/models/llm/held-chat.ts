// A chat on its way: what it was asked, what is held for it, and what answering it takes.
import type { Dispatcher } from 'undici'
import type { Hop } from '#core/action.ts'
import type { AccountCaller } from '#core/caller.ts'
import type { CallError } from '#core/errors.ts'
import type { Micros } from '#core/money.ts'
import type { Clock, Log } from '#core/ports.ts'
import { mayThink } from '#core/pricing/thinking.ts'
import type { AnswerCache } from './answer-cache.ts'
import type { AskedModel, OpenStream } from './caller-stream.ts'
import { fieldName, type ModelRequest } from './conversation/model-request.ts'
import type { ChatProgress, End } from './ending.ts'
import type { CallMeter, Meter } from './meter.ts'
import type { CallTools } from './rounds.ts'
import type { Attempts, RouteAttempt } from './routing/attempts.ts'
import type { Models } from './routing/models.ts'
import { type ChatPlan, outputTokensMax } from './routing/plan.ts'
import type { RouteHealth } from './routing/route-health.ts'
import type { RouteSpeed } from './routing/route-speed.ts'
import type { AnswerContext, Surface, Told } from './surface/surface.ts'
import { readThoughts } from './usage.ts'

export interface ChatCall {
  readonly surface: Surface
  readonly body: unknown
  /** Undefined: a wallet, which `meter` knows. */
  readonly caller: AccountCaller | undefined
  /** Pays for the call. Default: the caller's account does. */
  readonly meter?: CallMeter | undefined
  readonly idempotencyKey: string | undefined
  /** How long its answer may answer the same request again. Undefined: not at all. */
  readonly cacheSeconds?: number | undefined
  /** Aborted when the caller disconnects. */
  readonly gone: AbortSignal
  /** Opens the stream of events. Called once, before the first event of a call that streams. */
  readonly openStream: OpenStream
  /**
   * Stores a complete answer. Awaited after the surface has written the end, before the answer is charged and before
   * its end is sent. If it rejects, the call fails and is free.
   */
  readonly keep?: (answered: { readonly callId: string; readonly slug: string }) => Promise<void>
  /** What the gateway runs while the model answers. */
  readonly tools?: CallTools | undefined
}

/** Whether the answer is stored with its call: for its idempotency key, or for the payment that is sent again. */
export const isStored = ({ idempotencyKey, meter }: ChatCall) =>
  idempotencyKey !== undefined || meter !== undefined

/** A whole answer, or the end of a stream. */
export type ChatReply =
  | { readonly kind: 'json'; readonly body: string; readonly headers: Record<string, string> }
  | { readonly kind: 'streamed' /** The last events (latin1). */; readonly tail: string }
  | { readonly kind: 'gone' }

export interface ChatDependencies {
  readonly models: Models
  readonly health: RouteHealth
  readonly speed: RouteSpeed
  readonly answers: AnswerCache
  readonly dispatcher: Dispatcher
  readonly meter: Meter
  readonly ownNamespace: string
  readonly clock: Clock
  readonly log: Log
}

/** A chat whose worst case is held. */
export interface HeldChat {
  readonly call: ChatCall
  readonly chat: ModelRequest
  readonly plan: ChatPlan
  readonly callId: string
  readonly heldMicros: Micros
}

/** What answering a held chat takes. */
export interface HeldWork {
  /** For one round of the call. */
  readonly openAttempts: (plan: ChatPlan) => Attempts
  /** All hops of the call. */
  readonly hops: Hop[]
  readonly progress: ChatProgress
  readonly startedAt: number
  /** Ends the hold and stores the answer. */
  readonly close: (
    end: End | undefined,
    rest: {
      failed?: CallError | undefined
      costMicros?: Micros | undefined
      output?: string | undefined
    },
  ) => Promise<void>
}

/**
 * Lets the holds of a model have room for thoughts, once an answer was billed for more tokens than it was allowed. Not
 * all vendors say that they were thoughts.
 */
export function noteThoughts(
  { models }: Pick<ChatDependencies, 'models'>,
  chat: ModelRequest,
  { route, usage }: Pick<End, 'route' | 'usage'>,
): void {
  if (usage.completionTokens > outputTokensMax(chat, route)) models.noteThoughts(route)
}

/** For the surface: which answer it writes. */
export function contextOf({ chat, callId }: HeldChat, slug: string, nowMs: number): AnswerContext {
  return { request: chat, callId, slug, createdAt: Math.floor(nowMs / 1_000) }
}

/** For the surface: what it tells the caller about tokens and the charge. */
export function toldOf(
  { usage, micros, estimated }: Pick<End, 'usage' | 'micros' | 'estimated'>,
  usageFields: Told['usageFields'],
): Told {
  const thoughtTokens = Math.min(readThoughts(usageFields), usage.completionTokens)
  return { usage, thoughtTokens, usageFields, micros, estimated }
}

/** For the caller: who is asked, and what of the request is left out. */
export function askedModel(
  chat: ModelRequest,
  { route: { slug, price, upstream }, number, last }: RouteAttempt,
): AskedModel {
  const byWire = upstream.wire.drops(chat, { slug, mayThink: mayThink(slug, price.thinks) })
  const named = byWire.map((part) => fieldName(chat, part))
  const { native } = chat
  const nativeOnly = native?.wire === upstream.wire.name ? [] : (native?.only ?? [])
  return { slug, number, last, dropped: [...(chat.dropped ?? []), ...nativeOnly, ...named] }
}

/**
 * Keeps an answer for the same request, if its caller wants it. A call with an idempotency key has its own stored
 * answer.
 */
export function keepAnswer(
  { answers }: Pick<ChatDependencies, 'answers'>,
  { call, chat, callId }: HeldChat,
  { route }: Pick<End, 'route'>,
  text: () => string | undefined,
): void {
  const { cacheSeconds, caller } = call
  if (cacheSeconds === undefined || caller === undefined || isStored(call)) return
  const kept = text()
  if (kept === undefined) return
  const answer = { text: kept, callId, model: route.slug, lifetimeSeconds: cacheSeconds }
  answers.keep(caller, chat, answer)
}
