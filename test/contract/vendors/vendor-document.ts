// A strict server made from a vendor's own OpenAPI document: it takes what the document names, and answers by it.
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { onTestFinished } from 'vitest'

// biome-ignore lint/suspicious/noExplicitAny: a JSON schema, walked as it comes.
export type Schema = any

const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }))

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

  const deref = (schema: Schema): Schema =>
    schema?.$ref === undefined
      ? schema
      : deref(
          schema.$ref
            .slice(2)
            .split('/')
            .reduce((node: Schema, key: string) => node[key], document),
        )

  /** The schema with references resolved and every object closed, so that a field the vendor does not name is refused. */
  function closed(reference: Schema, open = false): Schema {
    const { nullable, ...schema } = deref(reference)
    const isObject = schema.properties !== undefined || schema.allOf !== undefined
    return {
      ...schema,
      ...(nullable && schema.type && { type: [schema.type, 'null'] }),
      ...(schema.properties && {
        properties: Object.fromEntries(
          Object.entries(schema.properties).map(([key, value]) => [key, closed(value)]),
        ),
      }),
      ...(schema.items && { items: closed(schema.items) }),
      ...(schema.allOf && { allOf: schema.allOf.map((part: Schema) => closed(part, true)) }),
      ...(schema.anyOf && { anyOf: schema.anyOf.map((part: Schema) => closed(part)) }),
      ...(schema.additionalProperties?.anyOf && {
        additionalProperties: closed(schema.additionalProperties),
      }),
      ...(schema.oneOf && { oneOf: schema.oneOf.map((part: Schema) => closed(part)) }),
      ...(isObject && !open && { unevaluatedProperties: false }),
    }
  }

  /** A value made of the document's own examples. */
  function sample(reference: Schema, depth = 0): unknown {
    const schema = deref(reference)
    if (schema.allOf)
      return Object.assign({}, ...schema.allOf.map((part: Schema) => sample(part, depth)))
    if (schema.properties) {
      const fields = Object.entries<Schema>(schema.properties).filter(
        ([key]) => depth < 3 || key === 'id',
      )
      return Object.fromEntries(fields.map(([key, value]) => [key, sample(value, depth + 1)]))
    }
    if (schema.example !== undefined) return schema.example
    if (schema.enum) return schema.enum[0]
    if (schema.oneOf) return sample(schema.oneOf[0], depth + 1)
    if (schema.type === 'array') return depth < 3 ? [sample(schema.items, depth + 1)] : []
    return { string: 'text', object: {}, number: 1, integer: 1, boolean: true }[
      [schema.type].flat()[0] as string
    ]
  }

  const objections = (schema: Schema, value: unknown): string[] => {
    const validate = ajv.compile(closed(schema))
    return validate(value) ? [] : [ajv.errorsText(validate.errors)]
  }

  /** What the document has against a query: names that it does not know, values that do not fit, and what is missing. */
  function queryObjections(parameters: readonly Schema[], query: URLSearchParams): string[] {
    const known = parameters.filter((parameter) => parameter.in === 'query')
    const strangers = [...query.keys()].filter((key) => known.every(({ name }) => name !== key))
    const missing = known.filter(({ name, required }) => required && !query.has(name))
    const unfit = known.flatMap(({ name, schema }) => {
      const text = query.get(name)
      if (text === null) return []
      const scalar = /integer|number|boolean/.test(String(deref(schema).type))
      return objections(schema, scalar ? JSON.parse(text) : text)
    })
    return [
      ...strangers.map((name) => `There is no query parameter ${name}.`),
      ...missing.map(({ name }) => `The query parameter ${name} is missing.`),
      ...unfit,
    ]
  }

  /** The template of the document that an address has, and what it says of this method there. */
  function findOperation(method: string, pathname: string) {
    const template = Object.keys(document.paths).find((candidate) =>
      new RegExp(`^${candidate.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`).test(pathname),
    )
    const item = document.paths[template ?? '']
    const operation = item?.[method.toLowerCase()]
    if (operation === undefined) return undefined
    const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(deref)
    return { id: `${method} ${template}`, operation, parameters }
  }

  /** A server that speaks by the document alone. */
  async function startVendor({ credential, status: wanted, replies = {} }: VendorOptions) {
    const problems: string[] = []
    const bodies: Schema[] = []
    const asked: string[] = []
    const server = createServer((request, response) => {
      respond(request, response).catch((thrown) => {
        // A document that cannot be followed is a problem of the test, not a reason to wait.
        problems.push(String(thrown))
        response.writeHead(500).end('{}')
      })
    })
    async function respond(request: IncomingMessage, response: ServerResponse) {
      let text = ''
      for await (const chunk of request.setEncoding('utf8')) text += chunk
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://vendor')
      const answer = (code: number, body: unknown) =>
        response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      const found = findOperation(request.method ?? '', pathname)
      if (found === undefined) {
        problems.push(`There is no ${request.method} ${pathname}.`)
        return answer(404, {})
      }
      const { id, operation, parameters } = found
      if (request.headers[credential[0]] !== credential[1]) {
        problems.push('The key is missing.')
        return answer(401, {})
      }
      problems.push(...queryObjections(parameters, searchParams))
      const requestSchema = operation.requestBody?.content['application/json'].schema
      if (requestSchema !== undefined) {
        const body = JSON.parse(text)
        bodies.push(body)
        problems.push(...objections(requestSchema, body))
      } else if (text !== '') problems.push(`${id} takes no body.`)
      const succeeds = Number(Object.keys(operation.responses).find((code) => code < '300'))
      // Where the document does not name a failure, the vendor has it all the same.
      const status = wanted ?? succeeds
      const said = deref(operation.responses[String(status)])?.content['application/json']
      const reply = said ?? { example: {}, schema: {} }
      const turn = asked.filter((earlier) => earlier === id).length
      asked.push(id)
      const own = replies[id]?.[Math.min(turn, (replies[id]?.length ?? 1) - 1)]
      if (own !== undefined && wanted === undefined) problems.push(...objections(reply.schema, own))
      const content = wanted === undefined ? own : undefined
      return answer(status, content ?? reply.example ?? sample(reply.schema))
    }
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    const { port } = server.address() as AddressInfo
    return { baseUrl: `http://127.0.0.1:${port}`, problems, bodies, asked }
  }

  const requestSchema = (address: string): Schema =>
    document.paths[address].post.requestBody.content['application/json'].schema

  return { present, document, objections, queryObjections, requestSchema, startVendor }
}
