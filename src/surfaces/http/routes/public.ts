import type { FastifyInstance } from 'fastify'
import type { Catalog } from '#core/catalog.ts'
import { fail } from '#core/errors.ts'
import { llmsText } from '../../docs/llms.ts'
import type { ReferencePages } from '../../docs/reference-pages.ts'
import { addRoute, type Handler } from '../../doors/add-route.ts'
import type { Guide } from '../../doors/guide.ts'
import { page } from '../../doors/page.ts'
import { defineRoute } from '../../doors/route.ts'
import { html, object } from '../../doors/shapes.ts'
import { showsPrices } from '../server.ts'

const ok = object({ ok: { type: 'boolean' } })

export const welcome = defineRoute({
  method: 'get',
  path: '/',
  summary: 'A page about this gateway.',
  type: html,
})
export const llms = defineRoute({
  method: 'get',
  path: '/llms.txt',
  summary: 'The documents and actions, for language models.',
  type: 'text/plain',
})
export const readDocument = defineRoute({
  method: 'get',
  path: '/docs/{path}',
  summary:
    'A document about calling or operating a gateway, an action or an error: `use` is a page, `use.md` its text.',
  type: 'text/plain',
  errors: ['not_found'],
})
export const healthz = defineRoute({
  method: 'get',
  path: '/healthz',
  summary: 'Whether the process answers.',
  answer: ok,
})
export const readyz = defineRoute({
  method: 'get',
  path: '/readyz',
  summary: 'Whether the gateway can take calls.',
  answer: ok,
  errors: ['unavailable'],
})

export function addPublicRoutes(
  server: FastifyInstance,
  dependencies: {
    catalog: Catalog
    guide: Guide
    reference: ReferencePages
    ready: () => Promise<boolean>
    baseUrl: () => string
  },
) {
  addRoute(server, welcome, (_asked, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .send(welcomePage(dependencies.baseUrl(), dependencies.catalog.entries.length)),
  )
  const answerDocument: Handler<typeof readDocument> = ({ params: { path: name } }, reply) => {
    const { guide, reference } = dependencies
    const html = guide.page(`/docs/${name}`) ?? reference.page(name)
    if (html !== undefined) return reply.type('text/html; charset=utf-8').send(html)
    const [, base] = /^(.+)\.md$/.exec(name) ?? []
    const text = guide.text(name) ?? (base === undefined ? undefined : reference.text(base))
    if (text === undefined) throw fail('not_found', { message: 'There is no such document.' })
    return reply.type('text/plain; charset=utf-8').send(text)
  }
  addRoute(server, readDocument, answerDocument, showsPrices)
  const answerLlms: Handler<typeof llms> = (_asked, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .send(llmsText(dependencies.catalog, dependencies.baseUrl()))
  addRoute(server, llms, answerLlms, showsPrices)
  addRoute(server, healthz, () => ({ ok: true }))
  addRoute(server, readyz, async (_asked, reply) => {
    const ok = await dependencies.ready()
    return reply.code(ok ? 200 : 503).send({ ok })
  })
}

function welcomePage(baseUrl: string, actions: number): string {
  return page(
    'A paid action gateway',
    `<p>This gateway sells ${actions} actions through one HTTP runner: web search, page reading, leads, public records, open
    data, language models and more. A call is paid from the balance of an account, or by a wallet if the operator accepts
    x402 or MPP. A failed call is never charged, and a repeated call is charged once.</p>
    <h2>Try it</h2>
    <pre>curl ${baseUrl}/api/run</pre>
    <p>lists the actions with their prices, and</p>
    <pre>curl -X POST ${baseUrl}/api/v1/agents</pre>
    <p>opens an account and answers with its API key.</p>
    <pre>curl ${baseUrl}/api/run/tollway/discover -d '{"query":"who raised money last week?"}'</pre>
    <p>finds the action that answers a question.</p>
    <ul>
      <li>People: <a href="/sign-in">sign in</a>, then see balance, calls and keys in <a href="/console">the console</a>, and
        <a href="/sign-in/methods">add a passkey or an e-mail address</a></li>
      <li>Read: <a href="/docs/use">calling a gateway</a>, <a href="/docs/actions">all actions</a>,
        <a href="/docs/reference/errors">all errors</a>, <a href="/docs/operate">operating one</a></li>
      <li><a href="/api/run">The catalog</a>, as JSON, and <a href="/openapi.json">as OpenAPI</a> (<a href="/docs">a page</a>);
        <a href="/llms.txt">llms.txt</a></li>
      <li><a href="/api/catalog">Models for images, video and audio</a></li>
      <li><a href="/api/llm/v1/models">Language models</a> and <a href="/api/llm/v1/pricing">their prices</a></li>
      <li><a href="/healthz">Health</a> and <a href="/readyz">readiness</a></li>
    </ul>`,
  )
}
