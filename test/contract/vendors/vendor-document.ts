// A strict server generated from a vendor's own OpenAPI document: it accepts and answers only what the document allows.
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { portOf } from '#platform/http/port.ts'
import { deref, objections, queryObjections, type Schema, sample } from './vendor-schemas.ts'

interface VendorOptions {
  /** The header and format of the key `test-key`. */
  readonly credential: readonly [header: string, value: string]
  /** Makes the server fail in one of the documented ways. */
  readonly status?: number
  /** Replies in place of the document's examples, by `GET /crawl/{id}`, in order. The last one stays. */
  readonly replies?: Readonly<Record<string, readonly unknown[]>>
}

/** The documents state no licence, so they are kept outside the repository, beside it or in VENDOR_DOCUMENTS. */
const folder =
  process.env.VENDOR_DOCUMENTS ?? path.join(import.meta.dirname, '../../../../shared/contracts')

export function readVendorDocument(namespace: string) {
  const file = path.join(folder, `${namespace}.json`)
  const present = existsSync(file)
  if (!present) process.stderr.write(`Skipped: the vendor's document is not at ${file}.\n`)
  const document: Schema = present ? JSON.parse(readFileSync(file, 'utf8')) : {}
  return {
    present,
    document,
    objections: (schema: Schema, value: unknown) => objections(document, schema, value),
    queryObjections: (parameters: readonly Schema[], query: URLSearchParams) =>
      queryObjections(document, parameters, query),
    requestSchema: (address: string): Schema =>
      document.paths[address].post.requestBody.content['application/json'].schema,
    startVendor: (options: VendorOptions) => startVendor(document, options),
  }
}

/** The document's path template for an address, and its operation for this method. */
function findOperation(document: Schema, method: string, pathname: string) {
  const template = Object.keys(document.paths).find((candidate) =>
    new RegExp(`^${candidate.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`).test(pathname),
  )
  const item = document.paths[template ?? '']
  const operation = item?.[method.toLowerCase()]
  if (operation === undefined) return undefined
  const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(
    (parameter) => deref(document, parameter),
  )
  return { id: `${method} ${template}`, operation, parameters }
}

interface Notes {
  /** The violations of the document by the requests. */
  readonly problems: string[]
  readonly bodies: Schema[]
  readonly asked: string[]
}

type Found = NonNullable<ReturnType<typeof findOperation>>

/** Records violations of the document by the body of a request. */
function readBody(document: Schema, { id, operation }: Found, text: string, notes: Notes) {
  const schema = operation.requestBody?.content['application/json'].schema
  if (schema === undefined) {
    if (text !== '') notes.problems.push(`${id} takes no body.`)
    return
  }
  const body = JSON.parse(text)
  notes.bodies.push(body)
  notes.problems.push(...objections(document, schema, body))
}

/** The reply that the test chose, otherwise the document's example. */
function replyTo(
  document: Schema,
  { id, operation }: Found,
  { status: wanted, replies = {} }: VendorOptions,
  { asked, problems }: Notes,
) {
  const succeeds = Number(Object.keys(operation.responses).find((code) => code < '300'))
  // Undocumented failures happen too.
  const status = wanted ?? succeeds
  const said = deref(document, operation.responses[String(status)])?.content['application/json']
  const { example, schema } = said ?? { example: {}, schema: {} }
  const turn = asked.filter((earlier) => earlier === id).length
  const own = replies[id]?.[Math.min(turn, (replies[id]?.length ?? 1) - 1)]
  if (own !== undefined && wanted === undefined) {
    problems.push(...objections(document, schema, own))
    return { status, body: own }
  }
  return { status, body: example ?? sample(document, schema) }
}

/** A server that follows only the document. */
async function startVendor(document: Schema, options: VendorOptions) {
  const notes: Notes = { problems: [], bodies: [], asked: [] }
  const { problems } = notes
  const [header, key] = options.credential

  async function respond(request: IncomingMessage): Promise<{ status: number; body: unknown }> {
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += chunk
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://vendor')
    const found = findOperation(document, request.method ?? '', pathname)
    if (found === undefined) {
      problems.push(`There is no ${request.method} ${pathname}.`)
      return { status: 404, body: {} }
    }
    if (request.headers[header] !== key) {
      problems.push('The key is missing.')
      return { status: 401, body: {} }
    }
    problems.push(...queryObjections(document, found.parameters, searchParams))
    readBody(document, found, text, notes)
    const reply = replyTo(document, found, options, notes)
    notes.asked.push(found.id)
    return reply
  }

  const server = createServer(async (request, response) => {
    // An unusable document is a problem of the test, so fail without waiting.
    const { status, body } = await respond(request).catch((error) => {
      problems.push(String(error))
      return { status: 500, body: {} }
    })
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const port = portOf(server)
  return { baseUrl: `http://127.0.0.1:${port}`, ...notes }
}
