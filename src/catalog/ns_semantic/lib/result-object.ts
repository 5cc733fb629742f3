import { z } from '#core/action.ts'

/** The documented fields of a result. Other fields that the vendor returns pass through. */
export const resultObject = z.looseObject({
  id: z.string(),
  url: z.string(),
  title: z.string().nullish(),
  publishedDate: z.string().nullish().describe('An estimate, from the page.'),
  author: z.string().nullish(),
  score: z.number().nullish(),
  text: z.string().optional(),
  highlights: z.array(z.string()).optional(),
  summary: z.string().optional(),
})

/** The cost of the call to the operator, by the vendor's count. */
export const costDollars = z.looseObject({ total: z.number().optional() }).optional()
