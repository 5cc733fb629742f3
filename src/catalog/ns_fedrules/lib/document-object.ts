import { z } from '#core/action.ts'

/** What is promised of a document; all else that the Federal Register says of it passes through. */
export const documentObject = z.looseObject({
  document_number: z.string().describe('For ns_fedrules/document.'),
  title: z.string().nullish(),
  type: z.string().nullish(),
  abstract: z.string().nullish(),
  publication_date: z.string().nullish(),
  agencies: z.array(z.looseObject({})).nullish(),
  html_url: z.string().nullish(),
  pdf_url: z.string().nullish(),
})
