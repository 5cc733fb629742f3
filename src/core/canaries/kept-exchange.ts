// What is kept of a call of a vendor: in the form of the catalog's fixtures, without secrets, within a limit.
import type { HttpRequest, QueryValue } from '../ports.ts'
import type { Provider } from '../provider.ts'
import type { AskedExchange } from './ask-directly.ts'
import { priceHeadersOf } from './drift.ts'

export interface KeptExchange {
  readonly request: {
    readonly method: string
    readonly host?: Readonly<Record<string, string>>
    readonly path: string
    readonly query: Readonly<Record<string, string | readonly string[]>>
    readonly headers: Readonly<Record<string, string>>
    readonly body?: unknown
  }
  readonly reply: {
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
    readonly body?: unknown
    readonly text?: string
  }
  /** The reply was too long: its text is only the beginning. */
  readonly cut?: true
}

/** The items that a fixture keeps of each list: it shows the form of the data, not all of it. */
export const fixtureItemsMax = 3
const bodyCharactersMax = 64_000
/** Of a page, before its secrets are searched for. */
const textCharactersMax = 4 * bodyCharactersMax
const exchangesMax = 10
const depthMax = 100
const headersKept = new Set(['content-type', 'location', 'retry-after', 'link'])

/** The key of fixtures takes the place of the operator's. */
export function recordExchange({ provider, request, reply }: AskedExchange): KeptExchange {
  const attached = attachedInFixtures(provider, request)
  const sent = request.bytes === undefined ? request.body : readBytes(Buffer.from(request.bytes))
  const headers = Object.entries(reply.headers).filter(([name]) => headersKept.has(name))
  const isObject = typeof sent === 'object' && sent !== null && !Array.isArray(sent)
  const body = attached?.body && isObject ? { ...sent, ...attached.body } : (sent ?? attached?.body)
  const answered = readBody(reply)
  const isTooDeep = isDeeperThan(answered, depthMax)
  return {
    request: {
      method: request.method,
      ...(request.host && { host: request.host }),
      path: request.path,
      query: { ...asText(request.query ?? {}), ...attached?.query },
      headers: { 'user-agent': '*', ...request.headers, ...attached?.headers },
      ...(body !== undefined && { body: JSON.parse(JSON.stringify(body)) }),
    },
    reply: {
      status: reply.status,
      headers: { ...Object.fromEntries(headers), ...priceHeadersOf([reply]) },
      ...(typeof answered === 'string'
        ? { text: answered.slice(0, textCharactersMax) }
        : { body: isTooDeep ? null : answered }),
    },
    ...(isTooDeep && { cut: true as const }),
  }
}

/** A vendor may nest its lists until no function can follow them. */
function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((item) => isDeeperThan(item, levels - 1))
}

/** What fixtures attach to requests of this provider. A signed token differs each time. */
export function attachedInFixtures(
  provider: Provider,
  request: Pick<HttpRequest, 'method' | 'path' | 'anonymous'>,
): Partial<ReturnType<NonNullable<NonNullable<Provider['upstream']>['credential']>['attach']>> {
  const credential = provider.upstream?.credential
  if (credential === undefined || credential.optional || request.anonymous) return {}
  if (credential.sign !== undefined) return { headers: { authorization: '*' } }
  return credential.attach(fixtureKey(credential), request)
}

export const fixtureKey = ({ form }: { readonly form?: string }) => form ?? 'test-key'

function asText(query: Readonly<Record<string, QueryValue>>): KeptExchange['request']['query'] {
  return Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => {
      const texts = [value].flat().flatMap((item) => (item === undefined ? [] : [String(item)]))
      if (texts.length === 0) return []
      return [[name, texts.length === 1 ? (texts[0] ?? '') : texts] as const]
    }),
  )
}

/** JSON, a text, or how many bytes there were. */
export function readBody({ body }: Pick<AskedExchange['reply'], 'body'>): unknown {
  if (Buffer.isBuffer(body)) return readBytes(body)
  return Array.isArray(body) && body.some((each) => Buffer.isBuffer(each))
    ? body.map((each) => readBody({ body: each }))
    : body
}

function readBytes(bytes: Buffer): unknown {
  const text = bytes.toString('utf8')
  if (text.includes('\ufffd') || text.includes('\0')) return { bytes: bytes.length }
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/**
 * A call may send many requests: the first ones, and no more of a reply than may be stored. Nothing is cut within a
 * value, because half of a secret would not be found in it.
 */
export const fitExchanges = (exchanges: readonly KeptExchange[]): KeptExchange[] =>
  exchanges.slice(0, exchangesMax).map((exchange) => {
    if (exchange.reply.text !== undefined) return exchange
    const ways = [same, shortenLists, trim, withoutBodies]
    return ways.map((way) => way(exchange)).find(isStorable) ?? withoutBodies(exchange)
  })

const same = (exchange: KeptExchange) => exchange

const isStorable = (exchange: KeptExchange) => JSON.stringify(exchange).length <= bodyCharactersMax

/** After its secrets were found. */
export function cutText({ reply, ...rest }: KeptExchange): KeptExchange {
  const { text } = reply
  if (text === undefined || text.length <= bodyCharactersMax) return { reply, ...rest }
  return { ...rest, reply: { ...reply, text: text.slice(0, bodyCharactersMax) }, cut: true }
}

const withoutBodies = ({ request, reply }: KeptExchange): KeptExchange => ({
  request: { ...request, ...(request.body !== undefined && { body: null }) },
  reply: { status: reply.status, headers: reply.headers, body: null },
  cut: true,
})

const trim = ({ request, reply }: KeptExchange): KeptExchange => ({
  request: { ...request, ...(request.body !== undefined && { body: trimValue(request.body) }) },
  reply: { ...reply, body: trimValue(reply.body) },
  cut: true,
})

const charactersMax = 2_000
const namesMax = 200

function trimValue(value: unknown): unknown {
  if (typeof value === 'string' && value.length > charactersMax)
    return `[${value.length} characters]`
  if (Array.isArray(value)) return value.slice(0, fixtureItemsMax).map(trimValue)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).slice(0, namesMax)
  return Object.fromEntries(entries.map(([name, item]) => [name, trimValue(item)]))
}

export const shortenLists = ({ reply, ...rest }: KeptExchange): KeptExchange => ({
  ...rest,
  reply: { ...reply, ...(reply.body !== undefined && { body: shorten(reply.body) }) },
})

function shorten(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, fixtureItemsMax).map(shorten)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, shorten(item)]))
}
