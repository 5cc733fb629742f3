// One chat from its body to its last byte: read, price, hold, ask, answer, settle.
import type { Dispatcher } from 'undici'
import type { AccountCaller } from '#core/caller.ts'
import { type CallError, fail, ofTransaction, toCallError } from '#core/errors.ts'
import type { Micros } from '#core/money.ts'
import type { Clock, Log } from '#core/ports.ts'
import { chatErrorBody } from './chat-error.ts'
import { type End, endOf, isOverrun, timelineOf } from './ending.ts'
import { completeOnce } from './exchange/complete.ts'
import { type EventSink, relayOnce } from './exchange/relay.ts'
import { toLatin1 } from './exchange/sse.ts'
import type { Meter } from './meter.ts'
import { type ChatRequest, readChatRequest } from './request/request.ts'
import { type Attempts, attemptsMax, createAttempts } from './routing/attempts.ts'
import type { Models } from './routing/models.ts'
import { patienceFor, patienceForAnswer } from './routing/patience.ts'
import { type ChatPlan, planChat, plansFor } from './routing/plan.ts'
import type { RouteHealth } from './routing/route-health.ts'
import { describeUsage } from './usage.ts'

const chatAction = 'llm/chat'
/** Chats under way in this process, of all accounts: each keeps its request and a connection. */
const chatsAtOnceMax = 4_000
const holdMarginMs = 60_000
const replayBytesMax = 4_000_000
const leftEarly = fail('client_closed_request', {
  message: 'The caller left here, and was charged for this much. Call again with another key.',
})

export interface ChatCall {
  readonly body: unknown
  readonly caller: AccountCaller
  readonly idempotencyKey: string | undefined
  /** Aborted when the caller goes away. */
  readonly gone: AbortSignal
  /** Opens the stream of events; called once, before the first event, if the call is one that streams. */
  readonly openStream: (
    headers: Record<string, string>,
    /** Names of headers that come after the last event. */
    trailers: readonly string[],
  ) => EventSink
}

/** A whole answer, or word that everything was said in the stream. */
export type ChatReply =
  | { readonly kind: 'json'; readonly body: string; readonly headers: Record<string, string> }
  | { readonly kind: 'streamed' /** The last events (latin1). */; readonly tail: string }
  | { readonly kind: 'gone' }

export interface Chat {
  /** Throws the CallError of whatever kept it from being answered; nothing is charged then. */
  run(call: ChatCall): Promise<ChatReply>
}

interface ChatDependencies {
  readonly models: Models
  readonly health: RouteHealth
  readonly dispatcher: Dispatcher
  readonly meter: Meter
  readonly ownNamespace: string
  readonly clock: Clock
  readonly log: Log
}

interface HeldChat {
  readonly call: ChatCall
  readonly chat: ChatRequest
  readonly plan: ChatPlan
  readonly callId: string
}

export function createChat(room: ChatDependencies): Chat {
  let underWay = 0
  return {
    async run(call) {
      if (underWay >= chatsAtOnceMax) throw fail('unavailable', { retryAfterSeconds: 1 })
      underWay += 1
      try {
        return await runChat(room, call)
      } finally {
        underWay -= 1
      }
    },
  }
}

async function runChat(room: ChatDependencies, call: ChatCall): Promise<ChatReply> {
  const chat = readChatRequest(call.body)
  const widest = planChat(room, chat)
  const { patience } = widest.offer
  const plans = new Map<Micros, ChatPlan>()
  async function* amounts() {
    for await (const plan of plansFor(widest, chat)) {
      plans.set(plan.worstMicros, plan)
      yield plan.worstMicros
    }
  }
  const opened = await room.meter.open({
    caller: call.caller,
    action: chatAction,
    worstMicros: amounts(),
    maxCostMicros: chat.maxCostMicros,
    idempotencyKey: call.idempotencyKey,
    // What was read of it: two bodies that say the same are the same.
    body: { ...chat, json: undefined },
    lifetimeMs: patience.total_ms + attemptsMax * patience.answer_ms + holdMarginMs,
  })
  if (opened.replay !== undefined) return replay(call, chat, opened.callId, opened.replay)
  const plan = plans.get(opened.heldMicros) ?? widest
  return await answer(room, { call, chat, plan, callId: opened.callId })
}

async function answer(room: ChatDependencies, held: HeldChat): Promise<ChatReply> {
  const { call, chat, plan } = held
  const startedAt = room.clock.now()
  const attempts = createAttempts({
    ...room,
    routes: plan.routes,
    tier: plan.tier,
    gone: call.gone,
  })
  // Nobody is told the end of an answer that could still be lost.
  const close: Work['close'] = (end, { failed, costUsd, output }) =>
    room.meter.close(held.callId, {
      caller: call.caller,
      chargedMicros: failed === undefined ? (end?.micros ?? 0) : 0,
      failed: failed && { error: failed.code, message: failed.message },
      costUsd,
      output: call.idempotencyKey === undefined ? undefined : output,
      timeline: timelineOf(held, attempts.hops, end, room.clock.now() - startedAt),
    })
  try {
    return chat.stream
      ? await stream(room, held, { attempts, startedAt, close })
      : await complete(room, held, { attempts, close })
  } catch (thrown) {
    const left = call.gone.aborted
    const failed = left ? fail('client_closed_request') : toCallError(thrown)
    await close(undefined, { failed }).catch(ofTransaction(held.callId))
    if (left) return { kind: 'gone' }
    return ofTransaction(held.callId)(failed)
  }
}

interface Work {
  readonly attempts: Attempts
  readonly close: (
    end: End | undefined,
    rest: {
      failed?: CallError | undefined
      costUsd?: number | undefined
      output?: string | undefined
    },
  ) => Promise<void>
}

async function complete(
  room: ChatDependencies,
  held: HeldChat,
  { attempts, close }: Work,
): Promise<ChatReply> {
  const { call, chat, plan } = held
  const { answer, route, number } = await attempts.run(async (attempt) => {
    const { route, number } = attempt
    const result = await completeOnce({
      dispatcher: room.dispatcher,
      route,
      chat,
      patience: patienceForAnswer(plan.offer, attempt, chat),
      gone: call.gone,
    })
    return 'kind' in result ? result : { answer: result, route, number, brokeOff: undefined }
  })
  // An answer that nobody is there to take is not delivered.
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
  completion.id ??= `chatcmpl-${held.callId}`
  completion.object ??= 'chat.completion'
  completion.created ??= Math.floor(room.clock.now() / 1_000)
  completion.model = route.slug
  completion.usage = describeUsage(end.usage, { ...end, fields: usageFields })
  const body = JSON.stringify(completion)
  await close(end, { costUsd: answer.costUsd, output: body })
  return { kind: 'json', body, headers: headersOf(held.callId, route.slug, number) }
}

async function stream(
  room: ChatDependencies,
  held: HeldChat,
  { attempts, close, startedAt }: Work & { startedAt: number },
): Promise<ChatReply> {
  const { call, chat, plan } = held
  const output = openOutput(held, plan.offer.patience.keep_alive_ms)
  let firstTokenMs: number | null = null
  try {
    const { relayed, route } = await attempts.run(async ({ route, number, last }) => {
      const patience = patienceFor(plan.offer, route, chat)
      output.attempt(route.slug, number, last)
      const result = await relayOnce({
        dispatcher: room.dispatcher,
        route,
        chat,
        patience: {
          firstMs: last ? patience.first_token_last_ms : patience.first_token_ms,
          idleMs: patience.idle_ms,
          totalMs: patience.total_ms,
          usageMs: patience.usage_ms,
        },
        sink: output.sink,
        gone: call.gone,
        isOverrun: (state) => isOverrun(held, route, state),
        onBegin: () => {
          firstTokenMs = room.clock.now() - startedAt
          output.begin()
        },
      })
      return 'kind' in result ? result : { relayed: result, route, brokeOff: result.failure }
    })
    const { state, failure, left } = relayed
    const ending = failure !== undefined ? 'broken' : left ? 'client_gone' : 'complete'
    const end = endOf(held, route, { ...state, ending, firstTokenMs })
    if (failure !== undefined) {
      const failed = fail('upstream_error', {
        message: 'The model broke off in the middle of its answer. Nothing was charged; try again.',
      })
      await close(end, { failed })
      return { kind: 'streamed', tail: errorEvent(failed) }
    }
    const usage = chat.includeUsage
      ? eventOf({
          id: state.id,
          object: 'chat.completion.chunk',
          created: state.created,
          model: route.slug,
          choices: [],
          usage: describeUsage(end.usage, { ...end, fields: state.usageFields }),
        })
      : ''
    // A caller who left in the middle and asks for it again is told that it is not the whole.
    const tail = left && !state.finished ? errorEvent(leftEarly) : `${usage}data: [DONE]\n\n`
    await close(end, { costUsd: state.costUsd, output: output.stored(tail) })
    return left ? { kind: 'gone' } : { kind: 'streamed', tail }
  } catch (thrown) {
    // Once the caller has headers, there is no status left to say it with.
    if (!output.isOpen() || call.gone.aborted) throw thrown
    const failed = toCallError(thrown)
    // The caller hears of it even where the books cannot; the ledger says in the log why not.
    await close(undefined, { failed }).catch(() => {})
    return { kind: 'streamed', tail: errorEvent(failed) }
  } finally {
    output.close()
  }
}

/**
 * The caller's stream, opened at the first content or by the first keep-alive, whichever comes first. Where it is opened
 * while another model may still be asked, who answered is told by a comment before the first content and by trailers.
 */
function openOutput({ call, callId }: HeldChat, keepAliveMs: number) {
  let opened: EventSink | undefined
  let drain = () => {}
  let asked: { slug: string; number: number; last: boolean } | undefined
  let untold = false
  let kept: string[] | undefined = call.idempotencyKey === undefined ? undefined : []
  let keptBytes = 0
  const open = (begins: boolean) => {
    if (opened !== undefined) return opened
    untold = !begins && asked?.last !== true
    const told = asked === undefined || untold ? {} : answeredBy(asked.slug, asked.number)
    opened = call.openStream({ 'x-transaction-id': callId, ...told }, untold ? answererHeaders : [])
    opened.onDrain(() => drain())
    return opened
  }
  const timer = setInterval(() => open(false).write(': keep-alive\n\n'), keepAliveMs)
  const sink: EventSink = {
    write(events) {
      keptBytes += events.length
      if (keptBytes > replayBytesMax) kept = undefined
      kept?.push(events)
      return open(true).write(events)
    },
    onDrain(resume) {
      drain = resume
    },
    trailers() {},
  }
  return {
    sink,
    isOpen: () => opened !== undefined,
    attempt(slug: string, number: number, last: boolean) {
      asked = { slug, number, last }
    },
    begin() {
      clearInterval(timer)
      const sink = open(true)
      if (!untold || asked === undefined) return
      const told = answeredBy(asked.slug, asked.number)
      sink.write(`: x-model ${asked.slug}, x-attempts ${asked.number}\n\n`)
      sink.trailers(told)
    },
    stored: (tail: string) =>
      kept === undefined ? undefined : JSON.stringify({ events: `${kept.join('')}${tail}` }),
    close: () => clearInterval(timer),
  }
}

/** What was stored for the idempotency key: a completion, or the events of a stream. */
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

const answererHeaders = ['x-model', 'x-attempts'] as const

function answeredBy(slug: string, attempts: number): Record<string, string> {
  return { 'x-model': slug, 'x-attempts': String(attempts) }
}

function errorEvent(error: CallError): string {
  return eventOf(chatErrorBody(error))
}

function eventOf(value: unknown): string {
  return `data: ${toLatin1(JSON.stringify(value))}\n\n`
}
