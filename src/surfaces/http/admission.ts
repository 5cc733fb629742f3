// Lets a request in before its body is read: who calls, and whether the caller or its source may call again yet.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { hashApiKey, isWellFormedApiKey } from '#accounts/keys/api-key.ts'
import type { Authenticate } from '#accounts/keys/authentication.ts'
import type { AccountCaller } from '#core/caller.ts'
import { type CallError, fail, toCallError } from '#core/errors.ts'
import { pointsOfKnown, pointsOfRefused, pointsOfStranger } from './body.ts'
import { type RateLimit, type RateLimitVerdict, rateLimited, sourceOf } from './rate-limit.ts'

/**
 * Keys that were good lately are counted for their account at once, so that a flood from the same source does no harm. They
 * are known by their hash: a dump of this process's memory shows no key of an idle caller.
 */
const familiarKeysMax = 10_000
/** On top of the request itself, for a well-formed key that the database does not know. */
const wrongKeyPoints = 4

export interface Admission {
  /** Throws `rate_limited` and `invalid_token`; a source that sends too much is refused without asking the database. */
  admit(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /**
   * Checks the key once more where the body came later than the first check: however slowly it was sent, it is not carried out
   * for a key that was revoked meanwhile. Throws `invalid_token`, `account_frozen`.
   */
  admitBody(request: FastifyRequest): Promise<void>
  /** Counts more for a request that turned out to cost more. Throws `rate_limited`. */
  weigh(request: FastifyRequest, reply: FastifyReply, points: number): Promise<void>
  /** The same for a request that is refused already. */
  countRefused(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Counts what never became a request: its rate-limit headers. */
  countBroken(address: string): Promise<RateLimitVerdict>
}

interface Identified {
  readonly caller?: AccountCaller
  readonly error?: CallError
  /** What is counted for it. */
  readonly verdict: RateLimitVerdict
}

export function createAdmission({
  authenticate,
  rateLimit,
}: {
  authenticate: Authenticate
  rateLimit: RateLimit
}): Admission {
  const familiarKeys = new Map<string, string>()

  async function identify(request: FastifyRequest): Promise<Identified> {
    const token = bearerToken(request)
    const source = sourceOf(request.ip)
    const points = 1 + pointsOfStranger(request)
    // The operator's own routes know their token themselves.
    if (token === undefined || request.routeOptions.config.operator)
      return { verdict: await rateLimit.take(source, points) }
    if (!isWellFormedApiKey(token))
      return { error: fail('invalid_token'), verdict: await rateLimit.take(source, points) }
    const hash = hashApiKey(token).toString('latin1')
    const accountId = familiarKeys.get(hash)
    const counted = await (accountId === undefined
      ? rateLimit.take(source)
      : rateLimit.take(accountId, 1 + pointsOfKnown(request)))
    if (!counted.allowed) return { verdict: counted }
    try {
      const caller = await authenticate(token)
      if (accountId !== undefined) return { caller, verdict: counted }
      await rateLimit.giveBack(source, 1)
      remember(hash, caller)
      return { caller, verdict: await rateLimit.take(caller.accountId, 1 + pointsOfKnown(request)) }
    } catch (thrown) {
      const error = toCallError(thrown)
      // A database that is away says nothing about the key.
      if (error.code !== 'invalid_token') return { error, verdict: counted }
      familiarKeys.delete(hash)
      return { error, verdict: await rateLimit.take(source, points - 1 + wrongKeyPoints) }
    }
  }

  function remember(hash: string, { accountId }: AccountCaller) {
    const [oldest] = familiarKeys.keys()
    if (familiarKeys.size >= familiarKeysMax && oldest !== undefined) familiarKeys.delete(oldest)
    familiarKeys.set(hash, accountId)
  }

  const count = ({ caller, ip }: FastifyRequest, points: number) =>
    rateLimit.take(caller?.accountId ?? sourceOf(ip), points)

  return {
    async admit(request, reply) {
      const { caller, error, verdict } = await identify(request)
      reply.headers(verdict.headers)
      if (!verdict.allowed) throw rateLimited(verdict)
      if (error !== undefined) throw error
      request.caller = caller
      request.bodyIsLate = !request.raw.complete
    },
    async admitBody(request) {
      const { caller, bodyIsLate } = request
      const token = bearerToken(request)
      if (caller === undefined || token === undefined || !bodyIsLate) return
      request.caller = await authenticate(token)
    },
    async weigh(request, reply, points) {
      const verdict = await count(request, points)
      reply.headers(verdict.headers)
      if (!verdict.allowed) throw rateLimited(verdict)
    },
    async countRefused(request, reply) {
      const points = pointsOfRefused(request)
      if (points > 0) reply.headers((await count(request, points)).headers)
    },
    countBroken: (address) => rateLimit.take(sourceOf(address)),
  }
}

export function bearerToken(request: FastifyRequest): string | undefined {
  const header = request.headers.authorization
  return header === undefined || request.server.paymentHeaders.isPaymentAuthorization(header)
    ? undefined
    : header.replace(/^bearer +/i, '')
}
