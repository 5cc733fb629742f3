// Runs one action against its live provider and keeps the exchanges as a fixture that replays.
import { providers } from '#catalog/providers.ts'
import { type AskedExchange, askDirectly, findAction } from '#command/doctor/live/ask-directly.ts'
import { createMask, textsIn } from '#command/doctor/live/mask.ts'
import type { HttpRequest, Log, QueryValue } from '#core/ports.ts'
import { credentialNames, type Provider } from '#core/provider.ts'
import { systemClock } from '#platform/clock.ts'
import { createService } from '#platform/http/service.ts'
import type { Exchange, Fixture } from '#test/replay-server.ts'
import { replayAction, testCredential } from '#test/run-action.ts'

/** The items that are kept of each list in a reply: a fixture shows the form of the data, not all of it. */
const itemsMax = 3
const headersKept = new Set(['content-type', 'location', 'retry-after', 'link'])
const timeoutMs = 300_000

export interface Recording {
  readonly fixture: Fixture
  /** Masked, except the input of the example. */
  readonly input: unknown
}

/** Throws an Error with the reason if nothing can be recorded. */
export async function recordAction(
  id: string,
  options: {
    /** Undefined: the action's example. */
    readonly input?: unknown
    /** The operator's variables: keys and base URLs. */
    readonly variables: ReadonlyMap<string, string>
    readonly userAgent: string
    readonly log: Log
  },
): Promise<Recording> {
  const { variables, userAgent, log } = options
  const { provider, action } = findAction(providers, id)
  if (provider.upstream === undefined && provider.through === undefined)
    throw new Error(`${id} is answered by this machine: there is no reply to record.`)
  if (action.irrevocable)
    throw new Error(`${id} buys something that cannot be given back, and is not recorded.`)
  const exchanges: AskedExchange[] = []
  const sent = options.input ?? action.example.input
  const answer = await askDirectly(id, sent, {
    providers,
    signal: AbortSignal.timeout(timeoutMs),
    open: (one) => createService(one, { variables, userAgent, log, clock: systemClock }),
    exchanges,
  })
  action.output.parse(answer)
  const mask = createMask({
    secrets: [...variables].flatMap(([name, value]) => (name.endsWith('_KEY') ? value : [])),
    keep: [
      ...providers.flatMap((one) => textsIn(attachedInTests(one, { method: 'POST', path: '/' }))),
      ...(options.input === undefined ? textsIn(action.example.input) : []),
    ],
  })
  const input = options.input === undefined ? sent : mask.apply(sent)
  const clean = mask.apply(exchanges.map(asExchange).map(shorten)) as Exchange[]
  const { output, error } = await replayAction(provider, action.name, { exchanges: clean, input })
  if (error !== undefined) {
    throw new Error(`The masked recording of ${id} does not replay: ${error.message}`)
  }
  const source = `Recorded on ${new Date().toISOString().slice(0, 10)} with npm run record; secrets and data of people are masked, lists are cut to ${itemsMax}.`
  return { fixture: { origin: 'recorded', source, exchanges: clean, output }, input }
}

/** The request as the replay expects it, with the credential of the tests instead of the operator's. */
function asExchange({ provider, request, reply }: AskedExchange): Exchange {
  const attached = attachedInTests(provider, request)
  const body =
    request.body === undefined && attached?.body === undefined
      ? undefined
      : JSON.parse(JSON.stringify({ ...(request.body as object), ...attached?.body }))
  const headers = Object.entries(reply.headers).filter(([name]) => headersKept.has(name))
  return {
    request: {
      method: request.method,
      ...(request.host && { host: request.host }),
      path: request.path,
      query: { ...asText(request.query ?? {}), ...attached?.query },
      headers: { 'user-agent': '*', ...request.headers, ...attached?.headers },
      ...(body !== undefined && { body }),
    },
    reply: {
      status: reply.status,
      headers: Object.fromEntries(headers),
      ...(request.as === 'text' ? { text: reply.body } : { body: reply.body }),
    },
  }
}

/** What the tests attach to requests of this provider. A signed token differs each time. */
function attachedInTests(provider: Provider, request: Pick<HttpRequest, 'method' | 'path'>) {
  const credential = provider.upstream?.credential
  if (credential === undefined || credential.optional || credentialNames(provider).length === 0)
    return undefined
  if (credential.sign !== undefined) return { headers: { authorization: '*' } }
  return credential.attach(testCredential(provider), request)
}

function asText(query: Readonly<Record<string, QueryValue>>): Exchange['request']['query'] {
  return Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => {
      const texts = [value].flat().flatMap((item) => (item === undefined ? [] : [String(item)]))
      if (texts.length === 0) return []
      return [[name, texts.length === 1 ? (texts[0] ?? '') : texts] as const]
    }),
  )
}

const shorten = ({ request, reply }: Exchange): Exchange => ({
  request,
  reply: { ...reply, ...(reply.body !== undefined && { body: cut(reply.body) }) },
})

function cut(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, itemsMax).map(cut)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, cut(item)]))
}
