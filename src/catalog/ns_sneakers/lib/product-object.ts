import { z } from '#core/action.ts'

/** The documented fields of a product. Each marketplace adds its own. */
export const productObject = z.looseObject({
  id: z.union([z.string(), z.number()]).describe('For ns_sneakers/product-detail.'),
  title: z.string().nullish(),
  brand: z.string().nullish(),
  sku: z.string().nullish(),
})

export const productId = z
  .union([z.string().trim().min(1).max(200), z.int().transform(String)])
  .describe('Id or slug of the product, from ns_sneakers/product-search.')

export const page = z.int().min(1).max(1_000).default(1).describe('Page, the first is 1.')
export const limit = z.int().min(1).max(100).default(20).describe('Rows to return, at most 100.')
