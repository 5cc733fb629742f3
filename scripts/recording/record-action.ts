// Runs one action against its live provider and keeps the exchanges as a fixture that replays.
import { providers } from '#catalog/providers.ts'
import type { Action, RunContext } from '#core/action.ts'
import { type Service, splitId } from '#core/catalog.ts'
import type { HttpReply, HttpRequest, Log, ProviderHttp, QueryValue } from '#core/ports.ts'
import { credentialNames, type Provider } from '#core/provider.ts'
import { systemClock } from '#platform/clock.ts'
import { createService } from '#platform/http/service.ts'
import { noFiles } from '#test/no-files.ts'
import type { Exchange, Fixture } from '#test/replay-server.ts'
import { replayAction, testCredential } from '#test/run-action.ts'
import { createMask, textsIn } from './mask.ts'

/** The items that are kept of each list in a reply: a fixture shows the form of the data, not all of it. */
const itemsMax = 3
const headersKept = new Set(['content-type', 'location', 'retry-after', 'link'])
const timeoutMs = 300_000
const uuid = '01970000-0000-7000-8000-000000000000'

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
  const { provider, action } = find(id)
  if (provider.upstream === undefined && provider.through === undefined)
    throw new Error(`${id} is answered by this machine: there is no reply to record.`)
  if (action.irrevocable)
    throw new Error(`${id} buys something that cannot be given back, and is not recorded.`)
  const exchanges: Exchange[] = []
  const sent = options.input ?? action.example.input
  await run(id, sent, {
    signal: AbortSignal.timeout(timeoutMs),
    open: (one) => createService(one, { variables, userAgent, log, clock: systemClock }),
    exchanges,
  })
  const mask = createMask({
    secrets: [...variables].flatMap(([name, value]) => (name.endsWith('_KEY') ? value : [])),
    keep: [
      ...providers.flatMap((one) => textsIn(attachedInTests(one, { method: 'POST', path: '/' }))),
      ...(options.input === undefined ? textsIn(action.example.input) : []),
    ],
  })
  const input = options.input === undefined ? sent : mask.apply(sent)
  const clean = mask.apply(exchanges.map(shorten)) as Exchange[]
  const { output, error } = await replayAction(provider, action.name, { exchanges: clean, input })
  if (error !== undefined) {
    throw new Error(`The masked recording of ${id} does not replay: ${error.message}`)
  }
  const source = `Recorded on ${new Date().toISOString().slice(0, 10)} with npm run record; secrets and data of people are masked, lists are cut to ${itemsMax}.`
  return { fixture: { origin: 'recorded', source, exchanges: clean, output }, input }
}

function find(id: string): { provider: Provider; action: Action } {
  const [service, name] = splitId(id)
  const provider = providers.find((candidate) => candidate.id === service)
  const action = provider?.actions.find((candidate) => candidate.name === name)
  if (provider === undefined || action === undefined)
    throw new Error(
      `There is no action ${id}. Write it <service>/<action>, as in ns_scholar/works.`,
    )
  return { provider, action }
}

interface Running {
  readonly signal: AbortSignal
  readonly open: (provider: Provider) => ReturnType<typeof createService>
  readonly exchanges: Exchange[]
}

/** The action's answer. The exchanges of actions that it calls are recorded too. */
async function run(id: string, body: unknown, running: Running): Promise<unknown> {
  const { provider, action } = find(id)
  const service = running.open(provider)
  try {
    if (service.mode === 'unavailable' && !action.keyless)
      throw new Error(`${id} has no provider here. ${service.reason ?? ''}`)
    const input = action.input.parse(body)
    action.check?.(input)
    const context = {
      input,
      signal: running.signal,
      clock: systemClock,
      maxCents: action.example.cents,
      http: recordingHttp(provider, service.http.withSignal(running.signal), running.exchanges),
      caller: { kind: 'account', accountId: 'account', keyId: 'key', isLimited: false },
      files: noFiles,
      keepAnswer: () => undefined,
      record: () => {},
      spend: () => {},
      call: (other: string, inner: unknown) => run(other, inner, running),
      prepare: () => {
        throw new Error(`${id} prepares calls.`)
      },
      available: (other: string) => isOffered(running.open(find(other).provider)),
      issued: async () => [],
      purchase: () => {
        throw new Error(`${id} would buy something.`)
      },
      report: async () => {},
      stopReason: async () => undefined,
      checkpoints: new Map(),
      save: async () => {},
      jobId: uuid,
      issue: async () => {},
      effect: async () => {},
      later: () => {
        throw new Error(`${id} waits for work of its vendor. Record the action that polls for it.`)
      },
    } as const
    return action.output.parse(
      await action.run(context satisfies RunContext<unknown> as Parameters<Action['run']>[0]),
    )
  } finally {
    await service.close()
  }
}

function isOffered(service: Service): boolean {
  void service.close()
  return service.mode !== 'unavailable'
}

function recordingHttp(
  provider: Provider,
  http: ProviderHttp,
  exchanges: Exchange[],
): ProviderHttp {
  const send = async (request: HttpRequest) => {
    const reply = await http.send(request)
    exchanges.push(asExchange(provider, request, reply))
    return reply
  }
  return {
    send,
    get: async (path, rest) => (await send({ ...rest, method: 'GET', path })).body,
    post: async (path, body, rest) => (await send({ ...rest, method: 'POST', path, body })).body,
    sign: http.sign,
  }
}

/** The request as the replay expects it, with the credential of the tests instead of the operator's. */
function asExchange(provider: Provider, request: HttpRequest, reply: HttpReply): Exchange {
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
