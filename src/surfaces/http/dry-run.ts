// Only the runner has quotes. Everywhere else a request for one must not be carried out as if it were none.
import type { FastifyRequest } from 'fastify'
import { fail } from '#core/errors.ts'

const dryRunName = /^(quote|dry[-_]?run)\b/i
const readMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Throws `bad_request` for a request that would change something and asks for a quote or a dry run. */
export function refuseDryRun({ method, query }: FastifyRequest): void {
  if (readMethods.has(method)) return
  const name = Object.keys(query as object).find((parameter) => dryRunName.test(parameter))
  if (name === undefined) return
  throw fail('bad_request', {
    message: `This address has no dry run: leave ?${name.slice(0, 50)} out. Quotes are given by POST /api/run/{service}/{action}?quote=true. Nothing was run.`,
  })
}
