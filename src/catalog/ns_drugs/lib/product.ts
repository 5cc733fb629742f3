// The National Drug Code directory: one record for each product, by its product NDC.
import { pick, z } from '#core/action.ts'
import type { ProviderHttp } from '#core/ports.ts'

export const drugObject = z.looseObject({
  id: z.string().describe('For ns_drugs/get.'),
  source: z.string(),
  title: z.string(),
  ndc: z.string().describe('Product NDC.'),
  brand_name: z.string().nullable(),
  generic_name: z.string().nullable(),
  labeler: z.string().nullable(),
  dosage_form: z.string().nullable(),
  route: z.array(z.string()),
  active_ingredients: z.array(z.looseObject({ name: z.string() })),
  url: z.url(),
})

interface Product {
  readonly product_ndc: string
  readonly brand_name?: string
  readonly generic_name?: string
  readonly labeler_name?: string
  readonly dosage_form?: string
  readonly route?: readonly string[]
  readonly active_ingredients?: readonly { readonly name: string; readonly strength?: string }[]
}

/** Quotes a value for the query language of openFDA. */
export const quoted = (text: string) => `"${text.replaceAll(/["\\]/g, ' ').trim()}"`

/** openFDA answers an empty result with 404. */
export async function findProducts(
  http: ProviderHttp,
  search: string,
  { limit, offset = 0 }: { readonly limit: number; readonly offset?: number },
) {
  const { status, body } = await http.send({
    method: 'GET',
    path: '/drug/ndc.json',
    query: { search, limit, skip: offset || undefined },
    accept: [404],
  })
  return {
    total: status === 404 ? 0 : body?.meta?.results?.total,
    products: (body?.results ?? []) as Product[],
  }
}

export function describeProduct(product: Product) {
  return {
    id: `ndc:${product.product_ndc}`,
    source: 'openFDA NDC directory',
    title: product.brand_name ?? product.generic_name ?? product.product_ndc,
    ndc: product.product_ndc,
    ...pick(
      {
        brand_name: null,
        generic_name: null,
        dosage_form: null,
        route: [],
        active_ingredients: [],
        ...product,
      },
      'brand_name',
      'generic_name',
      'dosage_form',
      'route',
      'active_ingredients',
    ),
    labeler: product.labeler_name ?? null,
    url: `https://dailymed.nlm.nih.gov/dailymed/search.cfm?query=${product.product_ndc}`,
  }
}
