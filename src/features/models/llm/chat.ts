import type { Hop } from '#core/action.ts'
import type { AccountCaller } from '#core/caller.ts'
import { fail, ofTransaction, toCallError } from '#core/errors.ts'
import type { Micros } from '#core/money.ts'
import { cacheHeader } from './answer-cache.ts'
import { answeredBy } from './caller-stream.ts'
import { streamAnswer } from './chat-stream.ts'
import type { ModelRequest } from './conversation/model-request.ts'
import {
  costOfFailure,
  type End,
  endOf,
  newProgress,
  noteFailure,
  reportedCost,
  timelineOf,
  usageOf,
} from './ending.ts'
import { completeOnce } from './exchange/complete.ts'
import {
  askedModel,
  type ChatCall,
  type ChatDependencies,
  type ChatReply,
  contextOf,
  type HeldChat,
  type HeldWork,
  isStored,
  keepAnswer,
  noteThoughts,
  toldOf,
} from './held-chat.ts'
import { type CallMeter, meterFor } from './meter.ts'
import {
  amountsWithTools,
  askRound,
  type CallTools,
  costAfter,
  endAfter,
  nextRound,
  noRounds,
} from './rounds.ts'
import { type Attempts, attemptsMax, createAttempts } from './routing/attempts.ts'
import { type ChatPlan, planChat, plansFor } from './routing/plan.ts'
import { answerTimeouts } from './routing/timeouts.ts'
import { readWholeAnswer } from './surface/answer-stream.ts'

/** Chats of all accounts at once in this process. Each holds its request and a connection. */
const chatsAtOnceMax = 4_000
const holdMarginMs = 60_000

export interface Chat {
  /** Throws a CallError if there is no answer. Nothing is charged then. */
  run(call: ChatCall): Promise<ChatReply>
  /** Holds what the call can cost, and queues it as a job with this input instead of answering it. */
  submit(
    call: SubmittedCall,
    job: unknown,
  ): Promise<{
    readonly callId: string
    /** The idempotency key has this call already. */
    readonly isRepeated: boolean
  }>
}

type PlannedCall = Pick<
  ChatCall,
  'surface' | 'body' | 'caller' | 'meter' | 'idempotencyKey' | 'tools'
>
type SubmittedCall = Omit<PlannedCall, 'caller' | 'meter'> & { readonly caller: AccountCaller }

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
    async submit(call, job) {
      const { callId, stored } = await open(dependencies, call, planCall(dependencies, call), job)
      return { callId, isRepeated: stored !== undefined }
    },
  }
}

async function runChat(dependencies: ChatDependencies, call: ChatCall): Promise<ChatReply> {
  const planned = planCall(dependencies, call)
  const kept = await findKept(dependencies, call, planned.chat)
  if (kept !== undefined) return kept
  const { stored, ...opened } = await open(dependencies, call, planned)
  if (stored !== undefined) return replay(call, opened.chat, opened.callId, stored)
  return await answer(dependencies, askRound({ call, ...opened }, noRounds))
}

function planCall(dependencies: ChatDependencies, { surface, body, caller }: PlannedCall) {
  const chat = surface.readRequest(body)
  return { chat, widest: planChat(dependencies, chat, caller?.models) }
}

/** Holds what a call can cost. `stored`: the answer that its idempotency key has already. */
async function open(
  dependencies: ChatDependencies,
  call: PlannedCall,
  { chat, widest }: ReturnType<typeof planCall>,
  job?: unknown,
) {
  const { timeouts } = widest.offer
  const plans = new Map<Micros, ChatPlan>()
  async function* amounts() {
    for (const micros of call.tools ? amountsWithTools(widest, chat, call.tools) : []) yield micros
    for await (const plan of plansFor(widest, chat)) {
      plans.set(plan.worstMicros, plan)
      yield plan.worstMicros
    }
  }
  const opened = await meterOf(dependencies, call).open({
    action: call.surface.action,
    worstMicros: amounts(),
    maxCostMicros: chat.maxCostMicros,
    idempotencyKey: call.idempotencyKey,
    // The fields that were read, so that bodies with the same meaning count as the same request.
    body: { ...chat, json: undefined },
    tokens: tokensOf(chat),
    lifetimeMs: lifetimeOf(timeouts, call.tools),
    needsRow: call.tools?.needsRow === true,
    job,
  })
  const { callId, replay: stored } = opened
  const heldMicros = stored === undefined ? opened.heldMicros : 0
  return { chat, plan: plans.get(heldMicros) ?? widest, callId, heldMicros, stored }
}

function meterOf(
  { meter }: Pick<ChatDependencies, 'meter'>,
  call: Pick<ChatCall, 'caller' | 'meter'>,
): CallMeter {
  if (call.meter !== undefined) return call.meter
  if (call.caller === undefined) throw fail('invalid_token')
  return meterFor(meter, call.caller)
}

function lifetimeOf(timeouts: ChatPlan['offer']['timeouts'], tools: CallTools | undefined): number {
  const answerMs = timeouts.total_ms + attemptsMax * timeouts.answer_ms
  const { callsMax = 0, timeoutMs = 0 } = tools ?? {}
  return (callsMax + 1) * answerMs + callsMax * timeoutMs + holdMarginMs
}

/** Of usual text: for limits of tokens per minute, not for money. */
const bytesPerToken = 4

/** What a chat is counted for until its tokens are known. */
const tokensOf = ({ promptBytes, n, maxTokens }: ModelRequest) =>
  Math.ceil(promptBytes / bytesPerToken) + n * maxTokens

async function answer(dependencies: ChatDependencies, held: HeldChat): Promise<ChatReply> {
  const { call, chat } = held
  const startedAt = dependencies.clock.now()
  const hops: Hop[] = []
  let attempts: Attempts | undefined
  const openAttempts = ({ routes, tier }: ChatPlan) => {
    attempts = createAttempts({ ...dependencies, routes, tier, gone: call.gone, hops })
    return attempts
  }
  const progress = newProgress()
  // An answer ends for the caller only after this is done, so that no complete answer can be lost.
  const close: HeldWork['close'] = async (end, { failed, costMicros, output }) => {
    // The time of several rounds is not that of one answer.
    if (end?.ending === 'complete' && attempts !== undefined && call.tools === undefined)
      noteSpeed(dependencies, end, { attempts, startedAt })
    await meterOf(dependencies, call).close(held.callId, {
      chargedMicros: failed === undefined ? (end?.micros ?? 0) : 0,
      failed: failed && { error: failed.code, message: failed.message },
      costMicros,
      output: isStored(call) ? output : undefined,
      tokens: end && end.usage.promptTokens + end.usage.completionTokens,
      timeline: timelineOf(held, hops, end, dependencies.clock.now() - startedAt),
    })
  }
  const work: HeldWork = { openAttempts, hops, progress, startedAt, close }
  try {
    return chat.stream
      ? await streamAnswer(dependencies, held, work)
      : await completeAnswer(dependencies, held, work)
  } catch (thrown) {
    const left = call.gone.aborted
    const failed = left ? fail('client_closed_request') : toCallError(thrown)
    const costMicros = costOfFailure({ ...progress, left }, dependencies)
    await close(undefined, { failed, costMicros }).catch(ofTransaction(held.callId))
    if (left) return { kind: 'gone' }
    return ofTransaction(held.callId)(failed)
  }
}

/** Counts from the request to the route that answered: attempts before it are not its own. */
function noteSpeed(
  { speed, clock }: ChatDependencies,
  { route, usage, firstTokenMs }: End,
  { attempts, startedAt }: { attempts: Attempts; startedAt: number },
) {
  const beganMs = attempts.startedAtMs()
  speed.note(route, {
    totalMs: clock.now() - beganMs,
    firstTokenMs: firstTokenMs === null ? null : startedAt + firstTokenMs - beganMs,
    completionTokens: usage.completionTokens,
  })
}

async function completeAnswer(
  dependencies: ChatDependencies,
  first: HeldChat,
  work: HeldWork,
): Promise<ChatReply> {
  const { call, callId } = first
  let [held, past] = [first, noRounds]
  for (;;) {
    const { answer, attempt } = await completeRound(dependencies, held, work)
    const { route } = attempt
    const { usage, deliveredBytes, usageFields } = answer
    work.progress.produced = usageOf(held.chat, route, answer).usage
    // An answer is not delivered once its caller has left.
    call.gone.throwIfAborted()
    const round = endOf(held, route, {
      usage,
      deliveredBytes,
      finished: true,
      overran: false,
      ending: 'complete',
      firstTokenMs: null,
      answerId: answer.native.id,
    })
    noteThoughts(dependencies, held.chat, round)
    const end = endAfter(past, round, work.progress)
    const body = answer.write(toldOf(end, usageFields))
    const costMicros = reportedCost(answer)
    const next = await nextRound(held, work, past, { end: round, costMicros, send() {} })
    if (next !== undefined) {
      ;[held, past] = [next.held, next.past]
      continue
    }
    await call.keep?.({ callId, slug: route.slug })
    await work.close(end, {
      costMicros: costAfter(past, round, costMicros, work.progress),
      output: body,
    })
    keepAnswer(dependencies, held, end, () =>
      answer.write(toldOf({ ...end, micros: 0 }, usageFields)),
    )
    const told = answeredBy(askedModel(held.chat, attempt))
    return { kind: 'json', body, headers: { 'x-transaction-id': callId, ...told } }
  }
}

async function completeRound(
  dependencies: ChatDependencies,
  held: HeldChat,
  { openAttempts, progress }: HeldWork,
) {
  const { dispatcher, clock } = dependencies
  const { call, chat, plan } = held
  return await openAttempts(plan).run(async (attempt) => {
    const { route } = attempt
    progress.asked = { chat, route, atMs: clock.now() }
    const timeouts = answerTimeouts(plan.offer, attempt, chat)
    const read = await completeOnce({ dispatcher, route, chat, timeouts, gone: call.gone })
    const context = contextOf(held, route.slug, clock.now())
    const result = readWholeAnswer(call.surface, route.upstream.wire, context, read)
    if (!('kind' in result)) return { answer: result, attempt, brokeOff: undefined }
    noteFailure(progress, result, dependencies)
    return result
  })
}

/** Replays the answer stored for the idempotency key: a completion, or the events of a stream. */
function replay(call: ChatCall, chat: ModelRequest, callId: string, stored: string): ChatReply {
  const headers = { 'x-transaction-id': callId, 'idempotency-replayed': 'true' }
  if (!chat.stream) return { kind: 'json', body: stored, headers }
  const { events }: { events: string } = JSON.parse(stored)
  call.openStream(headers, [])
  return { kind: 'streamed', tail: events }
}

/** An answer that was kept for the same request. It is free, so there is no call. */
async function findKept(
  { answers }: ChatDependencies,
  call: ChatCall,
  chat: ModelRequest,
): Promise<ChatReply | undefined> {
  const { caller } = call
  if (call.cacheSeconds === undefined || caller === undefined || isStored(call)) return undefined
  const kept = await answers.find(caller, chat)
  if (kept === undefined) return undefined
  const headers = {
    'x-transaction-id': kept.callId,
    ...answeredBy({ slug: kept.model, number: 0, dropped: [] }),
    [cacheHeader]: 'hit',
    age: String(kept.ageSeconds),
  }
  if (!chat.stream) return { kind: 'json', body: kept.text, headers }
  call.openStream(headers, [])
  return { kind: 'streamed', tail: kept.text }
}
