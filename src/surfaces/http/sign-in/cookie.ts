// The cookie of a person who is signed in. Browsers send it along with requests of any page, so it counts as a
// credential only beside a token that no page of another origin can read.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { fail } from '#core/errors.ts'

/** The header with the CSRF token of `GET /api/v1/sign-in`. */
const csrfHeader = 'x-csrf-token'

/** A browser sets a cookie with this prefix for exactly one host, and sends it over TLS only. */
const cookieNames = { https: '__Host-tollway', http: 'tollway' } as const
const cookieValue = /^[A-Za-z0-9_-]{43}$/

/** The sign-ins to other accounts that the browser holds. Each is a credential once the person switches to it. */
const othersSuffix = '-others'
export const othersMax = 4
const othersValue = /^[A-Za-z0-9_-]{43}(\.[A-Za-z0-9_-]{43}){0,3}$/

/** Knows the browser that asked for a link by mail. It is not a credential. */
const browserSuffix = '-browser'
const browserSecretBytes = 32

/** The token in the cookie. The request may come from any page. */
export const readCookie = (request: FastifyRequest) => readValue(request)

/** The tokens of the sign-ins that wait. */
export const readOthers = (request: FastifyRequest): readonly string[] =>
  readValue(request, othersSuffix, othersValue)?.split('.') ?? []

/** The secret by which the browser that asked for a mailed link is known. */
export const readBrowserSecret = (request: FastifyRequest) => readValue(request, browserSuffix)

/** Gives the browser a secret, or lets it keep the one that it has. */
export function setBrowserSecret(
  request: FastifyRequest,
  reply: FastifyReply,
  lifetimeSeconds: number,
): string {
  const token = readBrowserSecret(request) ?? randomBytes(browserSecretBytes).toString('base64url')
  const expiresAt = new Date(Date.now() + lifetimeSeconds * 1_000)
  reply.header('set-cookie', cookieText(siteOf(request), { token, expiresAt }, browserSuffix))
  return token
}

/**
 * At an https gateway only the name with the prefix counts: pages of other hosts of the domain can set the other one.
 */
function readValue(
  request: FastifyRequest,
  suffix = '',
  pattern = cookieValue,
): string | undefined {
  const { cookie } = request.headers
  if (cookie === undefined) return undefined
  const wanted = nameFor(siteOf(request)) + suffix
  const pairs = cookie.split(';').map((pair) => pair.trim().split('='))
  return pairs
    .flatMap(([name, value = '']) => (name === wanted && pattern.test(value) ? [value] : []))
    .at(0)
}

/** The operator's listener speaks plain http, also where the gateway's address is https. */
const siteOf = ({ server, raw }: FastifyRequest) => server.siteOf(raw)

const isSecure = (site: string) => site.startsWith('https:')
const nameFor = (site: string) => cookieNames[isSecure(site) ? 'https' : 'http']

/** The token in the cookie of a request that proves to come from a page of this gateway. */
export function readProvenCookie(request: FastifyRequest): string | undefined {
  const token = readCookie(request)
  const proof = request.headers[csrfHeader]
  if (token === undefined || typeof proof !== 'string') return undefined
  return isCsrfToken(token, proof) && isSameOrigin(request) ? token : undefined
}

/**
 * Whether a page of this gateway asks that was opened for another sign-in than the one the cookie is of now: the person
 * has switched accounts in another tab, or has signed in again.
 */
export function isOfEarlierSignIn(request: FastifyRequest): boolean {
  const proof = request.headers[csrfHeader]
  return (
    typeof proof === 'string' &&
    readCookie(request) !== undefined &&
    readProvenCookie(request) === undefined &&
    isSameOrigin(request)
  )
}

export const signInChanged = () =>
  fail('invalid_token', {
    message:
      'This page was opened for another sign-in than the one that this browser uses now. Nothing was done. Reload the page.',
    data: { reason: 'sign_in_changed' },
  })

export const csrfTokenOf = (token: string) =>
  createHash('sha256').update(`csrf ${token}`).digest('base64url')

/** Whether a text is the CSRF token of this cookie. */
export function isCsrfToken(token: string, text: string): boolean {
  const digest = (each: string) => createHash('sha256').update(each).digest()
  return timingSafeEqual(digest(text), digest(csrfTokenOf(token)))
}

export function setCookie(reply: FastifyReply, content: CookieContent) {
  reply.header('set-cookie', cookieText(siteOf(reply.request), content))
  reply.header('cache-control', 'no-store')
}

export function clearCookie(reply: FastifyReply) {
  const content = { token: '', expiresAt: new Date(0) }
  reply.header('set-cookie', cookieText(siteOf(reply.request), content))
}

/** No tokens: the cookie goes. */
export function setOthers(reply: FastifyReply, tokens: readonly string[], expiresAt: Date) {
  const isEmpty = tokens.length === 0
  const content = { token: tokens.join('.'), expiresAt: isEmpty ? new Date(0) : expiresAt }
  reply.header('set-cookie', cookieText(siteOf(reply.request), content, othersSuffix))
}

interface CookieContent {
  readonly token: string
  readonly expiresAt: Date
}

function cookieText(site: string, { token, expiresAt }: CookieContent, suffix = ''): string {
  const name = nameFor(site) + suffix
  const secure = isSecure(site) ? '; Secure' : ''
  // Lax: a person who comes from a client to its consent page is signed in.
  return `${name}=${token}; Path=/; Expires=${expiresAt.toUTCString()}; HttpOnly; SameSite=Lax${secure}`
}

/** Throws `forbidden` for a request that a browser sends for a page of another origin. */
export function refuseOtherOrigins(request: FastifyRequest): void {
  if (isSameOrigin(request)) return
  throw fail('forbidden', {
    message: 'This request came from a page of another site. Open the page of this gateway.',
  })
}

/**
 * Browsers say where a request comes from, in one of two headers. Programs send neither, and have no cookies of people.
 * `none` is an address that a person has opened.
 */
function isSameOrigin({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  return headers.origin === undefined || URL.parse(headers.origin)?.host === headers.host
}
