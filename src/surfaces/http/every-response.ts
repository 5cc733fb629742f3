// What every response carries: the id of its request, and what lets a browser of another origin read it.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyContextConfig } from 'fastify'
import type { PaymentHeaders } from './payment.ts'

const saneRequestId = /^[A-Za-z0-9._:~+/=@-]{1,128}$/

/** The X-Request-Id that came with the request, where it can stand in a log; a new one otherwise. */
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
  'X-Should-Retry',
  'ETag',
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
]
const preflightLifetimeSeconds = 86_400
const headerNames = /^[A-Za-z0-9-]+( *, *[A-Za-z0-9-]+){0,99}$/

/**
 * Credentials travel in headers that a page must know, never in cookies: any origin may call. The operator's routes are
 * not for pages of other origins.
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

/** The answer to a browser that asks first. Clients send headers of their own besides: what they ask for is allowed. */
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
