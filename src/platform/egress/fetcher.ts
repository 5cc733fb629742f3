// GET of an address that a caller supplied, through the guard.
import { request } from 'undici'
import { abortable } from './abortable.ts'
import type { Beyond, BodyCut, BodyFilter, Bytes } from './body.ts'
import { createDial, createEgressAgent, type Dial } from './dial.ts'
import type { EgressGuard } from './guard.ts'
import { fetchStream, fetchWhole, type SendRequest } from './redirects.ts'

export interface EgressRequest {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** Headers, cookies included, that go to the host of `url` alone and never to where a redirect leads from it. */
  readonly ownHeaders?: Readonly<Record<string, string>> | undefined
  /** Most bytes of the body after decompression. */
  readonly bytesMax: number
  /** What to take out of a body with these headers before `bytesMax` counts. */
  readonly thin?:
    | ((headers: Readonly<Record<string, string>>) => BodyFilter | undefined)
    | undefined
  /** What happens to a longer body. Default: it is refused. */
  readonly beyond?: Beyond
  /** For the whole fetch, redirects and body included. */
  readonly timeoutMs: number
  /** For the body alone. Default: the rest of the fetch's time. */
  readonly bodyTimeoutMs?: number
  readonly signal?: AbortSignal
  /** Checks the headers before the body is read. Throws if the reply is not wanted. */
  readonly admitReply?: ((headers: Readonly<Record<string, string>>) => void) | undefined
  /** Resolves when this many bytes of the body may be held. Until then no more is read. */
  readonly hold?: ((bytes: number) => Promise<void>) | undefined
  /** Checks the target of a redirect before it is followed, in addition to the guard. Throws EgressRefusal. */
  readonly admitRedirect?: ((url: string) => Promise<void>) | undefined
}

export interface EgressReply {
  /** Where the redirects ended. */
  readonly url: string
  readonly status: number
  /** Names in lower case; repeated fields are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** Why the body ends early. Absent for a whole one. */
  readonly cut?: BodyCut
}

export type StreamRequest = Pick<
  EgressRequest,
  'url' | 'headers' | 'bytesMax' | 'timeoutMs' | 'signal'
>

/** A reply with a body that is still to be read: to its end, or not at all by leaving its loop. */
export interface StreamedReply extends Pick<EgressReply, 'url' | 'status' | 'headers'> {
  readonly body: Bytes
}

export interface EgressFetcher {
  /** Throws EgressRefusal, FetchFailure, or the reason of the signal. */
  fetch(request: EgressRequest): Promise<EgressReply>
  close(): Promise<void>
}

export interface StreamingFetcher extends EgressFetcher {
  /** Fetches a body that is read piece by piece. A loop over it throws as `fetch` does. */
  stream(request: StreamRequest): Promise<StreamedReply>
}

const headersTimeoutMs = 10_000
const bodyIdleTimeoutMs = 10_000

export interface EgressFetcherDependencies {
  readonly guard: EgressGuard
  /** Opens connections. Default: directly. */
  readonly dial?: Dial
  /** False for a proxy that decrypts TLS and signs pages with its own certificate. Default: true. */
  readonly verifiesCertificates?: boolean
  /** Until the headers. Default: 10,000. */
  readonly headersTimeoutMs?: number
}

export function createEgressFetcher(dependencies: EgressFetcherDependencies): StreamingFetcher {
  const { guard, dial = createDial(guard), verifiesCertificates = true } = dependencies
  // A connection that is still opening outlives its request and would delay the close of the agent.
  const closing = new AbortController()
  const dialUntilClosed: Dial = (to) => dial({ ...to, signal: closing.signal })
  const agent = createEgressAgent(dialUntilClosed, { verifiesCertificates })

  const send: SendRequest = async (url, headers, signal) => {
    guard.admit(url)
    const replied = request(url, {
      dispatcher: agent,
      method: 'GET',
      headers,
      headersTimeout: dependencies.headersTimeoutMs ?? headersTimeoutMs,
      bodyTimeout: bodyIdleTimeoutMs,
      signal,
    })
    // undici looks at the signal only once the connection is open.
    const reply = await abortable(replied, signal)
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
    fetch: (ask) => fetchWhole(ask, send),
    stream: (ask) => fetchStream(ask, send),
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
