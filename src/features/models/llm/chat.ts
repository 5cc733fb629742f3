import { fail, ofTransaction, toCallError } from '#core/errors.ts'
import { chatAction } from '#core/model-router.ts'
import type { Micros } from '#core/money.ts'
import { answeredBy } from './caller-stream.ts'
import { streamAnswer } from './chat-stream.ts'
import {
  costOfFailure,
  endOf,
  estimateOf,
  newProgress,
  noteFailure,
  reportedCost,
  timelineOf,
} from './ending.ts'
import { completeOnce } from './exchange/complete.ts'
import {
  type ChatCall,
  type ChatDependencies,
  type ChatReply,
  type HeldChat,
  type HeldWork,
  noteThoughts,
} from './held-chat.ts'
import { type ChatRequest, readChatRequest } from './request/request.ts'
import { attemptsMax, createAttempts } from './routing/attempts.ts'
import { type ChatPlan, planChat, plansFor } from './routing/plan.ts'
import { answerTimeouts } from './routing/timeouts.ts'
import { describeUsage } from './usage.ts'

/** Chats of all accounts at once in this process. Each holds its request and a connection. */
const chatsAtOnceMax = 4_000
const holdMarginMs = 60_000

export interface Chat {
  /** Throws a CallError if there is no answer. Nothing is charged then. */
  run(call: ChatCall): Promise<ChatReply>
}

export function createChat(dependencies: ChatDependencies): Chat {
  let underWay = 0
  return {
    async run(call) {
      if (underWay >= chatsAtOnceMax) throw fail('unavailable', { retryAfterSeconds: 1 })
      underWay += 1
      try {
        return await runChat(dependencies, call)
      } finally {
        underWay -= 1
      }
    },
  }
}

async function runChat(dependencies: ChatDependencies, call: ChatCall): Promise<ChatReply> {
  const chat = readChatRequest(call.body)
  const widest = planChat(dependencies, chat)
  const { timeouts } = widest.offer
  const plans = new Map<Micros, ChatPlan>()
  async function* amounts() {
    for await (const plan of plansFor(widest, chat)) {
      plans.set(plan.worstMicros, plan)
      yield plan.worstMicros
    }
  }
  const opened = await dependencies.meter.open({
    caller: call.caller,
    action: chatAction,
    worstMicros: amounts(),
    maxCostMicros: chat.maxCostMicros,
    idempotencyKey: call.idempotencyKey,
    // The fields that were read, so that bodies with the same meaning count as the same request.
    body: { ...chat, json: undefined },
    lifetimeMs: timeouts.total_ms + attemptsMax * timeouts.answer_ms + holdMarginMs,
  })
  if (opened.replay !== undefined) return replay(call, chat, opened.callId, opened.replay)
  const plan = plans.get(opened.heldMicros) ?? widest
  return await answer(dependencies, { call, chat, plan, callId: opened.callId })
}

async function answer(dependencies: ChatDependencies, held: HeldChat): Promise<ChatReply> {
  const { call, chat, plan } = held
  const startedAt = dependencies.clock.now()
  const attempts = createAttempts({
    ...dependencies,
    routes: plan.routes,
    tier: plan.tier,
    gone: call.gone,
  })
  const progress = newProgress()
  // An answer ends for the caller only after this is done, so that no complete answer can be lost.
  const close: HeldWork['close'] = (end, { failed, costMicros, output }) =>
    dependencies.meter.close(held.callId, {
      caller: call.caller,
      chargedMicros: failed === undefined ? (end?.micros ?? 0) : 0,
      failed: failed && { error: failed.code, message: failed.message },
      costMicros,
      output: call.idempotencyKey === undefined ? undefined : output,
      timeline: timelineOf(held, attempts.hops, end, dependencies.clock.now() - startedAt),
    })
  try {
    return chat.stream
      ? await streamAnswer(dependencies, held, { attempts, progress, startedAt, close })
      : await completeAnswer(dependencies, held, { attempts, progress, startedAt, close })
  } catch (thrown) {
    const left = call.gone.aborted
    const failed = left ? fail('client_closed_request') : toCallError(thrown)
    const costMicros = costOfFailure(chat, { ...progress, left })
    await close(undefined, { failed, costMicros }).catch(ofTransaction(held.callId))
    if (left) return { kind: 'gone' }
    return ofTransaction(held.callId)(failed)
  }
}

async function completeAnswer(
  dependencies: ChatDependencies,
  held: HeldChat,
  { attempts, progress, close }: HeldWork,
): Promise<ChatReply> {
  const { call, chat, plan } = held
  const { answer, route, number } = await attempts.run(async (attempt) => {
    const { route, number } = attempt
    progress.asked = route
    const result = await completeOnce({
      dispatcher: dependencies.dispatcher,
      route,
      chat,
      timeouts: answerTimeouts(plan.offer, attempt, chat),
      gone: call.gone,
    })
    if (!('kind' in result)) return { answer: result, route, number, brokeOff: undefined }
    noteFailure(chat, route, progress, result)
    return result
  })
  progress.produced = answer.usage ?? estimateOf(chat, route, answer.deliveredBytes)
  // An answer is not delivered once its caller has left.
  call.gone.throwIfAborted()
  const end = endOf(held, route, {
    usage: answer.usage,
    deliveredBytes: answer.deliveredBytes,
    finished: true,
    overran: false,
    ending: 'complete',
    firstTokenMs: null,
  })
  const { completion, usageFields } = answer
  noteThoughts(dependencies, chat, end, usageFields)
  completion.id ??= `chatcmpl-${held.callId}`
  completion.object ??= 'chat.completion'
  completion.created ??= Math.floor(dependencies.clock.now() / 1_000)
  completion.model = route.slug
  completion.usage = describeUsage(end.usage, { ...end, fields: usageFields })
  const body = JSON.stringify(completion)
  await close(end, { costMicros: reportedCost(answer), output: body })
  return { kind: 'json', body, headers: headersOf(held.callId, route.slug, number) }
}

/** Replays the answer stored for the idempotency key: a completion, or the events of a stream. */
function replay(call: ChatCall, chat: ChatRequest, callId: string, stored: string): ChatReply {
  const headers = { 'x-transaction-id': callId, 'idempotency-replayed': 'true' }
  if (!chat.stream) return { kind: 'json', body: stored, headers }
  const { events } = JSON.parse(stored) as { events: string }
  call.openStream(headers, [])
  return { kind: 'streamed', tail: events }
}

function headersOf(callId: string, slug: string, attempts: number): Record<string, string> {
  return { 'x-transaction-id': callId, ...answeredBy(slug, attempts) }
}
