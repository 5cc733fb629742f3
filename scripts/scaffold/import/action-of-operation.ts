// An operation of an import as an action of the catalog, with its fixture.
import type {
  DescribedField,
  DescribedOperation,
  Json,
  JsonSchema,
} from '#features/selling/described-operation.ts'
import { exampleInput } from '#features/selling/openapi/example.ts'
import type { SoldApi } from '#features/selling/sold-api.ts'
import { exportNameOf } from '../source-text.ts'
import { termsOfOperation } from './terms-text.ts'
import { objectText, oneLine, quote, templateText, type ZodTerms, zodText } from './zod-text.ts'

export interface WrittenAction {
  readonly name: string
  readonly exportName: string
  readonly text: string
  readonly fixture: object
}

export interface UnwrittenOperation {
  readonly key: string
  /** A sentence. */
  readonly why: string
}

const outputFieldsMax = 20
/** Names that the file of an action has already. */
const taken = new Set([
  ...['z', 'path', 'defineAction'],
  ...['written', 'counted', 'countedPrice', 'checkCounted'],
])

export function actionOfOperation(
  sold: SoldApi,
  operation: DescribedOperation,
  { server, attachedQuery }: { server: string; attachedQuery: Readonly<Record<string, string>> },
): WrittenAction | UnwrittenOperation {
  const { key, name } = operation
  const why = whyNot(operation, server)
  if (why !== undefined) return { key, why }
  const resolve = resolver(sold)
  const output = outputOf(operation, resolve)
  const isList = output.kind === 'list'
  const terms = termsOfOperation(sold, operation, isList)
  if ('why' in terms) return { key, why: terms.why }
  const priced = { ...operation, example: terms.example }
  const named = exportNameOf(/^\d/.test(name) ? `action-${name}` : name)
  const exportName = taken.has(named) ? `${named}Action` : named
  const request = requestText(operation, terms.timeoutMs)
  const text = `import { defineAction, z } from '#core/action.ts'
${request.usesPath ? `import { path } from '#core/path.ts'\n` : ''}${terms.imports}
${terms.before}export const ${exportName} = defineAction(${quote(name)}, {
  summary: ${quote(summaryOf(operation))},
  notes: ${quote(notesOf(operation))},
  synonyms: ['<at least four words that people use>'],
  questions: ['<at least three questions that it answers>'],
  input: ${objectOrEmpty(operation.input, { resolve, side: 'input', fields: { left: Number.POSITIVE_INFINITY } })},
  output: ${output.text},
  ${terms.properties}
  example: { input: ${quote(terms.example)}, cents: ${terms.cents} },
  run: ${isList ? `async ({ ${request.uses} }) => ({ items: await ${request.call} })` : `({ ${request.uses} }) => ${request.call}`},
})
`
  return {
    name,
    exportName,
    text,
    fixture: {
      origin: 'docs',
      source: `The description at ${sold.address}, without a reply: replace it by npm run record.`,
      exchanges: [
        {
          request: exampleRequest(priced, attachedQuery),
          reply: {
            status: 200,
            headers: { 'content-type': 'application/json' },
            body: output.example,
          },
        },
      ],
      output: isList ? { items: output.example } : output.example,
    },
  }
}

/** What the catalog's client does not write by itself. */
function whyNot(operation: DescribedOperation, server: string): string | undefined {
  const { bodyType, fields, outputTypes, security } = operation
  if (operation.server !== server) return `It is at another address: ${operation.server}.`
  if (bodyType !== undefined && bodyType !== 'json') return `Its body is ${bodyType}, not JSON.`
  const places = fields.map(({ in: place }) => place)
  if (places.some((place) => ['cookie', 'form', 'file'].includes(place)))
    return 'It has cookies, forms or files.'
  const [type = 'application/json'] = outputTypes
  if (!/json/i.test(type)) return `It answers with ${type}, not JSON.`
  const odd = fields.find((field) => !isPlain(field, operation))
  if (odd !== undefined) return `Its field ${odd.name} is written in a style of its own.`
  return security === 'none' || security.and === undefined ? undefined : 'It asks for several keys.'
}

const scalars = new Set(['string', 'number', 'integer', 'boolean'])

/** Text and numbers anywhere; lists in a query, which the client repeats. */
function isPlain(field: DescribedField, operation: DescribedOperation): boolean {
  const { in: place, style, explode } = field
  if (place === 'body') return true
  const isUsual = style === undefined || style === 'simple' || style === 'form'
  const schema = schemaOf(field, operation)
  if (isScalar(schema)) return isUsual
  const isList = schema.type === 'array' && isScalar((schema.items ?? {}) as JsonSchema)
  return isList && place === 'query' && isUsual && explode !== false
}

const schemaOf = ({ name }: DescribedField, { input }: DescribedOperation): JsonSchema =>
  ((input.properties ?? {}) as Record<string, JsonSchema>)[name] ?? {}

const isScalar = ({ type, enum: values = [] }: JsonSchema): boolean =>
  typeof type === 'string'
    ? scalars.has(type)
    : type === undefined &&
      Array.isArray(values) &&
      values.length > 0 &&
      values.every((value) => typeof value === 'string')

const resolver =
  ({ api }: SoldApi) =>
  (reference: string): JsonSchema | undefined =>
    api.definitions[decodeURIComponent(reference.split('/').at(-1) ?? '')]

type Output =
  | { readonly kind: 'object'; readonly text: string; readonly example: Json }
  | { readonly kind: 'list'; readonly text: string; readonly example: Json }

function outputOf({ output }: DescribedOperation, resolve: ZodTerms['resolve']): Output {
  const terms: ZodTerms = { resolve, side: 'output', fields: { left: outputFieldsMax } }
  const schema = follow(output, resolve)
  const wrapped = { properties: { all: schema ?? {} }, required: ['all'] }
  const { all = {} } = exampleInput(wrapped, resolve, true)
  if (schema?.type === 'array') {
    const text = `z.looseObject({ items: ${zodText(schema, terms)} })`
    return { kind: 'list', text, example: Array.isArray(all) ? all : [] }
  }
  const isObject = typeof all === 'object' && all !== null && !Array.isArray(all)
  return {
    kind: 'object',
    text: schema?.properties ? objectText(schema, terms, 0) : 'z.looseObject({})',
    example: isObject ? all : {},
  }
}

function follow(
  schema: JsonSchema | undefined,
  resolve: ZodTerms['resolve'],
  times = 0,
): JsonSchema | undefined {
  if (schema === undefined || typeof schema.$ref !== 'string' || times > 10) return schema
  return follow(resolve(schema.$ref), resolve, times + 1)
}

const objectOrEmpty = (schema: JsonSchema, terms: ZodTerms) =>
  Object.keys((schema.properties ?? {}) as object).length === 0
    ? 'z.strictObject({})'
    : objectText(schema, terms, 0)

const identifier = /^[A-Za-z_$][\w$]*$/
const inputOf = (name: string) =>
  identifier.test(name) ? `input.${name}` : `input[${quote(name)}]`

interface RequestText {
  readonly call: string
  /** What the call takes of the context. */
  readonly uses: string
  readonly usesPath: boolean
}

function requestText(operation: DescribedOperation, timeoutMs: number | undefined): RequestText {
  const { method, path, fields } = operation
  const inPlace = (place: DescribedField['in']) => fields.filter((field) => field.in === place)
  const byName = new Map(inPlace('path').map((field) => [field.wireName, field.name]))
  const usesPath = byName.size > 0
  const filled = templateText(path).replaceAll(/\{([^{}]+)\}/g, (whole, wireName: string) => {
    const name = byName.get(wireName)
    return name === undefined ? whole : `\${${asText(inputOf(name), name, operation)}}`
  })
  const where = usesPath ? `path\`${filled}\`` : quote(path)
  const query = recordText(inPlace('query'))
  const headers = headersText(inPlace('header'), operation)
  const body = bodyText(inPlace('body'))
  const rest = [
    query && `query: ${query}`,
    headers && `headers: ${headers}`,
    timeoutMs && `timeoutMs: ${timeoutMs}`,
  ].filter(Boolean)
  const options = rest.length === 0 ? '' : `, { ${rest.join(', ')} }`
  const uses = fields.length === 0 ? 'http' : 'input, http'
  if (method === 'GET') return { call: `http.get(${where}${options})`, uses, usesPath }
  if (method === 'POST')
    return { call: `http.post(${where}, ${body ?? '{}'}${options})`, uses, usesPath }
  const parts = [
    `method: ${quote(method)}`,
    `path: ${where}`,
    ...rest,
    ...(body === undefined ? [] : [`body: ${body}`]),
  ]
  return { call: `http.send({ ${parts.join(', ')} }).then(({ body }) => body)`, uses, usesPath }
}

/** Paths take text and numbers. */
function asText(value: string, name: string, { input }: DescribedOperation): string {
  const { type } = ((input.properties ?? {}) as Record<string, JsonSchema>)[name] ?? {}
  return type === 'boolean' ? `String(${value})` : value
}

/** A header has a text, or is not there. */
function headersText(
  fields: readonly DescribedField[],
  { input }: DescribedOperation,
): string | undefined {
  const required = new Set((input.required ?? []) as readonly string[])
  const parts = fields.map(({ name, wireName }) => {
    const pair = `${quote(wireName.toLowerCase())}: String(${inputOf(name)})`
    return required.has(name) ? pair : `...(${inputOf(name)} !== undefined && { ${pair} })`
  })
  return parts.length === 0 ? undefined : `{ ${parts.join(', ')} }`
}

const recordText = (fields: readonly DescribedField[]): string | undefined =>
  fields.length === 0
    ? undefined
    : `{ ${fields.map(({ name, wireName }) => `${quote(wireName)}: ${inputOf(name)}`).join(', ')} }`

function bodyText(fields: readonly DescribedField[]): string | undefined {
  const whole = fields.find(({ wireName }) => wireName === '')
  return whole ? inputOf(whole.name) : recordText(fields)
}

/** The request that the example becomes. */
function exampleRequest(
  { method, path, fields, example }: DescribedOperation,
  attachedQuery: Readonly<Record<string, string>>,
): object {
  const given = fields.filter(({ name }) => example[name] !== undefined)
  const valuesIn = (place: DescribedField['in']) =>
    given
      .filter((field) => field.in === place)
      .map(({ wireName, name }) => [wireName, example[name]] as const)
  const inPath = new Map(valuesIn('path'))
  const body = valuesIn('body')
  const [whole] = body.filter(([wireName]) => wireName === '')
  const hasBody = method === 'POST' || fields.some((field) => field.in === 'body')
  const texts = (value: Json | undefined) => {
    const all = [value].flat().map((each) => (typeof each === 'string' ? each : quote(each)))
    return all.length === 1 ? all[0] : all
  }
  return {
    method,
    path: path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) =>
      encodeURIComponent(String(inPath.get(name) ?? '')).replaceAll(
        /%(3A|40|2C)/g,
        decodeURIComponent,
      ),
    ),
    query: {
      ...Object.fromEntries(valuesIn('query').map(([name, value]) => [name, texts(value)])),
      ...attachedQuery,
    },
    ...(hasBody && { body: whole ? whole[1] : Object.fromEntries(body) }),
  }
}

const summaryMax = 180

function summaryOf({ title, description, method, path }: DescribedOperation): string {
  const said = oneLine(title) || (/^.*?[.!?](?=\s|$)/.exec(oneLine(description))?.[0] ?? '')
  if (said === '' || said.length > summaryMax)
    return `<One sentence with a full stop: what ${method} ${path} gives the caller.>`
  const sentence = said[0]?.toUpperCase() + said.slice(1)
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`
}

function notesOf({ method, description, deprecated }: DescribedOperation): string {
  const said = oneLine(description).replaceAll(/[<>]/g, '').slice(0, summaryMax)
  const change =
    method === 'GET' ? '' : ' It may change something: see irrevocable, makes and issues.'
  const old = deprecated ? ' The API calls this operation deprecated.' : ''
  return `<When to use it, and which other action when not.${change} The vendor says: ${said}>${old}`
}
