// A chat on its way: what it was asked, what is held for it, and what answering it takes.
import type { Dispatcher } from 'undici'
import type { AccountCaller } from '#core/caller.ts'
import type { CallError } from '#core/errors.ts'
import type { Micros } from '#core/money.ts'
import type { Clock, Log } from '#core/ports.ts'
import type { OpenStream } from './caller-stream.ts'
import type { ChatProgress, End } from './ending.ts'
import type { Meter } from './meter.ts'
import type { ChatRequest } from './request/request.ts'
import type { Attempts } from './routing/attempts.ts'
import type { Models } from './routing/models.ts'
import { type ChatPlan, outputTokensMax } from './routing/plan.ts'
import type { RouteHealth } from './routing/route-health.ts'
import { readThoughts } from './usage.ts'

export interface ChatCall {
  readonly body: unknown
  readonly caller: AccountCaller
  readonly idempotencyKey: string | undefined
  /** Aborted when the caller disconnects. */
  readonly gone: AbortSignal
  /** Opens the stream of events. Called once, before the first event of a call that streams. */
  readonly openStream: OpenStream
}

/** A whole answer, or the end of a stream. */
export type ChatReply =
  | { readonly kind: 'json'; readonly body: string; readonly headers: Record<string, string> }
  | { readonly kind: 'streamed' /** The last events (latin1). */; readonly tail: string }
  | { readonly kind: 'gone' }

export interface ChatDependencies {
  readonly models: Models
  readonly health: RouteHealth
  readonly dispatcher: Dispatcher
  readonly meter: Meter
  readonly ownNamespace: string
  readonly clock: Clock
  readonly log: Log
}

/** A chat whose worst case is held. */
export interface HeldChat {
  readonly call: ChatCall
  readonly chat: ChatRequest
  readonly plan: ChatPlan
  readonly callId: string
}

/** What answering a held chat takes. */
export interface HeldWork {
  readonly attempts: Attempts
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
 * Lets the holds of a model have room for thoughts, once an answer was billed for some that its own hold had no room
 * for.
 */
export function noteThoughts(
  { models }: Pick<ChatDependencies, 'models'>,
  chat: ChatRequest,
  { route, usage }: Pick<End, 'route' | 'usage'>,
  usageFields: Readonly<Record<string, unknown>>,
): void {
  const beyond = usage.completionTokens - outputTokensMax(chat, route)
  if (beyond > 0 && readThoughts(usageFields) >= beyond) models.noteThoughts(route)
}
