// GET of a caller-supplied address through the guard. It knows nothing of pages.
import { request } from 'undici'
import type { Beyond } from './body.ts'
import { createDial, createEgressAgent, type Dial } from './dial.ts'
import type { EgressGuard } from './guard.ts'
import { followRedirects, type SendRequest } from './redirects.ts'

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
  /** Judges the reply by its headers, before its body is read: throws where it is not wanted. */
  readonly admitReply?: ((headers: Readonly<Record<string, string>>) => void) | undefined
  /** Resolves when so many bytes of the body may be held; until then no more is read. */
  readonly hold?: ((bytes: number) => Promise<void>) | undefined
  /** Judges where a redirect leads before it is followed; throws EgressRefusal. The guard judges it in any case. */
  readonly admitRedirect?: ((url: string) => Promise<void>) | undefined
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

const headersTimeoutMs = 10_000
const bodyIdleTimeoutMs = 10_000

export interface EgressFetcherOptions {
  readonly guard: EgressGuard
  /** How connections are opened: directly, unless through proxies of the operator. */
  readonly dial?: Dial
  /** False for a proxy that opens the TLS of the pages that it fetches, and signs it anew. Default true. */
  readonly verifiesCertificates?: boolean
  /** How long a server may think. Default 10 000. */
  readonly headersTimeoutMs?: number
}

export function createEgressFetcher(options: EgressFetcherOptions): EgressFetcher {
  const { guard, dial = createDial(guard), verifiesCertificates = true } = options
  // A connection that is being opened outlives the request that wanted it, and would hold up the end of the agent.
  const closing = new AbortController()
  const dialUntilClosed: Dial = (to) => dial({ ...to, signal: closing.signal })
  const agent = createEgressAgent(dialUntilClosed, { verifiesCertificates })

  const send: SendRequest = async (url, headers, signal) => {
    guard.admit(url)
    const reply = await request(url, {
      dispatcher: agent,
      method: 'GET',
      headers,
      headersTimeout: options.headersTimeoutMs ?? headersTimeoutMs,
      bodyTimeout: bodyIdleTimeoutMs,
      signal,
    })
    const replyHeaders = flatten(reply.headers)
    return {
      status: reply.statusCode,
      headers: replyHeaders,
      setCookie: reply.headers['set-cookie'],
      contentEncoding: replyHeaders['content-encoding'],
      body: reply.body,
    }
  }
  return {
    fetch: (ask) => followRedirects(ask, send),
    async close() {
      closing.abort()
      await agent.destroy()
    },
  }
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined)
      flat[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value
  }
  return flat
}
