// Both actions of ns_semantic against a strict server made from the vendor's own OpenAPI document.
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, onTestFinished, test } from 'vitest'
import { semantic } from '#catalog/ns_semantic/provider.ts'
import type { CallError } from '#core/errors.ts'
import { runAction } from './run-action.ts'

// The document states no licence: it stands beside the repository, not in it.
const file = path.join(import.meta.dirname, '../../shared/contracts/ns_semantic.json')
const present = existsSync(file)
if (!present) process.stderr.write(`Skipped: the vendor's document is not at ${file}.\n`)

// biome-ignore lint/suspicious/noExplicitAny: a JSON schema, walked as it comes.
type Schema = any
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
  const schema = deref(reference)
  const isObject = schema.properties !== undefined || schema.allOf !== undefined
  return {
    ...schema,
    ...(schema.properties && {
      properties: Object.fromEntries(
        Object.entries(schema.properties).map(([key, value]) => [key, closed(value)]),
      ),
    }),
    ...(schema.items && { items: closed(schema.items) }),
    ...(schema.allOf && { allOf: schema.allOf.map((part: Schema) => closed(part, true)) }),
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
  if (schema.oneOf) return sample(schema.oneOf[0], depth + 1)
  if (schema.type === 'array') return depth < 3 ? [sample(schema.items, depth + 1)] : []
  return { string: 'text', object: {}, number: 1, integer: 1, boolean: true }[
    [schema.type].flat()[0] as string
  ]
}

const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }))

/** A server that speaks by the document alone. `status` makes it fail as the document says it can. */
async function startVendor(status = 200) {
  const problems: string[] = []
  const bodies: Schema[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += chunk
    const url = new URL(request.url ?? '', 'http://vendor')
    const operation = document.paths[url.pathname]?.[(request.method ?? '').toLowerCase()]
    const answer = (code: number, body: unknown) =>
      response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (operation === undefined) {
      problems.push(`There is no ${request.method} ${url.pathname}.`)
      return answer(404, {})
    }
    if (request.headers['x-api-key'] !== 'test-key') {
      problems.push('The key is missing.')
      return answer(401, {})
    }
    for (const name of url.searchParams.keys())
      problems.push(`There is no query parameter ${name}.`)
    const body = JSON.parse(text)
    bodies.push(body)
    const validate = ajv.compile(closed(operation.requestBody.content['application/json'].schema))
    if (!validate(body)) problems.push(ajv.errorsText(validate.errors))
    const reply = deref(operation.responses[String(status)]).content['application/json']
    return answer(status, reply.example ?? sample(reply.schema))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { baseUrl: `http://127.0.0.1:${port}`, problems, bodies }
}

const queries = [
  {},
  ...['auto', 'neural', 'keyword', 'deep-lite', 'deep', 'deep-reasoning'].map((type) => ({ type })),
  ...['news', 'research', 'github', 'people', 'company'].map((category) => ({ category })),
  { numResults: 1 },
  { numResults: 100 },
  { contents: { text: true } },
  { contents: { text: false } },
  { contents: {} },
  { start_published_date: '2026-01-01', end_published_date: '2026-01-31' },
  { start_published_date: '2026-01-01T00:00:00Z', end_published_date: '2026-01-31T23:59:59+01:00' },
  { include_domains: ['arxiv.org', 'paperswithcode.com'] },
  { exclude_domains: ['example.org'], category: 'news' },
].map((input) => ({ query: 'large language models', ...input }))

const reads = [
  { urls: ['https://arxiv.org/abs/2307.06435'], text: true },
  { urls: ['https://arxiv.org/abs/2307.06435'], highlights: true },
  { urls: ['https://arxiv.org/abs/2307.06435'], summary: true },
  { ids: ['https://arxiv.org/abs/2307.06435'], text: true, highlights: true, summary: true },
  {
    urls: ['https://arxiv.org/abs/2307.06435'],
    ids: ['https://arxiv.org/abs/2303.17580'],
    text: true,
  },
  { urls: ['https://arxiv.org/abs/2307.06435'], text: false, highlights: false, summary: true },
]

const cases = [
  ...queries.map((input) => ({ action: 'search', input })),
  ...reads.map((input) => ({ action: 'contents', input })),
]

describe.skipIf(!present)('the vendor’s own document', () => {
  // Its 1.2.0 lacks two types that the vendor's SDK has; where our copy lacks them too, they are laid over it.
  const types =
    document.paths?.['/search'].post.requestBody.content['application/json'].schema.allOf[0]
      .properties.type.enum
  for (const type of ['keyword', 'deep-lite']) if (types?.includes(type) === false) types.push(type)

  test.each(cases)(
    'accepts what $action sends for $input, and its reply is understood',
    async ({ action, input }) => {
      const { baseUrl, problems, bodies } = await startVendor()
      const output = await runAction(semantic, action, { baseUrl, input })
      expect(problems).toEqual([])
      expect(bodies).toHaveLength(1)
      expect(output.results).toHaveLength(1)
      expect(output.results[0]).toMatchObject({
        id: 'https://arxiv.org/abs/2307.06435',
        title: 'A Comprehensive Overview of Large Language Models',
      })
      expect(semantic.actions.find(({ name }) => name === action)?.costUsd?.(output)).toBe(0.005)
      if (action === 'contents')
        expect(output.statuses).toMatchObject([{ id: 'https://example.com', status: 'success' }])
    },
  )

  test.each([
    [400, 'bad_request'],
    [401, 'upstream_error'],
    [402, 'upstream_error'],
    [429, 'rate_limited'],
    [500, 'upstream_error'],
  ])('its failure %i is %s to our caller, in our words', async (status, code) => {
    for (const { action, input } of [cases[0], cases.at(-1)] as typeof cases) {
      const { baseUrl } = await startVendor(status)
      const error: CallError = await runAction(semantic, action, { baseUrl, input }).catch(
        (thrown) => thrown,
      )
      expect(error.code).toBe(code)
      expect(error.message).not.toMatch(/INVALID|CREDITS|API_KEY|INTERNAL/)
    }
  })

  test('refuses what this test must be able to catch', () => {
    const schema = document.paths['/search'].post.requestBody.content['application/json'].schema
    const validate = ajv.compile(closed(schema))
    for (const body of [
      { query: 'tea', unknown: 1 },
      { query: 'tea', category: 'research' },
      { query: 'tea', startPublishedDate: '2026-01-01' },
      { query: 'tea', contents: { texts: true } },
      { query: 'tea', contents: { text: { maxChars: 1 } } },
      { query: 'tea', numResults: 101 },
      {},
    ]) {
      expect(validate(body), JSON.stringify(body)).toBe(false)
    }
  })
})
