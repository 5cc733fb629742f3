// A call in which the gateway runs tools between two answers of the model: several rounds under one hold.
import type { Hop } from '#core/action.ts'
import { priceOfUsage, type TokenUsage } from '#core/model-price.ts'
import type { Micros } from '#core/money.ts'
import type { ModelRequest } from './conversation/model-request.ts'
import type { ChatProgress, End } from './ending.ts'
import type { HeldChat, HeldWork } from './held-chat.ts'
import { type ChatPlan, worstOf } from './routing/plan.ts'

/** Tools that the gateway runs while a model answers. */
export interface CallTools {
  /** The most that one call of a tool costs. */
  readonly priceMicros: Micros
  /** Calls of tools in one call of the model's caller. */
  readonly callsMax: number
  /** What the result of one call adds to the next prompt. */
  readonly resultBytesMax: number
  /** How long one call may take. */
  readonly timeoutMs: number
  /** What they make is recorded with the call, so its row must be in the database. */
  readonly needsRow: boolean
  /** The same request without them. */
  withoutTools(chat: ModelRequest): ModelRequest
  /** Runs the tools that the last answer has called. Undefined: it has called none, so it was the last. */
  next(round: ToolRound): Promise<RanTools | undefined>
}

export interface ToolRound {
  readonly callId: string
  /** How many calls of tools are paid for. */
  readonly callsMax: number
  readonly gone: AbortSignal
  /** Sends events to a caller who reads a stream (latin1). */
  readonly send: (events: string) => void
}

export interface RanTools {
  /** What the model is asked next. */
  readonly chat: ModelRequest
  readonly calls: number
  readonly chargedMicros: Micros
  readonly costMicros: Micros
  readonly hops: readonly Hop[]
}

/** The rounds for which money is held, where there is enough of it. */
const roundsHeld = [3, 1] as const

/** What a call with tools may hold, the largest amount first. The plain amounts follow it. */
export function* amountsWithTools(
  plan: ChatPlan,
  chat: ModelRequest,
  tools: CallTools,
): Generator<Micros> {
  for (const rounds of roundsHeld) {
    let micros = plan.worstMicros
    for (let round = 1; round <= Math.min(rounds, tools.callsMax); round += 1)
      micros += tools.priceMicros + worstOf(plan, chat, round * growthOf(chat, tools))
    yield micros
  }
}

/** No token has less than a byte, so the limit of the answer bounds what it adds to the next prompt. */
const growthOf = ({ maxTokens }: ModelRequest, { resultBytesMax }: CallTools) =>
  resultBytesMax + maxTokens

/** How many calls of tools this amount pays for, together with the answer that follows them. */
function callsPaidFor(
  { chat, plan }: Pick<HeldChat, 'chat' | 'plan'>,
  tools: CallTools,
  leftMicros: Micros,
  madeCalls: number,
): number {
  let calls = 0
  while (madeCalls + calls < tools.callsMax) {
    const results = (calls + 1) * tools.resultBytesMax + chat.maxTokens
    const needed = (calls + 1) * tools.priceMicros + worstOf(plan, chat, results)
    if (needed > leftMicros) break
    calls += 1
  }
  return calls
}

/** The round as it is asked: with the tools only if a call of them can be paid for. */
export function askRound(held: HeldChat, past: PastRounds): HeldChat {
  const { tools } = held.call
  if (tools === undefined) return held
  const leftMicros = held.heldMicros - past.micros - held.plan.worstMicros
  return callsPaidFor(held, tools, leftMicros, past.calls) > 0
    ? held
    : { ...held, chat: tools.withoutTools(held.chat) }
}

/**
 * Runs the tools that an answer has called. Returns the next round, which asks the same model; undefined if the answer
 * was the last.
 */
export async function nextRound(
  held: HeldChat,
  work: HeldWork,
  past: PastRounds,
  answered: {
    readonly end: End
    /** What the upstream says that the answer cost. */
    readonly costMicros: Micros | undefined
    readonly send: (events: string) => void
  },
): Promise<{ readonly held: HeldChat; readonly past: PastRounds } | undefined> {
  const { tools } = held.call
  const { end, costMicros, send } = answered
  if (tools === undefined) return undefined
  const spent = past.micros + end.micros
  const ran = await tools.next({
    callId: held.callId,
    callsMax: callsPaidFor(held, tools, held.heldMicros - spent, past.calls),
    gone: held.call.gone,
    send,
  })
  if (ran === undefined) return undefined
  work.hops.push(...ran.hops)
  const cost = costMicros ?? priceOfUsage(end.route.price, end.usage)
  // If the call fails now, the operator has still paid for this.
  work.progress.failedMicros += cost + ran.costMicros
  work.progress.asked = undefined
  work.progress.produced = undefined
  const after = addRound(past, end, cost, ran)
  const routes = [end.route]
  const worstMicros = Math.min(worstOf({ routes }, ran.chat, 0), held.heldMicros - after.micros)
  const plan = { ...held.plan, routes, worstMicros }
  return { held: askRound({ ...held, chat: ran.chat, plan }, after), past: after }
}

/** What the rounds before the last one have come to. */
export interface PastRounds {
  readonly micros: Micros
  readonly unchargedMicros: Micros
  readonly costMicros: Micros
  readonly usage: TokenUsage
  readonly estimated: boolean
  readonly calls: number
}

export const noRounds: PastRounds = {
  micros: 0,
  unchargedMicros: 0,
  costMicros: 0,
  usage: { promptTokens: 0, completionTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 },
  estimated: false,
  calls: 0,
}

/** The end of the whole call, from that of its last round. Attempts that failed before it are never charged. */
export function endAfter(past: PastRounds, end: End, { attemptsMicros }: ChatProgress): End {
  const unchargedMicros = past.unchargedMicros + end.unchargedMicros + attemptsMicros
  return {
    ...end,
    micros: end.ending === 'broken' ? 0 : past.micros + end.micros,
    unchargedMicros: end.ending === 'broken' ? 0 : unchargedMicros,
    usage: sumOf(past.usage, end.usage),
    estimated: past.estimated || end.estimated,
  }
}

/** What the whole call has cost the operator. Undefined where the prices say it. */
export function costAfter(
  past: PastRounds,
  { route, usage }: End,
  reported: Micros | undefined,
  { attemptsMicros }: ChatProgress,
): Micros | undefined {
  const earlierMicros = past.costMicros + attemptsMicros
  if (past === noRounds && earlierMicros === 0) return reported
  return earlierMicros + (reported ?? priceOfUsage(route.price, usage))
}

function addRound(past: PastRounds, end: End, costMicros: Micros, ran: RanTools): PastRounds {
  return {
    micros: past.micros + end.micros + ran.chargedMicros,
    unchargedMicros: past.unchargedMicros + end.unchargedMicros,
    costMicros: past.costMicros + costMicros + ran.costMicros,
    usage: sumOf(past.usage, end.usage),
    estimated: past.estimated || end.estimated,
    calls: past.calls + ran.calls,
  }
}

const sumOf = (one: TokenUsage, other: TokenUsage): TokenUsage => ({
  ...other,
  promptTokens: one.promptTokens + other.promptTokens,
  completionTokens: one.completionTokens + other.completionTokens,
  cacheReadTokens: one.cacheReadTokens + other.cacheReadTokens,
  cacheWriteTokens: one.cacheWriteTokens + other.cacheWriteTokens,
})
