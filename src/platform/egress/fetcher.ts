// GET of a caller-supplied address through the guard: redirects followed one by one and judged each time, every time
// and size limited, bodies decompressed under a cap. It knows nothing of pages.
import { request } from 'undici'
import { type Beyond, readBody } from './body.ts'
import { createCookieJar } from './cookies.ts'
import { createDial, createEgressAgent } from './dial.ts'
import { FetchFailure } from './failure.ts'
import { type EgressGuard, EgressRefusal } from './guard.ts'

export interface EgressRequest {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** Most bytes of the body after decompression. */
  readonly bytesMax: number
  /** What becomes of a longer body: it is refused, unless its beginning is of use. */
  readonly beyond?: Beyond
  /** For the whole fetch, redirects and body included. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

export interface EgressReply {
  /** Where the redirects ended. */
  readonly url: string
  readonly status: number
  /** Names in lower case; repeated fields are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

export interface EgressFetcher {
  /** Throws EgressRefusal, FetchFailure, or the reason of the signal. */
  fetch(request: EgressRequest): Promise<EgressReply>
  close(): Promise<void>
}

const redirectsMax = 5
const headersTimeoutMs = 10_000
const bodyIdleTimeoutMs = 10_000

export function createEgressFetcher({ guard }: { guard: EgressGuard }): EgressFetcher {
  const agent = createEgressAgent(createDial(guard))

  async function fetchOnce(
    url: URL,
    ask: EgressRequest,
    cookie: string | undefined,
    signal: AbortSignal,
  ) {
    guard.admit(url)
    const reply = await request(url, {
      dispatcher: agent,
      method: 'GET',
      headers: { ...ask.headers, ...(cookie ? { cookie } : {}) },
      headersTimeout: headersTimeoutMs,
      bodyTimeout: bodyIdleTimeoutMs,
      signal,
    })
    return {
      status: reply.statusCode,
      headers: flatten(reply.headers),
      raw: reply.headers,
      body: reply.body,
    }
  }

  async function follow(ask: EgressRequest, signal: AbortSignal): Promise<EgressReply> {
    const cookies = createCookieJar()
    let url = withoutFragment(new URL(ask.url))
    for (let redirects = 0; redirects <= redirectsMax; redirects += 1) {
      const reply = await fetchOnce(url, ask, cookies.headerFor(url), signal)
      cookies.keep(url, reply.raw['set-cookie'])
      const next = redirectTarget(reply.status, reply.headers.location, url)
      if (next === undefined) {
        const body = await readBody(reply.body, {
          contentEncoding: reply.headers['content-encoding'],
          bytesMax: ask.bytesMax,
          beyond: ask.beyond ?? 'refuse',
        })
        return { url: url.href, status: reply.status, headers: reply.headers, body }
      }
      reply.body.on('error', () => {}).destroy()
      url = next
    }
    throw new FetchFailure('redirects', `${ask.url} redirects more than ${redirectsMax} times.`)
  }

  return {
    async fetch(ask) {
      const timeout = AbortSignal.timeout(ask.timeoutMs)
      const signal = ask.signal ? AbortSignal.any([ask.signal, timeout]) : timeout
      try {
        return await follow(ask, signal)
      } catch (thrown) {
        ask.signal?.throwIfAborted()
        throw explain(thrown, ask.url)
      }
    },
    close: () => agent.destroy(),
  }
}

function redirectTarget(status: number, location: string | undefined, from: URL): URL | undefined {
  if (location === undefined || ![301, 302, 303, 307, 308].includes(status)) return undefined
  // Node hands header bytes over as latin1; many servers send UTF-8 in Location.
  const text = Buffer.from(location, 'latin1').toString('utf8')
  const target = URL.parse(text, from.href) ?? undefined
  return target && withoutFragment(target)
}

/** Credentials in a redirect are the redirecting site's business with another; we carry none. */
function withoutFragment(url: URL): URL {
  url.hash = ''
  url.username = ''
  url.password = ''
  return url
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined)
      flat[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value
  }
  return flat
}

function explain(thrown: unknown, url: string): Error {
  if (thrown instanceof EgressRefusal || thrown instanceof FetchFailure) return thrown
  const { name, code } = thrown as { name?: string; code?: string }
  if (name === 'TimeoutError' || /TIMEOUT|TIMEDOUT/.test(code ?? ''))
    return new FetchFailure('timeout', `${url} did not answer in time.`, thrown)
  return new FetchFailure(
    'connection',
    `${url} could not be fetched: the connection failed.`,
    thrown,
  )
}
