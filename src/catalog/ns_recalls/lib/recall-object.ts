import { z } from '#core/action.ts'

/** The documented fields of a recall by any of the agencies. */
export const recallObject = z.looseObject({
  id: z.string().describe('For ns_recalls/get: the source and its own number.'),
  source: z.string(),
  title: z.string(),
  date: z.string().nullable().describe('Day of the recall or of its report, YYYY-MM-DD.'),
  company: z.string().nullable(),
  hazard: z.string().nullable(),
  remedy: z.string().nullable(),
  url: z.string().nullable(),
})

export type Recall = z.output<typeof recallObject>

export const newestFirst = (recalls: readonly Recall[]): Recall[] =>
  recalls.toSorted((one, other) => (other.date ?? '').localeCompare(one.date ?? ''))
