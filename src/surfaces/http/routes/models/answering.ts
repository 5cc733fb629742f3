// How a call of a model's surface is answered over HTTP.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AccountCaller } from '#core/caller.ts'
import { chatErrorBody } from '#features/models/llm/surface/chat/error-body.ts'
import type { SurfaceCall, SurfaceReply } from '#features/models/surfaces/request.ts'
import { readIdempotencyKey } from '#runner/idempotency.ts'
import { idempotencyKeyOf } from '../../../doors/input.ts'
import { adviseOnRetry, whenLeft } from './model-answers.ts'

/** Errors in the form that clients of these surfaces read. */
export const surfaceConfig = { errorBody: chatErrorBody, takesZeros: true } as const

/** Runs a call and sends its answer. */
export async function answerCall(
  request: FastifyRequest,
  reply: FastifyReply,
  caller: AccountCaller,
  run: (call: SurfaceCall) => Promise<SurfaceReply>,
): Promise<FastifyReply> {
  request.isPaid = true
  const gone = whenLeft(reply)
  const idempotencyKey = readIdempotencyKey(idempotencyKeyOf(request))
  const answered = await run({ caller, idempotencyKey, gone }).catch(adviseOnRetry(reply))
  if (answered.kind === 'gone') return reply.send()
  reply.headers({ ...answered.headers, 'content-type': answered.type })
  return reply.send(answered.kind === 'whole' ? answered.body : answered.bytes)
}
