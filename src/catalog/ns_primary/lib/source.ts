// A source of the shelf: one register, office or service that publishes its own data and needs no key. A source is one
// file of data with one function; the shelf lists it, and nothing else knows it by name.
import type { RunContext, z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import type { HttpReply, HttpRequest, ProviderHttp } from '#core/ports.ts'
import type { PacingWindow } from '#core/provider.ts'
import type { UntypedJson } from '#core/replies/untyped-json.ts'
import type { AddedEndpoint } from './added.ts'

export interface PrimarySource extends AddedEndpoint {
  readonly host: string
  readonly pacing: readonly PacingWindow[]
}

type Query = HttpRequest['query']
type Options = Pick<HttpRequest, 'accept' | 'headers'>

/** Asks the source. Replies to a GET are kept for the time that the source states. */
export interface AskSource {
  readonly get: (path: string, query: Query, options?: Options) => Promise<UntypedJson>
  readonly send: (path: string, query: Query, options?: Options) => Promise<HttpReply>
  readonly post: (path: string, body: unknown) => Promise<UntypedJson>
}

interface Found {
  /** The rows as read. Those that do not fit `row` are left out. */
  readonly items: readonly unknown[]
  /** The rows that match, if the source counts them. */
  readonly total?: number | null
  readonly [fact: string]: unknown
}

interface SourceDefinition<Input extends z.ZodObject> {
  readonly summary: string
  readonly synonyms: readonly string[]
  /** The name under which the answer cites it. */
  readonly source: string
  /** What its licence asks those who pass its data on to say. */
  readonly attribution?: string
  readonly host: string
  readonly pacing: readonly PacingWindow[]
  readonly rememberSeconds: number
  readonly cents?: number
  readonly input: Input
  /** At least one of these optional parameters must be sent. */
  readonly anyOf?: readonly (keyof z.output<Input> & string)[]
  readonly row: z.ZodType
  readonly example: z.input<Input>
  readonly read: (context: {
    readonly input: z.output<Input>
    readonly ask: AskSource
    readonly clock: RunContext<unknown>['clock']
  }) => Promise<Found>
}

export function defineSource<const Input extends z.ZodObject>(
  definition: SourceDefinition<Input>,
): PrimarySource {
  const { host, pacing, summary, synonyms, source, attribution, input: schema } = definition
  const { shape } = schema
  const named = (isOptional: boolean) =>
    Object.keys(shape).filter((name) => acceptsNothing(shape[name] as z.ZodType) === isOptional)
  return {
    summary,
    synonyms,
    host,
    pacing: pacing.map((window) => ({ ...window, host })),
    cents: definition.cents ?? 1,
    parameters: shape as Readonly<Record<string, z.ZodType>>,
    required: named(false),
    optional: named(true),
    anyOf: definition.anyOf,
    example: definition.example,
    async run({ input, http, clock }) {
      const ask = askOf(http, definition)
      // The action's schema accepts the parameters of all endpoints; this one's own defaults are filled in here.
      const own = schema.parse(Object.fromEntries(givenOf(input, shape))) as z.output<Input>
      const { items, ...facts } = await definition.read({ input: own, ask, clock })
      const rows = readRows(items, definition.row)
      return {
        source,
        result: { items: rows, ...facts, ...(attribution !== undefined && { attribution }) },
      }
    },
  }
}

const acceptsNothing = (schema: z.ZodType) => schema.safeParse(undefined).success

const givenOf = (input: object, shape: object) =>
  Object.entries(input).filter(([name, value]) => value !== undefined && Object.hasOwn(shape, name))

function askOf(
  http: ProviderHttp,
  { host, rememberSeconds }: Pick<PrimarySource, 'host'> & { readonly rememberSeconds: number },
): AskSource {
  const at = { host: { host } }
  const asked = (query: Query, { headers, ...options }: Options = {}) => ({
    ...at,
    ...options,
    query,
    rememberSeconds,
    headers: { accept: 'application/json', ...headers },
  })
  return {
    get: (path, query, options) => http.get(path, asked(query, options)),
    send: (path, query, options) => http.send({ method: 'GET', path, ...asked(query, options) }),
    post: (path, body) => http.post(path, body, { ...at, headers: { accept: 'application/json' } }),
  }
}

/** A miss costs nothing. An answer without one readable row means that the source has changed. */
function readRows(items: unknown, row: z.ZodType): unknown[] {
  if (!Array.isArray(items)) throw unreadable()
  if (items.length === 0) {
    throw fail('not_found', {
      message: 'The source has nothing on this. Nothing was charged; check the parameters.',
    })
  }
  const rows = items.flatMap((item) => {
    const { success, data } = row.safeParse(item)
    return success ? [data] : []
  })
  if (rows.length === 0) throw unreadable()
  return rows
}

/** The reply does not have the form that the source documents. */
export const unreadable = () =>
  fail('upstream_error', {
    message: 'The source answered in a form that this gateway does not know. Nothing was charged.',
  })

/** Returns the list at this place of a reply. An absent list is a changed form, not an empty answer. */
export function listIn(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw unreadable()
  return value
}

/** The list, with each row mapped. A row that cannot be read fits no schema, and is left out. */
export function mapList<Row>(
  value: unknown,
  map: (row: UntypedJson) => Row,
): readonly (Row | undefined)[] {
  return listIn(value).map((row) => {
    if (typeof row !== 'object' || row === null) return undefined
    try {
      return map(row)
    } catch (thrown) {
      if (thrown instanceof TypeError) return undefined
      throw thrown
    }
  })
}
