// Shared by the scraping actions: the parameters of a page and the fields of its answer.
import { z } from '#core/action.ts'
import type { SoldPage } from '#core/calls/sold-page.ts'
import { fail } from '#core/errors.ts'
import { normalizeUrl, urlCharactersMax } from '#core/web-address.ts'

/**
 * The address of a page or site. Throws `bad_url` from the parse for any other text: zod passes on a transform's error.
 */
export const webAddress = z
  .string()
  .trim()
  .min(1)
  .max(urlCharactersMax)
  .transform((text) => normalizeUrl(text))

export const waitMsMax = 60_000
export const waitMs = z
  .number()
  .min(0)
  .max(waitMsMax)
  // Vendors accept whole numbers only.
  .transform(Math.round)
  .optional()
  .describe('Milliseconds to wait for the page’s scripts before it is read.')

export const mainContent = z
  .boolean()
  .optional()
  .describe('Without navigation, header and footer; true unless set.')

export const countryCode = z
  .string()
  .trim()
  .regex(/^[A-Za-z]{2}$/, 'must be a two-letter country code such as us')
  .optional()
  .describe('Two-letter code of the country from which the page is fetched.')

export const jsonSchema = z.looseObject({}).optional().describe('JSON schema of what to extract.')

/** The documented fields of a page. Other fields that the vendor returns pass through. */
export const pageObject = z.looseObject({
  markdown: z.string().nullish(),
  html: z.string().nullish(),
  rawHtml: z.string().nullish(),
  links: z.array(z.string()).nullish(),
  screenshot: z.string().nullish().describe('Address of the image, or the image in base64.'),
  metadata: z
    .looseObject({
      statusCode: z.int().nullish().describe('What the page’s own server answered.'),
      sourceURL: z.string().nullish(),
    })
    .nullish(),
  warning: z.string().nullish().describe('What is wrong with the page although it was read.'),
})

/** The page for the runner to judge; undefined if the answer has no text of it. */
export function soldPage(
  { rawHtml, html, markdown, metadata }: z.output<typeof pageObject>,
  { url }: { readonly url: string },
): SoldPage | undefined {
  const body = rawHtml ?? html ?? markdown
  if (body == null) return undefined
  return { body, status: metadata?.statusCode, url: metadata?.sourceURL ?? url }
}

export const siteInput = z.strictObject({
  url: webAddress.describe('The site; a bare host name will do.'),
})

export const siteMap = z.looseObject({
  links: z.array(
    z.looseObject({
      url: z.string(),
      title: z.string().nullish(),
      description: z.string().nullish(),
    }),
  ),
})

/** Links: some servers return bare addresses, others add a title. */
export const readLink = (link: string | object) => (typeof link === 'string' ? { url: link } : link)

/** The page of a reply `{success, data, warning}`. */
export function readPage({ data, warning }: { data?: unknown; warning?: unknown }): object {
  if (typeof data !== 'object' || data === null) throw fail('upstream_error')
  return { ...data, ...(warning == null ? {} : { warning }) }
}
