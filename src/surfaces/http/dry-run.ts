// Only the runner gives quotes. Elsewhere a request for a quote must be refused, not carried out.
import type { FastifyRequest } from 'fastify'
import { fail } from '#core/errors.ts'
import { membersOf } from '#core/input/members.ts'

const dryRunName = /^(quote|dry[-_]?run)\b/i
const readMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Throws `bad_request` for a request that would change something and asks for a quote or a dry run. */
export function refuseDryRun({ method, query }: FastifyRequest): void {
  if (readMethods.has(method)) return
  const name = Object.keys(membersOf(query)).find((parameter) => dryRunName.test(parameter))
  if (name === undefined) return
  throw fail('bad_request', {
    message: `This address has no dry run. Remove ?${name.slice(0, 50)}. For a quote, use POST /api/run/{service}/{action}?quote=true. Nothing was run.`,
  })
}
