// How long to wait for one model. Models that reason before they answer get more time. They are known by name and by
// the reasoning that the caller asks for; the operator's file may set other times for each model.

import { matchesModel } from '#core/pricing/model-pattern.ts'
import { thinks } from '#core/pricing/thinking.ts'
import type { ModelRequest } from '../conversation/model-request.ts'
import type { ExchangeTimeouts } from '../exchange/exchange.ts'
import type { RouteAttempt } from './attempts.ts'
import type { Route } from './models.ts'
import type { ModelTimeouts, TimeoutSettings } from './settings.ts'

function timeoutsFor(
  { timeouts, timeoutsByModel }: TimeoutSettings,
  { slug, price }: Route,
  chat: ModelRequest,
): ModelTimeouts {
  const own = { ...timeouts, ...matching(timeoutsByModel, slug) }
  if (!thinks(slug, chat.fields, price.thinks)) return own
  return {
    ...own,
    first_token_ms: Math.max(own.first_token_ms, own.thinking_ms),
    first_token_last_ms: Math.max(own.first_token_last_ms, own.thinking_ms),
    answer_ms: Math.max(own.answer_ms, own.answer_last_ms),
  }
}

/** For a stream. `usageMs`: for the token count, after the last token. */
export function streamTimeouts(
  settings: TimeoutSettings,
  { route, last }: RouteAttempt,
  chat: ModelRequest,
): ExchangeTimeouts & { readonly usageMs: number } {
  const own = timeoutsFor(settings, route, chat)
  return {
    firstMs: last ? own.first_token_last_ms : own.first_token_ms,
    idleMs: own.idle_ms,
    totalMs: own.total_ms,
    usageMs: own.usage_ms,
  }
}

/** For a whole answer, which arrives in one piece at its end. */
export function answerTimeouts(
  settings: TimeoutSettings,
  { route, last }: RouteAttempt,
  chat: ModelRequest,
): ExchangeTimeouts {
  const { answer_ms, answer_last_ms, total_ms } = timeoutsFor(settings, route, chat)
  const answerMs = last ? answer_last_ms : answer_ms
  return { firstMs: answerMs, idleMs: answerMs, totalMs: Math.max(answerMs, total_ms) }
}

/** An exact name wins over a pattern with * at its end, and a longer pattern over a shorter one. */
function matching(
  byModel: TimeoutSettings['timeoutsByModel'],
  slug: string,
): Partial<ModelTimeouts> {
  const patterns = Object.keys(byModel).filter((pattern) => matchesModel(pattern, slug))
  const [best] = patterns.toSorted(
    (a, b) => Number(a.endsWith('*')) - Number(b.endsWith('*')) || b.length - a.length,
  )
  const own = best === undefined ? {} : (byModel[best] ?? {})
  return Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined))
}
