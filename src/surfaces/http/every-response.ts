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
  'X-Dropped',
  'X-Transaction-Id',
  'X-Charged-Usd',
  'X-Response-Cache',
  'Age',
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
  'X-Response-Cache',
  'If-None-Match',
  'If-Range',
  'Range',
]
const preflightLifetimeSeconds = 86_400
const headerNames = /^[A-Za-z0-9-]+( *, *[A-Za-z0-9-]+){0,99}$/

/** Decides which pages of other origins may call, and what they may send and read. */
export interface CrossOrigin {
  /** For every response. `origin` is the Origin header of the request. */
  headers(config: FastifyContextConfig, origin: string | undefined): Record<string, string>
  /** For the answer to a CORS preflight. `asked`: the headers that the page wants to send. */
  preflight(allow: string, asked: string | undefined): Record<string, string>
}

/**
 * Pages call with credentials in headers that they must know, never with cookies. Pages of other origins cannot use the
 * operator's routes. `origins`: those that may call, or `*` for all.
 */
export function createCrossOrigin(
  origins: readonly string[],
  { crossOrigin }: Pick<PaymentHeaders, 'crossOrigin'>,
): CrossOrigin {
  const isOpen = origins.includes('*')
  const exposed = [...new Set([...crossOrigin.response, ...exposedHeaders])].join(', ')
  const sent = [...requestHeaders, ...crossOrigin.request].join(', ')
  return {
    headers({ operator }, origin) {
      if (operator) return {}
      const allowed = isOpen ? '*' : origins.find((listed) => listed === origin)
      return {
        ...(isOpen ? {} : { vary: 'Origin' }),
        ...(allowed === undefined
          ? {}
          : {
              'access-control-allow-origin': allowed,
              'access-control-expose-headers': exposed,
            }),
      }
    },
    // Clients may send headers of their own, so the requested ones are allowed.
    preflight: (allow, asked) => ({
      'access-control-allow-methods': allow,
      'access-control-allow-headers':
        asked !== undefined && headerNames.test(asked) ? `${sent}, ${asked}` : sent,
      'access-control-max-age': String(preflightLifetimeSeconds),
      vary: isOpen ? 'Access-Control-Request-Headers' : 'Origin, Access-Control-Request-Headers',
    }),
  }
}
