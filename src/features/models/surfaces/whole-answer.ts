// A call whose answer is read to its end before any of it is passed on.
import { type CallError, errorOf, fail, ofTransaction, toCallError } from '#core/errors.ts'
import { isObject } from '../llm/conversation/fields.ts'
import { collectBytes, collectOnce } from '../llm/exchange/complete.ts'
import { readFailureReply, statusOfError, type UpstreamFailure } from '../llm/exchange/failure.ts'
import type { Attempted } from '../llm/routing/attempts.ts'
import type { Route } from '../llm/routing/models.ts'
import {
  costOfFailure,
  endOf,
  type HeldCall,
  noteFailure,
  type SurfaceDependencies,
  timeoutsFor,
} from './held-call.ts'
import type { SurfaceAnswer, SurfaceReply, SurfaceRequest, WholeRequest } from './request.ts'

interface Answered extends Attempted {
  readonly answer: SurfaceAnswer
  readonly route: Route
  readonly number: number
}

export async function answerWhole(
  { dispatcher, local }: Pick<SurfaceDependencies, 'dispatcher' | 'local'>,
  held: HeldCall,
  request: WholeRequest,
): Promise<SurfaceReply> {
  const { call, progress } = held
  try {
    const { answer, route, number } = await held.attempts.run<Answered>(async (attempt) => {
      const { route, number } = attempt
      progress.asked = route
      const result =
        request.answerHere !== undefined && local.isHere(route)
          ? await request.answerHere(local, call)
          : await collectOnce(
              requestTo(route, request),
              collectBytes(request.answerBytesMax, (reply) => readWhole(request, route, reply)),
              { dispatcher, timeouts: timeoutsFor(held, attempt), gone: call.gone },
            )
      if (!('kind' in result)) return { answer: result, route, number, brokeOff: undefined }
      noteFailure(held, route, result)
      return result
    })
    // An answer is not delivered once its caller has left.
    call.gone.throwIfAborted()
    const end = endOf(held, route, { usage: answer.usage, ending: 'complete' })
    const { stored, ...reply } = answer.finish({ slug: route.slug, ...end })
    await held.close(end, { stored })
    return { kind: 'whole', headers: headersOf(held.callId, route, number), ...reply }
  } catch (thrown) {
    return await endFailed(held, thrown)
  }
}

/** Ends the hold of a call without an answer. Throws its error, unless the caller has left. */
export async function endFailed(held: HeldCall, thrown: unknown): Promise<{ kind: 'gone' }> {
  const left = held.call.gone.aborted
  const failed: CallError = left ? fail('client_closed_request') : toCallError(thrown)
  const costMicros = costOfFailure(held, left)
  await held.close(undefined, { failed, costMicros }).catch(ofTransaction(held.callId))
  return left ? { kind: 'gone' } : ofTransaction(held.callId)(failed)
}

export const headersOf = (callId: string, { slug }: Route, number: number) => ({
  'x-transaction-id': callId,
  'x-model': slug,
  'x-attempts': String(number),
})

/** The request to one upstream, with its credential. */
export function requestTo(route: Route, request: SurfaceRequest) {
  const { origin, basePath, headers } = route.upstream
  const { path, type, accept = 'application/json', body } = request.write(route)
  return {
    origin,
    path: basePath + path,
    headers: { ...headers, 'content-type': type, accept },
    body,
  }
}

function readWhole(
  request: WholeRequest,
  route: Route,
  reply: Buffer,
): SurfaceAnswer | UpstreamFailure {
  try {
    return request.read(reply, route)
  } catch (error) {
    const refusal = refusalIn(reply)
    if (refusal !== undefined) return refusal
    const billed = { deliveredBytes: reply.length }
    return { kind: 'unreadable', reason: errorOf(error).message.slice(0, 100), billed }
  }
}

/** An error inside a 200. */
function refusalIn(reply: Buffer): UpstreamFailure | undefined {
  try {
    const json = JSON.parse(reply.toString())
    if (!isObject(json) || !isObject(json.error)) return undefined
    return readFailureReply(statusOfError(json.error), json)
  } catch {
    return undefined
  }
}
