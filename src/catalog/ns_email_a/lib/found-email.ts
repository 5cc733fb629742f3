import { z } from '#core/action.ts'

/** The documented fields of an address that was found. Other fields that the vendor returns pass through. */
export const foundEmail = z.looseObject({
  email: z.string().nullish().describe('Null when none was found.'),
  score: z.number().nullish().describe('Confidence, 0 to 100.'),
  full_name: z.string().nullish(),
  position: z.string().nullish(),
  company: z.string().nullish(),
  verification: z.looseObject({ status: z.string().nullish() }).nullish(),
  sources: z.array(z.looseObject({})).nullish().describe('Pages where it was seen.'),
})

/** A price under which a miss is free, because the vendor does not bill it. */
export const perEmail = (cents: number) => ({
  cents,
  used: ({ email }: z.output<typeof foundEmail>) => (email ? 1 : 0),
})
