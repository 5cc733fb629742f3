// GET /read/{address}: one page as Markdown, for people and shells. It is the same call as onescrape, at the same
// price.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Runner } from '#runner/runner.ts'
import { addRoute } from '../../doors/add-route.ts'
import { idempotencyKeyOf } from '../../doors/input.ts'
import { defineRoute } from '../../doors/route.ts'

interface Dependencies {
  runner: Runner
  /** The namespace of the gateway's own actions. */
  ownNamespace: string
}

const prefix = '/read/'
const contentTypes: Readonly<Record<string, string>> = {
  markdown: 'text/markdown; charset=utf-8',
  text: 'text/plain; charset=utf-8',
}

export const readPage = defineRoute({
  method: 'get',
  path: '/read/{path}',
  who: 'payer',
  summary:
    'Read one page as Markdown: `/read/https://example.org/page?x=1`. The same call as onescrape, at the same price. Errors are text.',
  once: true,
  type: 'text/markdown',
  textErrors: true,
  errors: ['bad_url', 'payment_required', 'all_blocked'],
})

export function addReadRoute(server: FastifyInstance, { runner, ownNamespace }: Dependencies) {
  addRoute(
    server,
    readPage,
    async ({ request }, reply) => {
      const body = { urls: [wantedOf(request)] }
      // HEAD must be free: it checks the address and the caller, and reads nothing.
      const isHead = request.method === 'HEAD'
      const outcome = await runner.handle({
        entry: runner.resolve(ownNamespace, 'onescrape', request.caller),
        body,
        bodyText: JSON.stringify(body),
        caller: request.caller,
        payment: isHead ? undefined : server.paymentHeaders.read(request),
        requestHeader: (name) => request.headers[name]?.toString(),
        idempotencyKey: idempotencyKeyOf(request),
        wantsQuote: isHead && request.caller !== undefined,
        weigh: (points) => server.weigh(request, reply, points),
      })
      // The text comes from a stranger: a browser must not take it for a page of this gateway.
      reply.headers({ ...outcome.headers, 'x-content-type-options': 'nosniff' })
      if (isHead) return reply.type(contentTypes.markdown as string).send()
      const { data, transaction_id: id, charged_usd: charged } = JSON.parse(outcome.body)
      const [row] = data.rows
      reply.headers({ 'x-transaction-id': id, 'x-charged-usd': charged })
      if (row.final_url !== null) reply.header('content-location', row.final_url)
      if (outcome.replayed) reply.header('idempotency-replayed', 'true')
      return reply.type(contentTypes[row.format] as string).send(row.content)
    },
    { answersHead: true },
  )
}

/** All that follows the prefix, the query of the page included. An address that is encoded as a whole is decoded. */
function wantedOf({ url }: FastifyRequest): string {
  const written = url.slice(prefix.length)
  if (!/^https?%3a/i.test(written)) return written
  const [path = '', ...query] = written.split('?')
  // The router has decoded the path already, so this cannot fail.
  return [decodeURIComponent(path), ...query].join('?')
}
