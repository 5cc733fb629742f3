// A kept reply as a file in the form of the catalog's fixtures, for those who mend the action.
import type { Service } from '../catalog.ts'
import { fail, toCallError } from '../errors.ts'
import type { HttpReply, HttpRequest, ProviderHttp, ServiceHttp } from '../ports.ts'
import { readLeniently } from '../replies/lenient.ts'
import { type Asking, askDirectly } from './ask-directly.ts'
import type { CheckState } from './check.ts'
import { fixtureItemsMax, type KeptExchange, shortenLists } from './kept-exchange.ts'
import type { Probe } from './probe.ts'

interface CheckedReply {
  readonly state: CheckState
  readonly says: string
  readonly exchanges: readonly KeptExchange[]
  readonly startedAt: Date
}

/** What the action makes of the kept reply is its `output`, and what it makes of a failure its `error`. */
export interface CanaryFixture {
  readonly origin: 'recorded'
  readonly source: string
  readonly action: string
  readonly input: unknown
  readonly exchanges: readonly KeptExchange[]
  readonly output?: unknown
  readonly error?: { readonly error: string; readonly message: string }
}

/** Undefined where too little of the reply was kept. Asks no vendor: the action reads the kept reply. */
export async function fixtureOf(
  { id, action, provider }: Probe,
  { state, says, exchanges, startedAt }: CheckedReply,
  { clock, providers }: Pick<Asking, 'clock' | 'providers'>,
): Promise<CanaryFixture | undefined> {
  if (exchanges.length === 0 || exchanges.some(({ cut }) => cut)) return undefined
  const kept = exchanges.map(shortenLists)
  const { input } = action.example
  const day = startedAt.toISOString().slice(0, 10)
  const fixture = {
    origin: 'recorded' as const,
    source: `Recorded on ${day} by a check of ${id}; secrets and data of people are masked, lists are cut to ${fixtureItemsMax}.`,
    action: id,
    input,
    exchanges: kept,
  }
  const [only] = kept
  if (action.soldAs === 'tool') return { ...fixture, output: only?.reply.body }
  try {
    const answer = await askDirectly(id, input, {
      clock,
      providers,
      signal: AbortSignal.timeout(replayTimeoutMs),
      exchanges: [],
      open: (one): Service => ({
        provider: one,
        mode: 'live',
        http: replayHttp(kept, one === provider),
        close: async () => {},
      }),
    })
    const read = readLeniently(action.output, answer)
    if ('error' in read) return { ...fixture, error: misfit }
    return { ...fixture, output: JSON.parse(JSON.stringify(read.data ?? null)) }
  } catch (thrown) {
    const { code, message } = toCallError(thrown)
    return { ...fixture, error: { error: code, message: state === 'well' ? message : says } }
  }
}

const replayTimeoutMs = 10_000
const misfit = {
  error: 'upstream_error',
  message: 'The reply does not fit the output schema of the action.',
}

/** Answers each request with the next kept reply of its path. */
function replayHttp(kept: readonly KeptExchange[], isOwn: boolean): ServiceHttp {
  const left = [...kept]
  const send = async (request: HttpRequest): Promise<HttpReply> => {
    const at = left.findIndex(
      ({ request: { method, path } }) => method === request.method && path === request.path,
    )
    const [exchange] = left.splice(Math.max(at, 0), 1)
    if (exchange === undefined || !isOwn)
      throw fail('upstream_error', { message: 'It was not asked.' })
    const { status, headers } = exchange.reply
    if (status >= 300 && !request.accept?.includes(status))
      throw fail('upstream_error', { message: `The vendor answered ${status}.` })
    return { status, headers, body: bodyFor(request, exchange.reply) }
  }
  const http: ProviderHttp = {
    send,
    get: async (path, rest) => (await send({ ...rest, method: 'GET', path })).body,
    post: async (path, body, rest) => (await send({ ...rest, method: 'POST', path, body })).body,
    sign: () => ({ issuer: 'test', token: 'test' }),
  }
  return { ...http, withSignal: () => http, redact: String, circuits: () => [] }
}

function bodyFor({ as }: HttpRequest, { body, text }: KeptExchange['reply']): unknown {
  const written = text ?? (body === undefined || body === null ? '' : JSON.stringify(body))
  if (as === 'bytes') return Buffer.from(written)
  return as === 'text' ? written : (body ?? text ?? null)
}
