// Headers of every response: the id of its request, and those that let browsers of other origins read it.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyContextConfig } from 'fastify'
import type { PaymentHeaders } from './payment.ts'

const saneRequestId = /^[A-Za-z0-9._:~+/=@-]{1,128}$/

/** The request's own X-Request-Id if it is safe to log, otherwise a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const sent = headers['x-request-id']
  return typeof sent === 'string' && saneRequestId.test(sent) ? sent : randomUUID()
}

const exposedHeaders = [
  'WWW-Authenticate',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'RateLimit-Policy',
  'Retry-After',
  'Idempotency-Replayed',
  'X-Request-Id',
  'X-Model',
  'X-Attempts',
  'X-Transaction-Id',
  'X-Charged-Usd',
  'Content-Location',
  'X-Should-Retry',
  'ETag',
  'Accept-Ranges',
  'Content-Range',
  'Content-Disposition',
  'Allow',
  'Link',
  'Deprecation',
  'Sunset',
]
const requestHeaders = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'X-Request-Id',
  'If-None-Match',
  'If-Range',
  'Range',
]
const preflightLifetimeSeconds = 86_400
const headerNames = /^[A-Za-z0-9-]+( *, *[A-Za-z0-9-]+){0,99}$/

/**
 * Any origin may call: credentials travel in headers that a page must know, never in cookies. Pages of other origins cannot
 * use the operator's routes.
 */
export function crossOriginHeaders(
  { operator }: FastifyContextConfig,
  { crossOrigin }: PaymentHeaders,
): Record<string, string> {
  return operator
    ? {}
    : {
        'access-control-allow-origin': '*',
        'access-control-expose-headers': [
          ...new Set([...crossOrigin.response, ...exposedHeaders]),
        ].join(', '),
      }
}

/** The headers that answer a CORS preflight. Clients may send headers of their own, so the requested ones are allowed. */
export function preflightHeaders(
  allow: string,
  asked: string | undefined,
  { crossOrigin }: PaymentHeaders,
) {
  const more = asked !== undefined && headerNames.test(asked) ? `, ${asked}` : ''
  return {
    'access-control-allow-methods': allow,
    'access-control-allow-headers': `${[...requestHeaders, ...crossOrigin.request].join(', ')}${more}`,
    'access-control-max-age': String(preflightLifetimeSeconds),
    vary: 'Access-Control-Request-Headers',
  }
}
