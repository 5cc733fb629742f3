import { z } from '#core/action.ts'

/** The documented fields of a document. Other fields that the Federal Register returns pass through. */
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
