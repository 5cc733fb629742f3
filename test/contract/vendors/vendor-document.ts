// A strict server made from a vendor's own OpenAPI document: it takes what the document names, and answers by it.
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { deref, objections, queryObjections, type Schema, sample } from './vendor-schemas.ts'

interface VendorOptions {
  /** The header that carries the key `test-key`, and how. */
  readonly credential: readonly [header: string, value: string]
  /** Makes the server fail as the document says it can. */
  readonly status?: number
  /** What to answer instead of the document's examples, by `GET /crawl/{id}`, one after the other; the last one stays. */
  readonly replies?: Readonly<Record<string, readonly unknown[]>>
}

/** The documents state no licence: they stand beside the repository, or where VENDOR_DOCUMENTS says, not in it. */
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

/** The template of the document that an address has, and what it says of this method there. */
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
  /** What the document has against the requests. */
  readonly problems: string[]
  readonly bodies: Schema[]
  readonly asked: string[]
}

type Found = NonNullable<ReturnType<typeof findOperation>>

/** Notes what the document has against the body of a request. */
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

/** The reply that the test asks for, else the document's example. */
function replyTo(
  document: Schema,
  { id, operation }: Found,
  { status: wanted, replies = {} }: VendorOptions,
  { asked, problems }: Notes,
) {
  const succeeds = Number(Object.keys(operation.responses).find((code) => code < '300'))
  // A failure that the document does not name happens all the same.
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

/** A server that speaks by the document alone. */
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
    // A document that cannot be followed is a problem of the test, not a reason to wait.
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
  const { port } = server.address() as AddressInfo
  return { baseUrl: `http://127.0.0.1:${port}`, ...notes }
}
