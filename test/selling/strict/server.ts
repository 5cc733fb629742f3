// Checks each request against a description, as strictly as the description allows: nothing that is not described,
// nothing that is missing, and each value by its schema.

import { decodeObject, decodePair, type Pairs, readObject, readText } from './decode.ts'
import { openDocument, type Part, type StrictDocument } from './document.ts'

export interface ReceivedRequest {
  readonly method: string
  /** Below the server's base address, with its query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | undefined
}

export interface StrictServer {
  /** What is wrong with a request, or undefined. `template`: the path of the description that it should reach. */
  check(request: ReceivedRequest, template: string): Promise<string | undefined>
}

const usualHeaders = [
  'accept',
  'content-type',
  'content-length',
  'cookie',
  'host',
  'connection',
  'user-agent',
]

export function createStrictServer(description: unknown): StrictServer {
  const document = openDocument(description)
  return {
    async check(request, template) {
      const item = document.resolve(document.value.paths[template])
      const operation = item?.[request.method.toLowerCase()]
      if (operation === undefined) return `there is no ${request.method} ${template}`
      const parameters = parametersOf(document, item, operation)
      const [path = '', query = ''] = request.path.split('?', 2)
      const faults = [
        checkPath(document, template, { path, parameters }),
        checkQuery(document, template, { query, parameters }),
        checkHeaders(document, request.headers, parameters),
        await checkBody(document, { operation, parameters, request }),
      ]
      return faults.find((fault) => fault !== undefined)
    },
  }
}

function parametersOf(document: StrictDocument, item: Part, operation: Part): Part[] {
  const all = [...(operation.parameters ?? []), ...(item.parameters ?? [])].map(document.resolve)
  const named = new Map<string, Part>()
  for (const parameter of all) {
    const id = `${parameter.in} ${parameter.in === 'header' ? parameter.name.toLowerCase() : parameter.name}`
    if (!named.has(id)) named.set(id, parameter)
  }
  return [...named.values()]
}

interface PathCheck {
  readonly path: string
  readonly parameters: readonly Part[]
}

function checkPath(
  document: StrictDocument,
  template: string,
  { path, parameters }: PathCheck,
): string | undefined {
  const names: string[] = []
  const [bare = ''] = template.split(/[?#]/, 1)
  const pattern = bare
    .split(/(\{[^{}]+\})/)
    .map((piece) => {
      if (!/^\{.*\}$/.test(piece)) return piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      names.push(piece.slice(1, -1))
      return '([^/?#]+)'
    })
    .join('')
  const match = new RegExp(`^${pattern.startsWith('/') ? '' : '/'}${pattern}$`).exec(path)
  if (match === null) return `the path ${path} is not ${template}`
  if (new URL(path, 'http://a.example').pathname !== path)
    return `the path ${path} is another one when it is parsed`
  for (const [index, name] of names.entries()) {
    const parameter = parameters.find((each) => each.in === 'path' && each.name === name)
    if (parameter === undefined) continue
    const fault = checkText(document, parameter, match[index + 1] ?? '')
    if (fault) return `path ${name}: ${fault}`
  }
  return undefined
}

function checkText(document: StrictDocument, parameter: Part, text: string): string | undefined {
  const { schema, value } = decodePair(document, parameter, text)
  return document.misfit(schema, value)
}

interface QueryCheck {
  readonly query: string
  readonly parameters: readonly Part[]
}

function checkQuery(
  document: StrictDocument,
  template: string,
  { query, parameters }: QueryCheck,
): string | undefined {
  const fixed = template.split('#')[0]?.split('?')[1]?.split('&') ?? []
  const pairs: Pairs = query
    .split('&')
    .filter((pair) => pair !== '' && !fixed.includes(pair))
    .map((pair) => {
      const [name = '', ...text] = pair.split('=')
      return [decodeURIComponent(name), text.join('=')] as const
    })
  return checkPairs(
    document,
    pairs,
    parameters.filter((parameter) => parameter.in === 'query'),
  )
}

/** Each pair belongs to a parameter, and each parameter fits. */
function checkPairs(
  document: StrictDocument,
  pairs: Pairs,
  parameters: readonly Part[],
): string | undefined {
  let left = pairs
  // An object without a name of its own takes what the others leave.
  const ordered = [...parameters].sort(
    (a, b) => Number(isSpread(document, a)) - Number(isSpread(document, b)),
  )
  for (const parameter of ordered) {
    const read = decodeObject(document, parameter, left)
    left = read.left
    if (read.isMissing) {
      if (parameter['x-required'] === true) return `${parameter.name} is missing`
      continue
    }
    const fault = document.misfit(read.schema, read.value)
    if (fault) return `${parameter.name}: ${fault} (${JSON.stringify(read.value)?.slice(0, 200)})`
  }
  return left.length === 0 ? undefined : `${left.map(([name]) => name).join(', ')} is not described`
}

const isSpread = (document: StrictDocument, { schema, style, explode }: Part) =>
  document.resolve(schema)?.type === 'object' && (style ?? 'form') === 'form' && explode !== false

function checkHeaders(
  document: StrictDocument,
  headers: Readonly<Record<string, string>>,
  parameters: readonly Part[],
): string | undefined {
  const described = new Map(
    parameters
      .filter((each) => each.in === 'header')
      .map((each) => [each.name.toLowerCase(), each]),
  )
  for (const [name, parameter] of described) {
    const text = headers[name]
    if (text === undefined) {
      if (
        parameter['x-required'] === true &&
        !usualHeaders.includes(name) &&
        name !== 'authorization'
      )
        return `the header ${name} is missing`
    } else if (!usualHeaders.includes(name)) {
      const fault = document.misfit(
        parameter.schema ?? (document.isSwagger ? parameter : undefined),
        readHeader(document, parameter, text),
      )
      if (fault) return `header ${name}: ${fault}`
    }
  }
  const others = Object.keys(headers).filter(
    (name) => !described.has(name) && !usualHeaders.includes(name),
  )
  return others.length === 0 ? undefined : `the header ${others.join()} is not described`
}

function readHeader(document: StrictDocument, parameter: Part, text: string): unknown {
  const schema = document.resolve(document.isSwagger ? parameter : parameter.schema)
  if (schema?.type === 'object' && parameter.content === undefined)
    return readObject(document, schema, text, {
      style: 'simple',
      explode: parameter.explode === true,
    })
  if (schema?.type !== 'array') return readText(document, schema, text)
  return text === '' ? [] : text.split(',').map((part) => readText(document, schema.items, part))
}

interface BodyCheck {
  readonly operation: Part
  readonly parameters: readonly Part[]
  readonly request: ReceivedRequest
}

async function checkBody(document: StrictDocument, check: BodyCheck): Promise<string | undefined> {
  const { operation, parameters, request } = check
  const type = request.headers['content-type']
  if (document.isSwagger) return await checkSwaggerBody(document, check)
  const body = document.resolve(operation.requestBody)
  if (request.body === undefined) {
    if (body?.required === true) return 'the body is missing'
    return undefined
  }
  if (body === undefined) return `a body is not described (${parameters.length} parameters)`
  const media = Object.keys(body.content ?? {}).find((each) => sameType(each, type ?? ''))
  if (media === undefined) return `the content type ${type} is not described`
  const { schema, encoding = {} } = body.content[media]
  if (/json/i.test(media) || (/\*/.test(media) && /json/i.test(type ?? '')))
    return document.misfit(schema, JSON.parse(Buffer.from(request.body).toString()))
  if (!/form-data|urlencoded/.test(media)) return undefined
  return await checkForm(document, { schema, encoding, request })
}

const bare = (type: string) => type.split(';')[0]?.trim().toLowerCase() ?? ''

function sameType(described: string, sent: string): boolean {
  const [kind, sub] = bare(described).split('/')
  const [sentKind, sentSub] = bare(sent).split('/')
  return (
    (kind === '*' || kind === sentKind) &&
    (sub === '*' || sub === sentSub || described.includes('*'))
  )
}

interface FormCheck {
  readonly schema: Part
  readonly encoding: Part
  readonly request: ReceivedRequest
}

async function checkForm(
  document: StrictDocument,
  { schema, encoding, request }: FormCheck,
): Promise<string | undefined> {
  const { properties = {}, required = [] } = mergedObject(document, schema)
  const parts = await readParts(request)
  if (Object.keys(properties).length === 0) return undefined
  const isMultipart = /multipart/.test(request.headers['content-type'] ?? '')
  const parameters = Object.entries<Part>(properties).map(([name, own]) => ({
    name,
    in: 'form',
    schema: own,
    isMultipart,
    'x-required': required.includes(name) && document.resolve(own)?.readOnly !== true,
    ...encoding[name],
  }))
  return checkPairs(document, parts, parameters)
}

function mergedObject(document: StrictDocument, schema: Part): Part {
  const own = document.resolve(schema) ?? {}
  const branches = (own.allOf ?? []).map((branch: Part) => mergedObject(document, branch))
  return {
    properties: Object.assign(
      {},
      ...branches.map((branch: Part) => branch.properties),
      own.properties,
    ),
    required: [
      ...branches.flatMap((branch: Part) => branch.required ?? []),
      ...(own.required ?? []),
    ],
  }
}

/** The values stay percent-encoded, as those of a query are. Files are named so. */
async function readParts({ headers, body }: ReceivedRequest): Promise<Pairs> {
  const text = Buffer.from(body ?? []).toString()
  if (/urlencoded/.test(headers['content-type'] ?? ''))
    return text
      .split('&')
      .filter((pair) => pair !== '')
      .map((pair) => {
        const [name = '', ...value] = pair.split('=')
        return [decodeURIComponent(name), value.join('=')] as const
      })
  const form = await new Response(Buffer.from(body ?? []), {
    headers: { 'content-type': headers['content-type'] ?? '' },
  }).formData()
  const parts: (readonly [string, string])[] = []
  for (const [name, value] of form)
    parts.push([name, encodeURIComponent(typeof value === 'string' ? value : 'a file')])
  return parts
}

async function checkSwaggerBody(
  document: StrictDocument,
  { parameters, request }: BodyCheck,
): Promise<string | undefined> {
  const body = parameters.find((each) => each.in === 'body')
  const form = parameters.filter((each) => each.in === 'formData')
  if (body) {
    if (request.body === undefined)
      return body.required === true ? 'the body is missing' : undefined
    if (!/json/.test(request.headers['content-type'] ?? '')) return undefined
    return document.misfit(body.schema, JSON.parse(Buffer.from(request.body).toString()))
  }
  if (request.body === undefined)
    return form.some((each) => each['x-required'] === true) ? 'the form is missing' : undefined
  if (form.length === 0) return 'a body is not described'
  return checkPairs(document, await readParts(request), form)
}
