// Finds who reads or uses what an account or a wallet owns.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AccountCaller, Caller } from '#core/caller.ts'
import { fail } from '#core/errors.ts'
import type { Keyless } from '#runner/keyless/keyless.ts'

declare module 'fastify' {
  interface FastifyInstance {
    requireOwner: (request: FastifyRequest) => Promise<Caller>
  }
}

/** The caller of a route that requires one. Throws `invalid_token`. */
export function requireCaller(request: FastifyRequest): AccountCaller {
  if (request.caller === undefined) throw fail('invalid_token')
  return request.caller
}

/**
 * Resolves to the account of the API key, or to the wallet that the request proves. Throws a challenge without either.
 */
export function createOwnerCheck(
  server: FastifyInstance,
  keyless: Pick<Keyless, 'rails' | 'identify'>,
) {
  return (request: FastifyRequest): Promise<Caller> => {
    const [path = ''] = request.url.split('?')
    return findOwner(keyless, request, {
      path,
      bodyText: request.bodyText,
      payment: server.paymentHeaders.read(request),
    })
  }
}

/** As `createOwnerCheck`, of a request whose wallet proves itself by `asked`. */
export async function findOwner(
  keyless: Pick<Keyless, 'rails' | 'identify'>,
  request: FastifyRequest,
  asked: Parameters<Keyless['identify']>[0],
): Promise<Caller> {
  if (request.caller !== undefined || keyless.rails.length === 0) return requireCaller(request)
  return await keyless.identify(asked)
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
    message: 'A limited API key cannot manage keys or plans. Use an unlimited key of the account.',
  })
}
