// An API that the operator sells, as it is stored, exported and imported again.
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { toolHints } from '#core/calls/tool-facts.ts'
import { fail } from '#core/errors.ts'
import { describeIssues } from '#core/input/issues.ts'
import type { DescribedApi, DescribedOperation, DescribedSecurity } from './described-operation.ts'
import { shownText } from './openapi/text.ts'
import { type PriceRule, readPriceRules } from './rules/price-rules.ts'

/** The command that starts an MCP server, and what the server sees of this machine. */
export interface SoldProgram {
  readonly command: readonly string[]
  /** Absolute paths. */
  readonly folders: readonly { readonly path: string; readonly may_write: boolean }[]
  /** Whether it reaches the public network. */
  readonly network: boolean
  /** Variables without secrets. */
  readonly environment: Readonly<Record<string, string>>
  /** Of a command that begins with `npx`: the package with the version that was read, `name@1.2.3`. */
  readonly package?: string | undefined
}

export const soldKinds = ['openapi', 'endpoint', 'mcp'] as const
export type SoldKind = (typeof soldKinds)[number]

/** An operation that the description had and has no more, and when that was noticed. */
export interface RetiredOperation {
  readonly operation: DescribedOperation
  /** ISO date. */
  readonly since: string
}

export interface SoldApi {
  readonly format: typeof soldApiFormat
  /** The namespace of its actions. */
  readonly name: string
  readonly kind: SoldKind
  /** Of the description, of the endpoint itself, or of an MCP server; or the command of a program in words. */
  readonly address: string
  /** Of an MCP server that this machine runs. */
  readonly program?: SoldProgram | undefined
  /** Replaces the base address of the description. */
  readonly server?: string | undefined
  /** Where the operator's key goes, in place of what the description says. */
  readonly credential?: DescribedSecurity | undefined
  /** It may be in the operator's own network. */
  readonly private: boolean
  /** The operator stopped selling it at this time. */
  readonly stopped?: string | undefined
  readonly rules: readonly PriceRule[]
  readonly api: DescribedApi
  readonly retired: readonly RetiredOperation[]
}

export const soldApiFormat = 'tollway-sold-api/1'
/** Its settings begin with it in capitals, and its paths. */
export const soldName = z
  .string()
  .regex(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/, 'must be lower-case letters, digits and single _')
  .min(2)
  .max(40)
const operationsMax = 5_000

/** Words of a description, of which an exported file may have any. */
const shown = z.string().transform(shownText)
const json = z.record(z.string(), z.unknown())
const webAddress = z.url({ protocol: /^https?$/ }).max(2_000)
/** The server of tools that a program offers. */
export const programServer = 'program:'
const server = z.union([webAddress, z.literal(programServer)])

const wordsMax = 100
const foldersMax = 20
const variablesMax = 50
export const soldProgram = z.strictObject({
  command: z
    .array(z.string().max(4_000))
    .min(1)
    .max(wordsMax)
    .describe('The words of the command: `["npx", "some-mcp-server"]`.'),
  folders: z
    .array(
      z.strictObject({
        path: z.string().min(1).max(1_000).describe('An absolute path.'),
        may_write: z.boolean().default(false),
      }),
    )
    .max(foldersMax)
    .default([])
    .describe('Folders of the gateway’s machine that it sees.'),
  network: z
    .boolean()
    .default(false)
    .describe(
      'Whether it reaches the public network. This machine and private addresses it never reaches.',
    ),
  environment: z
    .record(z.string().regex(/^[A-Za-z_]\w{0,99}$/), z.string().max(4_000))
    .refine((variables) => Object.keys(variables).length <= variablesMax, 'at most 50 variables')
    .default({})
    .describe('Variables without secrets. A key goes to where `credential` says.'),
})

const field = z.strictObject({
  name: z.string().min(1).max(200),
  in: z.enum(['path', 'query', 'header', 'cookie', 'body', 'form', 'file']),
  wireName: z.string().max(500),
  style: z
    .enum([
      'simple',
      'label',
      'matrix',
      'form',
      'spaceDelimited',
      'pipeDelimited',
      'tabDelimited',
      'deepObject',
      'json',
    ])
    .optional(),
  explode: z.boolean().optional(),
  allowReserved: z.boolean().optional(),
  contentType: z.string().max(200).optional(),
  required: z.boolean(),
})

const key = {
  kind: z.enum(['bearer', 'basic', 'header', 'query', 'cookie', 'env']),
  name: z.string().optional(),
  prefix: z.string().optional(),
}
const security = z.union([
  z.literal('none'),
  z.strictObject({ ...key, and: z.array(z.strictObject(key)).optional() }),
])

const operation = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z0-9]+([-_][a-z0-9]+)*$/)
    .max(64),
  key: z.string().min(1).max(2_000),
  title: shown,
  description: shown,
  tags: z.array(shown),
  deprecated: z.boolean(),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  path: z.string().startsWith('/'),
  server,
  fields: z.array(field),
  input: json,
  bodyType: z.enum(['json', 'form', 'multipart', 'raw']).optional(),
  bodyContentType: z.string().optional(),
  output: json.optional(),
  outputTypes: z.array(z.string()),
  security,
  tool: z
    .strictObject({
      title: z.string().optional(),
      ...Object.fromEntries(toolHints.map((hint) => [hint, z.boolean().optional()])),
    })
    .optional(),
  pagination: z
    .union([
      z.strictObject({ kind: z.literal('cursor'), field: z.string(), next: z.string() }),
      z.strictObject({ kind: z.enum(['page', 'offset']), field: z.string() }),
      z.strictObject({ kind: z.literal('link') }),
    ])
    .optional(),
  example: json,
})

const soldApi = z.strictObject({
  format: z.literal(soldApiFormat),
  name: soldName,
  kind: z.enum(soldKinds),
  address: z.string().min(1).max(2_000),
  program: soldProgram.extend({ package: z.string().max(300).optional() }).optional(),
  server: webAddress.optional(),
  credential: security.optional(),
  private: z.boolean(),
  stopped: z.string().optional(),
  rules: z.array(z.unknown()),
  api: z.strictObject({
    title: shown.pipe(z.string().max(500)),
    version: shown.pipe(z.string().max(200)),
    servers: z.array(server),
    operations: z.array(operation).max(operationsMax),
    definitions: z.record(z.string(), z.union([json, z.boolean()])),
    leftOut: z.array(z.strictObject({ where: shown, line: z.int().optional(), why: shown })),
  }),
  retired: z.array(z.strictObject({ operation, since: z.string() })).max(operationsMax),
})

/** Why an operation could not be read again once it is stored. */
export function storageProblem(described: DescribedOperation): string | undefined {
  const { error } = operation.safeParse(described)
  return error && `It cannot be stored: ${describeIssues(error).message}`
}

/** Reads an exported file. Throws `bad_request`. */
export function readSoldApi(value: unknown): SoldApi {
  const sold = parse(value)
  const kept = new Set(operationsOf(withoutRepeats(sold)))
  const twice = operationsOf(sold).find((operation) => !kept.has(operation))
  if (twice === undefined) return sold
  throw fail('bad_request', {
    message: `Two operations of the file are called ${twice.name}. Give each a name of its own.`,
  })
}

const operationsOf = ({ api, retired }: SoldApi): readonly DescribedOperation[] => [
  ...api.operations,
  ...retired.map(({ operation }) => operation),
]

/** An earlier version stored two operations of one name. */
export const readStoredApi = (value: unknown): SoldApi => withoutRepeats(parse(value))

/** Of the operations with one name the first stays, and one that is sold goes before one that is retired. */
function withoutRepeats(sold: SoldApi): SoldApi {
  const taken = new Set<string>()
  const isFirst = ({ name }: DescribedOperation) => {
    const isNew = !taken.has(name)
    taken.add(name)
    return isNew
  }
  const operations = sold.api.operations.filter(isFirst)
  const retired = sold.retired.filter(({ operation }) => isFirst(operation))
  return { ...sold, api: { ...sold.api, operations }, retired }
}

function parse(value: unknown): SoldApi {
  const parsed = soldApi.safeParse(value)
  if (!parsed.success) {
    const { message, issues } = describeIssues(parsed.error)
    throw fail('bad_request', {
      message: `This is not a file of \`sell export\`. ${message}`,
      data: { issues },
    })
  }
  return { ...parsed.data, rules: readPriceRules(parsed.data.rules) } as SoldApi
}

/** Another text whenever what is sold, or the revision that it replaces, is another one. */
export const digestOf = (sold: SoldApi, replaced: number | undefined): string =>
  createHash('sha256')
    .update(`${replaced} ${JSON.stringify(sold)}`)
    .digest('base64url')

/**
 * The one place in the operator's network that `private` opens: what the operator has named, and no other server that a
 * description names.
 */
export const privatePlaceOf = ({ server, address, api }: SoldApi): URL | undefined =>
  [server ?? address, ...api.servers.slice(0, 1)]
    .map((each) => URL.parse(each))
    .find((url) => url?.protocol === 'http:' || url?.protocol === 'https:') ?? undefined

/** The origins to which calls are sent, and with them the key; or the program that is given it. */
export function originsOf(sold: SoldApi): ReadonlySet<string> {
  const { address, server, program, api } = sold
  const { operations } = api
  if (program !== undefined) return new Set([program.package ?? program.command.join(' ')])
  const servers = operations.map((operation) => operation.server)
  const all = servers.length === 0 ? [server ?? address] : servers
  return new Set(all.map((each) => URL.parse(each)?.origin ?? each))
}
