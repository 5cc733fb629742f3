import { z } from '#core/action.ts'

/** One reported value of an XBRL concept. */
export const factObject = z.looseObject({
  end: z.string().describe('Last day of the period, or the day of the balance.'),
  val: z.number(),
  accn: z.string().optional(),
  fy: z.int().nullish(),
  fp: z.string().nullish(),
  form: z.string().optional(),
  filed: z.string().optional(),
})
