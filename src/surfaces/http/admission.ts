// Admits a request before its body is read: identifies the caller, and applies the rate limit of the caller or its
// source.
import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ApiKeyHash, readApiKey, readBearer } from '#accounts/keys/api-key.ts'
import type { Authenticate } from '#accounts/keys/authentication.ts'
import type { BrowserSignIn, SignIns } from '#accounts/sign-in/sign-ins.ts'
import { type AccessEnd, type OpenAccess, refusalOf, rightOf } from '#core/access/open-access.ts'
import type { AccountCaller } from '#core/caller.ts'
import { type CallError, fail, toCallError } from '#core/errors.ts'
import { errorBody } from '../doors/error-body.ts'
import {
  type RateLimit,
  type RateLimitVerdict,
  rateLimited,
  sourceOf,
} from '../doors/rate-limit.ts'
import { pointsOfKnown, pointsOfRefused, pointsOfStranger } from './body.ts'
import { isOfEarlierSignIn, readProvenCookie, signInChanged } from './sign-in/cookie.ts'
import type { OperatorCheck, OperatorProof } from './sign-in/operator-check.ts'

/** Keys that were valid lately count for their account at once, so that a flood from the same source does no harm. */
const familiarKeysMax = 10_000
/** What the operator's requests count for, wherever they come from. */
const operatorCount = 'operator'
const familiarOperatorsMax = 100
/** Points for a well-formed key that the database does not know, on top of the request itself. */
const wrongKeyPoints = 4

export interface Admission {
  /**
   * Throws `rate_limited`, `invalid_token`, `account_frozen`. A source over its limit is refused without a database
   * query.
   */
  admit(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /**
   * Checks the key again where the body came later than the first check: a request that is sent slowly is not carried
   * out for a key that was revoked meanwhile. Throws `invalid_token`, `account_frozen`.
   */
  admitBody(request: FastifyRequest): Promise<void>
  /** Counts more points for a request that costs more than others. Throws `rate_limited`. */
  weigh(request: FastifyRequest, reply: FastifyReply, points: number): Promise<void>
  /** The same for a request that is refused already. */
  countRefused(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Counts bytes that never became a request. Resolves to its rate-limit headers. */
  countBroken(address: string): Promise<RateLimitVerdict>
}

/** Ends a request with the key that admitted it. A route that opens a door registers what it opens itself. */
function endWithKey(
  access: Pick<OpenAccess, 'enter'>,
  caller: AccountCaller,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { outlivesKey, door } = request.routeOptions.config
  if (outlivesKey || door !== undefined) return
  const { raw } = reply
  const leave = access.enter('request', rightOf(caller), (why) => {
    if (raw.headersSent) raw.destroy()
    // A late body is refused when it has arrived, by `admitBody`.
    else if (request.raw.complete && !request.isPaid) refuseEnded(reply, why)
  })
  raw.once('close', leave)
}

/** Answers in place of the route, which may still be waiting for something. */
function refuseEnded(reply: FastifyReply, why: AccessEnd) {
  const error = refusalOf(why, 'The key has ended while this request was under way.')
  const { raw } = reply
  reply.hijack()
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) raw.setHeader(name, value)
  }
  raw.setHeader('content-type', 'application/json; charset=utf-8')
  raw.setHeader('connection', 'close')
  raw.writeHead(error.status).end(JSON.stringify(errorBody(error)))
}

interface Identified {
  readonly caller?: AccountCaller
  readonly isOperator?: boolean
  readonly error?: CallError
  /** The rate limit after this request. */
  readonly verdict: RateLimitVerdict
}

interface Dependencies {
  authenticate: Authenticate
  signIns: Pick<SignIns, 'find'>
  access: Pick<OpenAccess, 'enter'>
  rateLimit: RateLimit
  operatorCheck: OperatorCheck
  isApart: (request: IncomingMessage) => boolean
}

/**
 * What a request without an account counts for. At the operator's own listener an address has a count of its own:
 * where a proxy and the operator share an address, the crowd behind the proxy does not keep the operator from signing
 * in.
 */
const createSourceCheck =
  ({ isApart }: Pick<Dependencies, 'isApart'>) =>
  ({ ip, raw }: FastifyRequest) =>
    isApart(raw) ? `${sourceOf(ip)} at the operator’s listener` : sourceOf(ip)

export function createAdmission(dependencies: Dependencies): Admission {
  const { authenticate, signIns, access, rateLimit } = dependencies
  const identify = createIdentification(dependencies)
  const readSource = createSourceCheck(dependencies)

  const count = (request: FastifyRequest, points: number) =>
    rateLimit.take(request.countedFor ?? readSource(request), points)

  return {
    async admit(request, reply) {
      const { caller, isOperator, error, verdict } = await identify(request)
      reply.headers(verdict.headers)
      if (!verdict.allowed) throw rateLimited(verdict)
      if (error !== undefined) throw error
      request.caller = caller
      request.countedFor = isOperator ? operatorCount : caller?.accountId
      if (caller !== undefined) endWithKey(access, caller, request, reply)
      request.bodyIsLate = caller !== undefined && !request.raw.complete
    },
    async admitBody(request) {
      if (!request.bodyIsLate) return
      const sent = bearerToken(request)
      const cookie = sent === undefined ? readProvenCookie(request) : undefined
      const hash =
        cookie === undefined ? readBearer(sent ?? '') : (await signIns.find(cookie))?.keyHash
      if (hash === undefined) throw signedOut()
      request.caller = await authenticate(hash)
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

/**
 * Identifies the operator, whose requests have a count of their own: strangers behind the same address cannot use it
 * up. A wrong token counts for its address. What is looked up in the database must have been right before to count as
 * the operator's.
 */
function createOperatorIdentification({
  operatorCheck,
  rateLimit,
  isApart,
}: Pick<Dependencies, 'operatorCheck' | 'rateLimit' | 'isApart'>) {
  const familiar = new Set<string>()
  const readSource = createSourceCheck({ isApart })

  async function identifyByLookup(source: string, proof: OperatorProof): Promise<Identified> {
    const credential = proof.token ?? proof.cookie ?? ''
    const isFamiliar = familiar.has(credential)
    const counted = await rateLimit.take(isFamiliar ? operatorCount : source)
    if (!counted.allowed) return { verdict: counted }
    const isOperator = (await operatorCheck.find(proof)) !== undefined
    if (!isOperator) familiar.delete(credential)
    if (!isOperator || isFamiliar) return { isOperator, verdict: counted }
    const [oldest] = familiar
    if (familiar.size >= familiarOperatorsMax && oldest !== undefined) familiar.delete(oldest)
    familiar.add(credential)
    await rateLimit.giveBack(source, 1)
    return { isOperator, verdict: await rateLimit.take(operatorCount) }
  }

  return async (request: FastifyRequest): Promise<Identified> => {
    const token = bearerToken(request)
    const source = readSource(request)
    if (token !== undefined && operatorCheck.isAdminToken(token))
      return { isOperator: true, verdict: await rateLimit.take(operatorCount) }
    const cookie = token === undefined ? readProvenCookie(request) : undefined
    if (cookie !== undefined) return await identifyByLookup(source, { cookie })
    if (token === undefined)
      return { verdict: await rateLimit.take(source, 1 + pointsOfStranger(request)) }
    const known =
      readApiKey(token) === undefined ? undefined : await identifyByLookup(source, { token })
    if (known !== undefined && (known.isOperator || !known.verdict.allowed)) return known
    const counted = known === undefined ? 1 : 0
    return {
      verdict: await rateLimit.take(source, counted + pointsOfStranger(request) + wrongKeyPoints),
    }
  }
}

function createIdentification(dependencies: Dependencies) {
  const { authenticate, signIns, rateLimit } = dependencies
  const identifyOperator = createOperatorIdentification(dependencies)
  const readSource = createSourceCheck(dependencies)
  const familiarKeys = new Map<ApiKeyHash, string>()

  function remember(hash: ApiKeyHash, { accountId }: AccountCaller) {
    const [oldest] = familiarKeys.keys()
    if (familiarKeys.size >= familiarKeysMax && oldest !== undefined) familiarKeys.delete(oldest)
    familiarKeys.set(hash, accountId)
  }

  async function identifyByKey(request: FastifyRequest, hash: ApiKeyHash): Promise<Identified> {
    // Apart from requests without a key: a crowd behind the same address does not use it up.
    const source = `${readSource(request)} with keys`
    const knownPoints = 1 + pointsOfKnown(request)
    const accountId = familiarKeys.get(hash)
    const counted = await (accountId === undefined
      ? rateLimit.take(source)
      : rateLimit.take(accountId, knownPoints))
    if (!counted.allowed) return { verdict: counted }
    try {
      const caller = await authenticate(hash)
      if (accountId !== undefined) return { caller, verdict: counted }
      await rateLimit.giveBack(source, 1)
      remember(hash, caller)
      return { caller, verdict: await rateLimit.take(caller.accountId, knownPoints) }
    } catch (thrown) {
      const error = toCallError(thrown)
      // An unavailable database says nothing about the key.
      if (error.code !== 'invalid_token') return { error, verdict: counted }
      familiarKeys.delete(hash)
      const points = pointsOfStranger(request) + wrongKeyPoints
      return { error, verdict: await rateLimit.take(source, points) }
    }
  }

  async function identifyByCookie(request: FastifyRequest, cookie: string): Promise<Identified> {
    const source = readSource(request)
    const counted = await rateLimit.take(source)
    if (!counted.allowed) return { verdict: counted }
    const signIn = await signIns.find(cookie)
    if (signIn?.keyHash === undefined) return { error: signedOut(signIn), verdict: counted }
    await rateLimit.giveBack(source, 1)
    return await identifyByKey(request, signIn.keyHash)
  }

  return async (request: FastifyRequest): Promise<Identified> => {
    // Some routes check their credential themselves.
    const { operator, credentialOfItsOwn } = request.routeOptions.config
    if (operator) return await identifyOperator(request)
    const token = bearerToken(request)
    const isKey = token !== undefined && !credentialOfItsOwn
    const hash = isKey ? readBearer(token) : undefined
    if (hash !== undefined) return await identifyByKey(request, hash)
    const cookie =
      request.headers.authorization === undefined && !isKey && !credentialOfItsOwn
        ? readProvenCookie(request)
        : undefined
    if (cookie !== undefined) return await identifyByCookie(request, cookie)
    const verdict = await rateLimit.take(readSource(request), 1 + pointsOfStranger(request))
    if (isKey) return { error: fail('invalid_token'), verdict }
    return request.headers.authorization !== undefined || !isOfEarlierSignIn(request)
      ? { verdict }
      : { error: signInChanged(), verdict }
  }
}

const signedOut = (signIn?: BrowserSignIn) =>
  fail('invalid_token', {
    message: signIn?.operator
      ? 'You are signed in as the operator, without an account. Sign in with an API key too.'
      : 'You are signed out. Sign in at /sign-in.',
  })

export function bearerToken(request: FastifyRequest): string | undefined {
  const { authorization: header } = request.headers
  if (header === undefined) return keyOfItsOwnHeader(request)
  return request.server.paymentHeaders.isPaymentAuthorization(header)
    ? undefined
    : header.replace(/^bearer +/i, '')
}

/** Clients of some routes send their key in a header of another name. */
function keyOfItsOwnHeader({ headers, routeOptions }: FastifyRequest): string | undefined {
  const { keyHeader } = routeOptions.config
  const sent = keyHeader === undefined ? undefined : headers[keyHeader]
  return typeof sent === 'string' ? sent : undefined
}
