// Fetches the metadata document of a client whose id is its address. Strangers choose the address.
import { createEgressFetcher } from '#platform/egress/fetcher.ts'
import type { EgressGuard } from '#platform/egress/guard.ts'
import { readClientMetadata } from './clients.ts'

const documentBytesMax = 10_000
const documentTimeoutMs = 5_000

export interface ClientDocuments {
  /** The only request that the authorization server makes. No redirect is followed. */
  fetch(address: unknown): Promise<Response>
  close(): Promise<void>
}

export function createClientDocuments(guard: EgressGuard): ClientDocuments {
  const fetcher = createEgressFetcher({ guard })
  return {
    async fetch(address) {
      const url = String(address)
      const { status, headers, body } = await fetcher.fetch({
        url,
        headers: { accept: 'application/json' },
        bytesMax: documentBytesMax,
        timeoutMs: documentTimeoutMs,
        admitRedirect: async () => {
          throw new Error('A client metadata document must not redirect.')
        },
      })
      if (status !== 200) return new Response(null, { status: status < 200 ? 502 : status })
      const kept = readClientMetadata(JSON.parse(body.toString('utf8')))
      const caching = headers['cache-control']
      return Response.json(kept, {
        headers: caching === undefined ? {} : { 'cache-control': caching },
      })
    },
    close: () => fetcher.close(),
  }
}
