// The streamed answer to one chat.
import { type CallError, fail, toCallError } from '#core/errors.ts'
import { priceOfUsage } from '#core/model-price.ts'
import { type CallerStream, createCallerStream } from './caller-stream.ts'
import { chatErrorBody } from './chat-error.ts'
import { costOfFailure, type End, endOf, isOverrun, noteFailure, reportedCost } from './ending.ts'
import { type Relayed, relayOnce } from './exchange/relay.ts'
import { writeEvent } from './exchange/sse.ts'
import {
  type ChatDependencies,
  type ChatReply,
  type HeldChat,
  type HeldWork,
  noteThoughts,
} from './held-chat.ts'
import type { Route } from './routing/models.ts'
import { streamTimeouts } from './routing/timeouts.ts'
import { describeUsage } from './usage.ts'

const leftEarly = fail('client_closed_request', {
  message:
    'The caller left here and was charged for the answer up to this point. Call again with another key.',
})
const brokeOff = fail('upstream_error', {
  message: 'The model broke off in the middle of its answer. Nothing was charged; try again.',
})

export async function streamAnswer(
  dependencies: ChatDependencies,
  held: HeldChat,
  work: HeldWork,
): Promise<ChatReply> {
  const { call, chat, plan } = held
  const output = createCallerStream({
    openStream: call.openStream,
    callId: held.callId,
    keepAliveMs: plan.offer.timeouts.keep_alive_ms,
    keeps: call.idempotencyKey !== undefined,
  })
  let firstTokenMs: number | null = null
  try {
    const { relayed, route } = await work.attempts.run(async (attempt) => {
      const { route } = attempt
      work.progress.asked = route
      output.attempt({ ...attempt, slug: route.slug })
      const result = await relayOnce({
        dispatcher: dependencies.dispatcher,
        route,
        chat,
        timeouts: streamTimeouts(plan.offer, attempt, chat),
        sink: output.sink,
        gone: call.gone,
        isOverrun: (state) => isOverrun(held, route, state),
        onBegin() {
          firstTokenMs = dependencies.clock.now() - work.startedAt
          output.begin()
        },
      })
      if (!('kind' in result)) return { relayed: result, route, brokeOff: result.failure }
      noteFailure(chat, route, work.progress, result)
      return result
    })
    return await endStream(dependencies, held, work, { relayed, route, output, firstTokenMs })
  } catch (thrown) {
    // Once the caller has headers, the error can only be an event.
    if (!output.isOpen() || call.gone.aborted) throw thrown
    const failed = toCallError(thrown)
    // The caller is told even if the hold cannot be ended now; the ledger logs why.
    const costMicros = costOfFailure(chat, { ...work.progress, left: false })
    await work.close(undefined, { failed, costMicros }).catch(() => {})
    return { kind: 'streamed', tail: errorEvent(failed) }
  } finally {
    output.close()
  }
}

async function endStream(
  dependencies: ChatDependencies,
  held: HeldChat,
  { close, progress }: HeldWork,
  told: {
    readonly relayed: Relayed
    readonly route: Route
    readonly output: CallerStream
    readonly firstTokenMs: number | null
  },
): Promise<ChatReply> {
  const { relayed, route, output, firstTokenMs } = told
  const { state, failure, left } = relayed
  const ending = failure !== undefined ? 'broken' : left ? 'client_gone' : 'complete'
  const end = endOf(held, route, { ...state, ending, firstTokenMs })
  if (failure !== undefined) {
    const costMicros = progress.failedMicros + priceOfUsage(route.price, end.usage)
    await close(end, { failed: brokeOff, costMicros })
    return { kind: 'streamed', tail: errorEvent(brokeOff) }
  }
  if (state.finished && !state.overran)
    noteThoughts(dependencies, held.chat, end, state.usageFields)
  // A replay of an answer that its caller left says that it is incomplete.
  const tail =
    left && !state.finished
      ? errorEvent(leftEarly)
      : `${usageEvent(held, end, relayed)}data: [DONE]\n\n`
  await close(end, { costMicros: reportedCost(state), output: output.stored(tail) })
  return left ? { kind: 'gone' } : { kind: 'streamed', tail }
}

function usageEvent({ chat }: HeldChat, end: End, { state }: Relayed): string {
  if (!chat.includeUsage) return ''
  return writeEvent({
    id: state.id,
    object: 'chat.completion.chunk',
    created: state.created,
    model: end.route.slug,
    choices: [],
    usage: describeUsage(end.usage, { ...end, fields: state.usageFields }),
  })
}

function errorEvent(error: CallError): string {
  return writeEvent(chatErrorBody(error))
}
