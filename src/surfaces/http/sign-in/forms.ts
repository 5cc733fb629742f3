// Forms of pages without a script.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { fail } from '#core/errors.ts'
import { refuseOtherOrigins } from './cookie.ts'

const fieldsMax = 50

/** Lets the routes of `server` read forms. Those of pages of other origins are refused. */
export function readForms(server: FastifyInstance) {
  server.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (request: FastifyRequest, text: string) => {
      refuseOtherOrigins(request)
      const fields = [...new URLSearchParams(text)]
      if (fields.length > fieldsMax)
        throw fail('bad_request', { message: `A form has at most ${fieldsMax} fields.` })
      return Object.fromEntries(fields)
    },
  )
}

/** A path of this gateway. Anything else becomes the start page, so that no link leads a person elsewhere. */
export function ownPath(wanted: unknown): string {
  const start = '/'
  if (typeof wanted !== 'string' || !wanted.startsWith('/')) return start
  const base = 'https://gateway.invalid'
  const url = URL.parse(wanted, base)
  return url?.origin === base ? url.pathname + url.search : start
}
