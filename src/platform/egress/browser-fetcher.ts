// GET as a desktop browser sends it, with its TLS handshake and header order. Like Chromium's, its connections go
// through the egress proxy, and each fetch has its own pass.
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { Browser, Impit } from 'impit'
import type { Dial } from './dial.ts'
import type { EgressReply, EgressRequest } from './fetcher.ts'
import { type EgressGuard, portOf } from './guard.ts'
import { type EgressProxy, throwIfRefused } from './proxy.ts'
import { fetchWhole, type SendRequest } from './redirects.ts'

/** The browsers that it can imitate. */
export const browserProfiles = ['chrome151', 'firefox144'] as const satisfies readonly Browser[]
export type BrowserProfile = (typeof browserProfiles)[number]

export interface BrowserFetcher {
  /** Throws an Error if the library has no build for this machine. */
  ready(): Promise<void>
  /** Throws EgressRefusal, FetchFailure, or the reason of the signal. */
  fetch(request: EgressRequest, profile: BrowserProfile): Promise<EgressReply>
}

/** Some profiles are not in English by default. */
const headersOfAll = { 'accept-language': 'en-US,en;q=0.9' }
/** Of one fetch on the wire, redirects included. */
const bytesPerFetchMax = 12_000_000

export function createBrowserFetcher(dependencies: {
  readonly guard: EgressGuard
  readonly proxy: () => Promise<EgressProxy>
  readonly dial?: Dial | undefined
}): BrowserFetcher {
  const { guard, dial } = dependencies
  // Loaded when needed: some machines lack the native binary.
  const load = () => import('impit')

  return {
    ready: () => load().then(() => {}),
    async fetch(request, profile) {
      const [{ Impit }, proxy] = await Promise.all([load(), dependencies.proxy()])
      const pass = proxy.issue({ bytesMax: bytesPerFetchMax, dial })
      try {
        const { host } = new URL(proxy.url)
        const proxyUrl = `http://${pass.username}:${pass.password}@${host}`
        const client = new Impit({ browser: profile, proxyUrl, headers: headersOfAll })
        return await fetchWhole(request, createSend(client, guard))
      } finally {
        pass.revoke()
      }
    },
  }
}

function createSend(client: Impit, guard: EgressGuard): SendRequest {
  return async (url, headers, signal) => {
    // The proxy checks this too, but a refusal from here keeps its message.
    guard.admit(url)
    await guard.resolve(url.hostname, portOf(url))
    const reply = await client.fetch(url, { headers: { ...headers }, redirect: 'manual', signal })
    const replyHeaders = Object.fromEntries(reply.headers)
    throwIfRefused(replyHeaders)
    return {
      status: reply.status,
      headers: replyHeaders,
      setCookie: reply.headers.getSetCookie(),
      contentEncoding: undefined,
      body: Readable.fromWeb(reply.body as ReadableStream),
    }
  }
}
