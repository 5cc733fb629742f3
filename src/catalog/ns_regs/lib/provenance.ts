// The source of a text of the eCFR.
import { z } from '#core/action.ts'
import { currentUrl, type Hierarchy } from './citation.ts'

export const provenanceObject = z.looseObject({
  system: z.string(),
  url: z.url(),
  up_to_date_as_of: z.string(),
  retrieved_at: z.string(),
  disclaimer_code: z.string(),
})

export const provenanceOf = (cited: Hierarchy, date: string, nowMs: number) => ({
  system: 'eCFR',
  url: currentUrl(cited),
  up_to_date_as_of: date,
  retrieved_at: new Date(nowMs).toISOString(),
  disclaimer_code: 'ECFR_UNOFFICIAL',
})
