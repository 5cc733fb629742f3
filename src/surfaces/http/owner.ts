// Who reads or uses what an account or a wallet owns.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Caller } from '#core/caller.ts'
import type { Keyless } from '#runner/keyless/keyless.ts'
import { requireCaller } from './server.ts'

/**
 * Resolves to the account of the API key, or to the wallet that the request proves. Throws a challenge without either.
 */
export function createOwnerCheck(
  server: FastifyInstance,
  keyless: Pick<Keyless, 'rails' | 'identify'>,
) {
  return async (request: FastifyRequest): Promise<Caller> => {
    if (request.caller !== undefined || keyless.rails.length === 0) return requireCaller(request)
    const [path = ''] = request.url.split('?')
    return await keyless.identify({
      path,
      bodyText: request.bodyText,
      payment: server.paymentHeaders.read(request),
    })
  }
}
