// Idempotency-Key for routes other than calls.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ClientBase } from 'pg'
import { readIdempotencyKey } from '#runner/idempotency.ts'
import type { Once } from '#runner/once.ts'
import { idempotencyKeyOf } from '../../doors/input.ts'
import { bearerToken } from '../admission.ts'
import { readProvenCookie } from '../sign-in/cookie.ts'

/** Carries out the request once for its Idempotency-Key, and answers it. */
export async function answerOnce<Answer extends object>(
  { once, sender }: { once: Once; sender: string },
  request: FastifyRequest,
  reply: FastifyReply,
  work: (client: ClientBase) => Promise<Answer>,
): Promise<Answer> {
  const [path = ''] = request.url.split('?')
  const { answer, replayed } = await once.run(
    {
      sender,
      credential: bearerToken(request) ?? readProvenCookie(request) ?? '',
      idempotencyKey: readIdempotencyKey(idempotencyKeyOf(request)),
      operation: `${request.method} ${path}`,
      body: request.body,
    },
    work,
  )
  if (replayed) reply.header('idempotency-replayed', 'true')
  reply.header('cache-control', 'no-store')
  return answer
}
