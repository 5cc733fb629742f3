// The streamed answer to one chat.
import { fail, toCallError } from '#core/errors.ts'
import { priceOfUsage } from '#core/model-price.ts'
import { type CallerStream, createCallerStream } from './caller-stream.ts'
import { costOfFailure, endOf, isOverrun, noteFailure, reportedCost } from './ending.ts'
import { type Relayed, relayOnce } from './exchange/relay.ts'
import {
  askedModel,
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
import { costAfter, endAfter, nextRound, noRounds, type PastRounds } from './rounds.ts'
import type { Route } from './routing/models.ts'
import { streamTimeouts } from './routing/timeouts.ts'
import { openAnswerStream } from './surface/answer-stream.ts'
import type { AnswerStream } from './surface/surface.ts'

const leftEarly = fail('client_closed_request', {
  message:
    'The caller left here and was charged for the answer up to this point. Call again with another key.',
})
const brokeOff = fail('upstream_error', {
  message: 'The model broke off in the middle of its answer. Nothing was charged; try again.',
})

export async function streamAnswer(
  dependencies: ChatDependencies,
  first: HeldChat,
  work: HeldWork,
): Promise<ChatReply> {
  let [held, past] = [first, noRounds]
  const { call, chat, plan } = first
  const output = createCallerStream({
    openStream: call.openStream,
    callId: held.callId,
    keepAliveMs: plan.offer.timeouts.keep_alive_ms,
    keepAlive: call.surface.keepAlive,
    keeps: isStored(call) || call.cacheSeconds !== undefined,
  })
  const contextFor = (slug: string) => contextOf(held, slug, dependencies.clock.now())
  let firstTokenMs: number | null = null
  /** The answer that the caller receives. */
  let begun: AnswerStream | undefined
  function begin(answer: AnswerStream) {
    if (begun === undefined) {
      firstTokenMs = dependencies.clock.now() - work.startedAt
      output.begin()
    }
    begun = answer
  }
  try {
    for (;;) {
      const round = await relayRound(dependencies, held, work, { output, begin })
      const { state, failure, left } = round.relayed
      const isWhole = failure === undefined && !left && state.finished && !state.overran
      const end = endOf(held, round.route, { ...state, ending: 'complete', firstTokenMs })
      const costMicros = reportedCost(state)
      const send = (events: string) => void output.sink.write(events)
      const next = isWhole
        ? await nextRound(held, work, past, { end, costMicros, send })
        : undefined
      if (next === undefined)
        return await endStream(dependencies, held, work, { ...round, output, firstTokenMs, past })
      ;[held, past] = [next.held, next.past]
    }
  } catch (thrown) {
    // Once the caller has headers, the error can only be an event.
    if (!output.isOpen() || call.gone.aborted) throw thrown
    const failed = toCallError(thrown)
    // The caller is told even if the hold cannot be ended now; the ledger logs why.
    const costMicros = costOfFailure({ ...work.progress, left: false }, dependencies)
    await work.close(undefined, { failed, costMicros }).catch(() => {})
    const failing = begun ?? call.surface.openWriter(contextFor(chat.model))
    return { kind: 'streamed', tail: failing.fail(failed) }
  } finally {
    output.close()
  }
}

async function relayRound(
  dependencies: ChatDependencies,
  held: HeldChat,
  { openAttempts, progress }: HeldWork,
  {
    output,
    begin,
  }: { readonly output: CallerStream; readonly begin: (answer: AnswerStream) => void },
) {
  const { dispatcher, clock } = dependencies
  const { call, chat, plan } = held
  return await openAttempts(plan).run(async (attempt) => {
    const { route } = attempt
    progress.asked = { chat, route, atMs: clock.now() }
    output.attempt(askedModel(chat, attempt))
    const context = contextOf(held, route.slug, clock.now())
    const answer = openAnswerStream(call.surface, route.upstream.wire, context)
    const result = await relayOnce({
      dispatcher,
      route,
      chat,
      answer,
      timeouts: streamTimeouts(plan.offer, attempt, chat),
      sink: output.sink,
      gone: call.gone,
      isOverrun: (state) => isOverrun(held, route, state),
      onBegin: () => begin(answer),
    })
    if (!('kind' in result)) return { relayed: result, route, answer, brokeOff: result.failure }
    noteFailure(progress, result, dependencies)
    return result
  })
}

async function endStream(
  dependencies: ChatDependencies,
  held: HeldChat,
  { close, progress }: HeldWork,
  told: {
    readonly relayed: Relayed
    readonly route: Route
    readonly answer: AnswerStream
    readonly output: CallerStream
    readonly firstTokenMs: number | null
    readonly past: PastRounds
  },
): Promise<ChatReply> {
  const { relayed, route, answer, output, firstTokenMs, past } = told
  const { state, failure, left } = relayed
  const ending = failure !== undefined ? 'broken' : left ? 'client_gone' : 'complete'
  const answerId = answer.answerId?.()
  const round = endOf(held, route, { ...state, answerId, ending, firstTokenMs })
  const end = endAfter(past, round, progress)
  if (failure !== undefined) {
    const costMicros = progress.failedMicros + priceOfUsage(route.price, round.usage)
    await close(end, { failed: brokeOff, costMicros })
    return { kind: 'streamed', tail: answer.fail(brokeOff) }
  }
  noteThoughts(dependencies, held.chat, round)
  // A replay of an answer that its caller left says that it is incomplete.
  const isPartial = left && !state.finished
  const tail = isPartial ? answer.fail(leftEarly) : answer.end(toldOf(end, state.usageFields))
  if (!isPartial) {
    progress.produced = round.usage
    await held.call.keep?.({ callId: held.callId, slug: route.slug })
  }
  const costMicros = costAfter(past, round, reportedCost(state), progress)
  const sent = output.sent(tail)
  await close(end, { costMicros, output: sent && JSON.stringify({ events: sent }) })
  if (state.finished && !state.overran && !left)
    keepAnswer(dependencies, held, end, () =>
      output.sent(answer.end(toldOf({ ...end, micros: 0 }, state.usageFields))),
    )
  return left ? { kind: 'gone' } : { kind: 'streamed', tail }
}
