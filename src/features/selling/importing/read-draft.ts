// What an address, a text or a program offers for sale, before it is compared with what is sold.
import { fail } from '#core/errors.ts'
import { schemaCompilerOf } from '#platform/json-schema/json-schema.ts'
import { errorMessageOf } from '#platform/thrown.ts'
import type { DescribedApi, DescribedSecurity } from '../described-operation.ts'
import type { McpConnection } from '../mcp/connection.ts'
import { describeTools } from '../mcp/described-tools.ts'
import { DescriptionProblem } from '../openapi/problem.ts'
import { type SoldApi, type SoldProgram, soldApiFormat } from '../sold-api.ts'
import type { StoredSoldApi } from '../store/sold-apis.ts'
import type { FetchedText } from './fetch-text.ts'
import { nameOf } from './name.ts'
import { listOrExplain, looksLikeToolServer, serverOf, type ToolSource } from './read-tools.ts'
import type { SellRequest } from './sell-request.ts'

export interface OfferParts {
  /** Throws `bad_request` for an address that cannot be read. `private`: it may be in the operator's network. */
  readonly fetchText: (address: string, options: { private: boolean }) => Promise<FetchedText>
  readonly find: (name: string) => Promise<StoredSoldApi | undefined>
  /** What is sold now. */
  readonly soldNow: () => readonly SoldApi[]
  /** To an MCP server, for a moment. */
  readonly connectTools: (source: ToolSource) => McpConnection
  /** `name@1.2.3` of a command that begins with `npx`. Throws an Error with a sentence. */
  readonly packageOf: (program: SoldProgram) => Promise<string | undefined>
  /** The operator's key that is stored under a name. */
  readonly keyOf: (name: string) => string | undefined
}

/** Without price rules. Throws `bad_request` with a sentence for the operator. */
export async function readDraft(request: SellRequest, parts: OfferParts): Promise<SoldApi> {
  if (isToolServer(request)) return await readToolServer(request, parts)
  const { address = '', description, server, kind, private: isPrivate = false } = request
  const fetched =
    kind === 'endpoint' || description !== undefined
      ? undefined
      : await parts.fetchText(address, { private: isPrivate })
  if (kind === undefined && fetched && answersAsToolServer(fetched))
    return await readToolServer(request, parts)
  const common = commonOf(request)
  const isDescribed = kind === 'openapi' || description !== undefined || looksDescribed(fetched)
  if (kind === 'endpoint' || !isDescribed) {
    if (fetched) refuseMistyped(address, fetched)
    return describeEndpoint(request, common)
  }
  const described = await readDescribed(request, fetched, parts)
  const credential = request.credential as DescribedSecurity | undefined
  const operations =
    credential === undefined
      ? described.operations
      : described.operations.map((operation) => ({ ...operation, security: credential }))
  return {
    ...common,
    ...(credential && { credential }),
    name: request.name ?? nameOf(described.title, described.servers[0] ?? address),
    kind: 'openapi',
    ...(server !== undefined && { server }),
    api: { ...described, operations },
  }
}

/** A description that was sent as a text has no address. */
const commonOf = ({ address = 'a description', private: isPrivate = false }: SellRequest) =>
  ({ format: soldApiFormat, address, private: isPrivate, rules: [], retired: [] }) as const

function describeEndpoint(
  { address = '', server, name, credential }: SellRequest,
  common: ReturnType<typeof commonOf>,
): SoldApi {
  const url = URL.parse(server ?? address)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw fail('bad_request', {
      message: `${address.slice(0, 200)} is not an address. Give one such as https://api.example.com/openapi.json.`,
    })
  if (url.username !== '' || url.password !== '')
    throw fail('bad_request', {
      message: 'The address contains a password. Send it as the key instead: it is sealed.',
    })
  const api = { title: url.host + url.pathname.replace(/\/$/, ''), version: '' }
  return {
    ...common,
    ...(credential && { credential: credential as DescribedSecurity }),
    name: name ?? nameOf(undefined, url.href),
    kind: 'endpoint',
    address: url.href,
    api: { ...api, servers: [url.origin], operations: [], definitions: {}, leftOut: [] },
  }
}

/** An address that names a description, or that has nothing, is most likely a typing mistake. */
function refuseMistyped(address: string, { status }: FetchedText): void {
  const { pathname = '' } = URL.parse(address) ?? {}
  const isMissing = status === 404 || status === 410
  if (!isMissing && !/\.(json|ya?ml)$|openapi|swagger|api-docs/i.test(pathname)) return
  const why = status >= 300 ? `answers ${status}` : 'is not a description in OpenAPI or Swagger'
  throw fail('bad_request', {
    message: `${address.slice(0, 300)} ${why}. Check the address. To sell it as it is, without a description, add \`"kind": "endpoint"\`.`,
  })
}

async function readDescribed(
  { address = '', description, server, private: isPrivate = false }: SellRequest,
  fetched: FetchedText | undefined,
  { fetchText }: OfferParts,
): Promise<DescribedApi> {
  // A description may name other files of its own host, and public ones.
  const mayBePrivate = (file: string) =>
    isPrivate && URL.parse(file)?.host === URL.parse(address)?.host
  const load = async (file: string) => {
    const { status, text } = await fetchText(file, { private: mayBePrivate(file) })
    if (status >= 300) throw new Error(`${file} answered ${status}.`)
    return text
  }
  // Its reader of YAML is loaded when the operator sells something, not at each start.
  const { readDescription } = await import('../openapi/read-description.ts')
  try {
    return await readDescription({
      text: description ?? fetched?.text ?? '',
      address: fetched?.address ?? (/^https?:/.test(address) ? address : ''),
      ...(/^https?:/.test(address) && { load }),
      server,
      fitting: (definitions) => {
        const compiler = schemaCompilerOf(definitions, { formats: true })
        return (schema, value) => compiler.compile(schema)(value) === true
      },
    })
  } catch (thrown) {
    if (!(thrown instanceof DescriptionProblem)) throw thrown
    const at = thrown.line === undefined ? '' : ` (line ${thrown.line})`
    throw fail('bad_request', { message: `${thrown.message}${at}` })
  }
}

const looksDescribed = (fetched: FetchedText | undefined) =>
  fetched !== undefined &&
  fetched.status < 300 &&
  /(^|[\s"'{,])(openapi|swagger)["']?\s*:\s*["']?[23]/.test(fetched.text.slice(0, 200_000))

const isToolServer = ({ kind, program, description, address = '' }: SellRequest) =>
  program !== undefined ||
  kind === 'mcp' ||
  (kind === undefined && description === undefined && looksLikeToolServer(address))

/** MCP servers refuse a GET without a session in JSON-RPC. */
const answersAsToolServer = ({ status, text }: FetchedText) =>
  status >= 400 && /"jsonrpc"\s*:\s*"2\.0"/.test(text.slice(0, 10_000))

async function readToolServer(request: SellRequest, parts: OfferParts): Promise<SoldApi> {
  const { key } = request
  const program = await readProgram(request, parts)
  const address = program?.command.join(' ') ?? request.address ?? ''
  const url = URL.parse(address)
  if (program === undefined && (url === null || !/^https?:$/.test(url.protocol)))
    throw fail('bad_request', {
      message: `${address.slice(0, 200)} is not an address. Give one such as https://mcp.example.com/mcp.`,
    })
  const common = { ...commonOf({ ...request, address }), ...(program && { program }) }
  const before = parts
    .soldNow()
    .find((sold) => sameServer(sold, common) && sold.name === (request.name ?? sold.name))
  const credential =
    (request.credential as DescribedSecurity | undefined) ??
    (key === undefined ? before?.credential : { kind: 'bearer' })
  const source = {
    address,
    program,
    private: common.private,
    security: credential ?? 'none',
    key: key ?? (before && parts.keyOf(before.name)),
  } as const
  const connection = parts.connectTools(source)
  try {
    const list = await listOrExplain(connection, source)
    const { security } = source
    const api = describeTools(list, { address: serverOf(source), security })
    return {
      ...common,
      ...(credential && { credential }),
      name: request.name ?? nameOf(api.title, program === undefined ? address : ''),
      kind: 'mcp',
      api,
    }
  } finally {
    await connection.close()
  }
}

const sameServer = (sold: SoldApi, other: Pick<SoldApi, 'address' | 'program'>) =>
  sold.kind === 'mcp' &&
  sold.address === other.address &&
  sold.program?.package === other.program?.package

async function readProgram(
  { program }: SellRequest,
  { packageOf }: OfferParts,
): Promise<SoldProgram | undefined> {
  if (program === undefined) return undefined
  const found = await packageOf(program).catch((thrown) =>
    Promise.reject(fail('bad_request', { message: errorMessageOf(thrown), cause: thrown })),
  )
  return { ...program, ...(found !== undefined && { package: found }) }
}
