import { z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import type { HttpRequest, ProviderHttp } from '#core/ports.ts'
import { unread } from '../../lib/unread-page.ts'
import { countryCode, webAddress } from '../../lib/web-page.ts'

/**
 * The parameters of all four actions. They all go into an address, which servers accept up to about 16 000 characters.
 */
export const renderingFields = {
  url: webAddress.describe('The page; a bare host name will do.'),
  browser: z.boolean().default(true).describe('Render the page in a browser.'),
  wait_for_selector: z
    .string()
    .trim()
    .min(1)
    .max(1_000)
    .optional()
    .describe('CSS selector of an element to wait for; needs browser.'),
  js_snippet: z
    .base64()
    .min(1)
    .max(8_000)
    .optional()
    .describe('JavaScript to run in the page, in base64; needs browser.'),
  proxy_country: countryCode,
  timeout: z.int().min(5).max(60).optional().describe('Seconds that the page may take.'),
  cookies: z.string().min(1).max(4_000).optional().describe('name=value;other=value'),
  return_page_source: z
    .boolean()
    .optional()
    .describe('Return what the page’s server sent, before any script has run; needs browser.'),
} as const

type ProxyType = 'datacenter' | 'residential'
type Rendering = z.output<z.ZodObject<typeof renderingFields>>

/** The request for a page. Always GET: the vendor would send any other method on to the site. */
export function render(
  path: string,
  { proxy_country, ...input }: Rendering & { extract_properties?: string },
  proxyType: ProxyType,
): HttpRequest {
  const query = {
    ...input,
    proxy_country: proxy_country?.toUpperCase(),
    proxy_type: proxyType,
  }
  return { method: 'GET', path, query }
}

export const servedBy = {
  provider: z.string().optional().describe('Who has served, when it was not the vendor.'),
} as const

export const rawPage = z.looseObject({
  raw: z.string().describe('The HTML of the page.'),
  status_code: z.int().nullable().describe('What the page’s own server answered.'),
  ...servedBy,
})

const emptyAnswers: ReadonlySet<string> = new Set(['', '{}', '[]', 'null', '""'])

/** The body of the reply is the page itself; the status of its server is in a header. */
export async function getRawPage(http: ProviderHttp, input: Rendering, proxyType: ProxyType) {
  const { headers, body } = await http.send({
    ...render('/general', input, proxyType),
    as: 'text',
  })
  // An empty text is not a page, regardless of the status, and neither is the vendor's form of an empty answer.
  if (emptyAnswers.has(body.trim())) throw fail(unread.code, { message: unread.message })
  const status = Number(headers['ant-page-status-code'])
  return { raw: body, status_code: Number.isInteger(status) && status > 0 ? status : null }
}
