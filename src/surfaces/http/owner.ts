// Who reads or uses what an account or a wallet owns.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AccountCaller, Caller } from '#core/caller.ts'
import { fail } from '#core/errors.ts'
import type { Keyless } from '#runner/keyless/keyless.ts'
import { requireCaller } from './server.ts'

declare module 'fastify' {
  interface FastifyInstance {
    requireOwner: (request: FastifyRequest) => Promise<Caller>
  }
}

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

/** The account of an unlimited key, and the key. */
export interface Manager {
  readonly accountId: string
  readonly keyId: string
}

/** Throws `forbidden` for a limited key. `Keys` checks this again in its transaction. */
export function requireManager({ accountId, keyId, isLimited }: AccountCaller): Manager {
  if (!isLimited) return { accountId, keyId }
  throw fail('forbidden', {
    message: 'A limited API key cannot manage keys. Use an unlimited key of the account.',
  })
}
