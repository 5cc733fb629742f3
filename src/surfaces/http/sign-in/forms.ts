// Forms of pages without a script.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { readInput } from '../../doors/input.ts'
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

/** A field in which a script of ours puts JSON. Throws `bad_request`. */
export function readJsonField<Schema extends z.ZodType>(schema: Schema, text: unknown) {
  return readInput(schema, parseJson(String(text)))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw fail('bad_request', { message: 'The form was not filled in by its page. Try again.' })
  }
}

/** A path of this gateway. Anything else becomes `start`, so that no link leads a person elsewhere. */
export function ownPath(wanted: unknown, start: string): string {
  if (typeof wanted !== 'string' || !wanted.startsWith('/')) return start
  const base = 'https://gateway.invalid'
  const url = URL.parse(wanted, base)
  const path = url === null ? start : url.pathname + url.search
  // The path of an address may begin with two slashes, and then reads as an address of another host.
  return url?.origin === base && URL.parse(path, base)?.origin === base ? path : start
}
