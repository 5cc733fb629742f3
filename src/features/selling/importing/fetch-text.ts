// Reads a description from its address, through the egress guard.
import { fail } from '#core/errors.ts'
import { FetchFailure } from '#platform/egress/failure.ts'
import { createEgressFetcher } from '#platform/egress/fetcher.ts'
import { createEgressGuard, EgressRefusal, portOf } from '#platform/egress/guard.ts'

export interface FetchedText {
  readonly text: string
  readonly status: number
  /** Where redirects have led. */
  readonly address: string
}

const bytesMax = 30_000_000
const timeoutMs = 30_000

/** Throws `bad_request` with a sentence for the operator. */
export function createFetchText({
  allow,
  userAgent,
}: {
  readonly allow: readonly string[]
  readonly userAgent: string
}) {
  return async (address: string, options: { readonly private: boolean }): Promise<FetchedText> => {
    const url = URL.parse(address)
    if (url === null || !/^https?:$/.test(url.protocol))
      throw fail('bad_request', {
        message: `${address.slice(0, 200)} is not an address. Give one such as https://api.example.com/openapi.json.`,
      })
    const own = options.private ? [`${url.hostname}:${portOf(url)}`] : []
    const guard = createEgressGuard({ allow: [...allow, ...own] })
    const fetcher = createEgressFetcher({ guard })
    try {
      const headers = {
        accept: 'application/json, application/yaml, text/yaml, */*;q=0.5',
        'user-agent': userAgent,
      }
      const reply = await fetcher.fetch({ url: url.href, headers, bytesMax, timeoutMs })
      return { text: reply.body.toString('utf8'), status: reply.status, address: reply.url }
    } catch (thrown) {
      throw refusalOf(url, thrown)
    } finally {
      await fetcher.close()
    }
  }
}

function refusalOf(url: URL, thrown: unknown): Error {
  if (thrown instanceof EgressRefusal)
    return fail('bad_request', {
      message: `${thrown.message} If it is your own server, say that it is in your own network: \`"private": true\`.`,
      cause: thrown,
    })
  const why = thrown instanceof FetchFailure ? thrown.message : ''
  return fail('bad_request', {
    message: `${url.host} could not be read. ${why}`.trim(),
    cause: thrown,
  })
}
