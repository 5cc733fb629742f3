import type { FastifyInstance } from 'fastify'
import { z } from '#core/action.ts'
import type { Catalog } from '#core/catalog.ts'
import { fail } from '#core/errors.ts'
import { describeConnections, keyPlaceholder } from '../../docs/connections.ts'
import type { DocumentSearch } from '../../docs/document-search.ts'
import { llmsText } from '../../docs/llms.ts'
import { discoverOf, type ReferencePages } from '../../docs/reference-pages.ts'
import { codeFigure } from '../../docs/site/render.ts'
import { addRoute, type Handler } from '../../doors/add-route.ts'
import { frame, sendDocument } from '../../doors/frame.ts'
import { defineRoute } from '../../doors/route.ts'
import { anyObject, html, list, object, objectWith, text } from '../../doors/shapes.ts'
import { showsPrices } from '../server.ts'

const ok = object({ ok: { type: 'boolean' } })
const connection = objectWith(
  {
    id: { type: 'string', description: 'As in `tollway connect cursor`.' },
    title: text,
    does: { type: 'string', description: 'What to do with the text.' },
    language: text,
    text: { type: 'string', description: 'With the placeholder of the key.' },
  },
  {
    file: {
      ...object({
        paths: {
          type: 'object',
          description: 'By platform: linux, darwin or win32.',
          additionalProperties: text,
        },
        format: { enum: ['json', 'toml'] },
        at: { ...list(text), description: 'The names under which the entry is stored.' },
        entry: anyObject,
      }),
      description: 'The file of the client in which its servers are listed.',
    },
  },
)

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
export const readStart = defineRoute({
  method: 'get',
  path: '/docs',
  summary: 'The first of all documents.',
  type: html,
})
export const searchDocuments = defineRoute({
  method: 'get',
  path: '/docs/search',
  summary: 'The documents that answer a question, as a page.',
  query: z.object({ q: z.string().default('').describe('The question.') }),
  type: html,
})
export const readDocument = defineRoute({
  method: 'get',
  path: '/docs/{path}',
  summary:
    'A document about calling or operating a gateway, an action or an error: `use` is a page, `use.md` its text.',
  type: 'text/plain',
  errors: ['not_found'],
})
export const readChangelog = defineRoute({
  method: 'get',
  path: '/changelog',
  summary: 'What has changed from version to version, as a page.',
  type: html,
})
export const readChangelogText = defineRoute({
  method: 'get',
  path: '/changelog.md',
  summary: 'What has changed from version to version.',
  type: 'text/plain',
})
export const listConnections = defineRoute({
  method: 'get',
  path: '/api/v1/connections',
  summary: 'How each client is connected to this gateway: what to write, and where.',
  answer: object({
    key_placeholder: { type: 'string', description: 'Stands for the API key in the texts.' },
    connections: list(connection),
  }),
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
    reference: ReferencePages
    search: DocumentSearch
    ready: () => Promise<boolean>
    baseUrl: () => string
  },
) {
  addRoute(server, welcome, (_asked, reply) =>
    sendDocument(reply, welcomePage(dependencies.baseUrl(), dependencies.catalog.entries.length)),
  )
  const answerDocument: Handler<typeof readDocument> = ({ params: { path: name } }, reply) => {
    const { reference } = dependencies
    const html = reference.page(name)
    if (html !== undefined) return sendDocument(reply, html)
    const [, base] = /^(.+)\.md$/.exec(name) ?? []
    const written = base === undefined ? undefined : reference.text(base)
    if (written === undefined) throw fail('not_found', { message: 'There is no such document.' })
    return reply.type('text/plain; charset=utf-8').send(written)
  }
  addRoute(server, readDocument, answerDocument, showsPrices)
  addRoute(server, readStart, (_asked, reply) =>
    sendDocument(reply, dependencies.reference.page('') ?? ''),
  )
  addRoute(server, searchDocuments, ({ query: { q } }, reply) =>
    sendDocument(reply, dependencies.search.page(q)),
  )
  const { changelog } = dependencies.reference
  addRoute(server, readChangelog, (_asked, reply) => sendDocument(reply, changelog.page()))
  addRoute(server, readChangelogText, (_asked, reply) =>
    reply.type('text/plain; charset=utf-8').send(changelog.text),
  )
  const answerLlms: Handler<typeof llms> = (_asked, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .send(llmsText(dependencies.catalog, dependencies.baseUrl()))
  addRoute(server, llms, answerLlms, showsPrices)
  addRoute(server, listConnections, () => ({
    key_placeholder: keyPlaceholder,
    connections: describeConnections({
      baseUrl: dependencies.baseUrl(),
      discover: discoverOf(dependencies.catalog),
    }),
  }))
  addRoute(server, healthz, () => ({ ok: true }))
  addRoute(server, readyz, async (_asked, reply) => {
    const ok = await dependencies.ready()
    return reply.code(ok ? 200 : 503).send({ ok })
  })
}

function welcomePage(baseUrl: string, actions: number): string {
  const body = `<p>This gateway sells ${actions} actions through one HTTP runner: web search, page reading, leads, public records, open
    data, language models and more. A call is paid from the balance of an account, or by a wallet if the operator accepts
    x402 or MPP. A failed call is never charged, and a repeated call is charged once.</p>
    <h2>Try it</h2>
    ${codeFigure(`curl ${baseUrl}/api/run`, 'sh')}
    <p>lists the actions with their prices, and</p>
    ${codeFigure(`curl -X POST ${baseUrl}/api/v1/agents`, 'sh')}
    <p>opens an account and answers with its API key.</p>
    ${codeFigure(`curl ${baseUrl}/api/run/tollway/discover \\\n  -d '{"query":"who raised money last week?"}'`, 'sh')}
    <p>finds the action that answers a question.</p>
    <ul>
      <li><a href="/docs/connect">Connect</a> an MCP client, a framework or a program</li>
      <li>People: <a href="/sign-in">sign in</a>, then see balance, calls and keys in <a href="/console">the console</a>, and
        <a href="/sign-in/methods">add a passkey or an e-mail address</a></li>
      <li>Read: <a href="/docs">all documents</a>, <a href="/docs/use">calling a gateway</a>, <a href="/docs/actions">all actions</a>,
        <a href="/docs/reference/errors">all errors</a>, <a href="/docs/operate">operating one</a></li>
      <li><a href="/api/run">The catalog</a>, as JSON, and <a href="/openapi.json">as OpenAPI</a> (<a href="/docs/api">pages</a>);
        <a href="/llms.txt">llms.txt</a></li>
      <li><a href="/api/catalog">Models for images, video and audio</a></li>
      <li><a href="/api/llm/v1/models">Language models</a> and <a href="/api/llm/v1/pricing">their prices</a></li>
      <li><a href="/status">Whether everything works</a>, <a href="/healthz">health</a> and <a href="/readyz">readiness</a></li>
    </ul>`
  return frame({ title: 'A paid action gateway', body })
}
