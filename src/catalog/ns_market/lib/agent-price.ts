// The price of an agent of the marketplace.
import { fail } from '#core/errors.ts'
import { path } from '#core/path.ts'
import type { ProviderHttp } from '#core/ports.ts'

/** Dollars per thousand tokens. An agent can be looked up by its slug, but found by its id only in the list. */
export async function priceOf(http: ProviderHttp, id: string): Promise<number> {
  const bySlug = await http.send({
    method: 'GET',
    path: path`/agents/by-slug/${id}`,
    accept: [404],
  })
  const all = bySlug.status === 404 ? await http.get('/agents') : []
  const listed: { id?: unknown; slug?: unknown }[] = Array.isArray(all) ? all : (all?.agents ?? [])
  const found =
    bySlug.status === 404
      ? listed.find((agent) => [agent.id, agent.slug].map(String).includes(id))
      : (bySlug.body?.agent ?? bySlug.body)
  if (found === undefined) {
    throw fail('not_found', {
      message: `The marketplace has no agent ${id}. Find it with ns_market/search.`,
    })
  }
  const usdPer1k = Number(found.price_per_1k)
  if (!Number.isFinite(usdPer1k)) throw fail('upstream_error')
  return usdPer1k
}
