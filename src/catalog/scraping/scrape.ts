import { defineAction, z } from '#core/action.ts'
import {
  countryCode,
  mainContent,
  pageObject,
  soldPage,
  waitMs,
  webAddress,
} from '../lib/web-page.ts'
import { onlyRenderB, pinned, providers, required } from './lib/choice.ts'

export const scrape = defineAction('scrape', {
  summary: 'Read one web page by the first provider that this gateway has for it.',
  notes:
    'The provider that served is named in the answer. render_js, stealth and proxy_country are of ns_render_b and lead there. When a page turns it away go on with ns_resi/scrape, then ns_resi/scrape_residential, then a browser session; without scripts ns_semantic/contents is cheaper. To have all that done for you use onescrape.',
  synonyms: ['scrape', 'read page', 'url to markdown', 'fetch url', 'web scraping', 'screenshot'],
  questions: ['what is on this page?', 'read this link', 'take a screenshot of this website'],
  // The timeout of the slower provider.
  timeoutMs: 135_000,
  errors: ['bad_url'],
  input: z
    .strictObject({
      url: webAddress.describe('The page; a bare host name will do.'),
      formats: z
        .array(z.enum(['markdown', 'html', 'links', 'screenshot']))
        .min(1)
        .default(['markdown'])
        .describe('What to return of the page.'),
      only_main_content: mainContent,
      wait_for: waitMs,
      render_js: z.boolean().optional().describe('Run scripts: true always, false never.'),
      stealth: z.boolean().optional().describe('Look like a person’s browser.'),
      proxy_country: countryCode,
      provider: z
        .enum([...providers, 'render_b', 'render_a'])
        .optional()
        .describe('Who shall serve; the first one that the gateway has unless set.'),
    })
    .superRefine((input, { addIssue }) => {
      if (pinned(input) !== 'ns_render_a') return
      for (const name of onlyRenderB.filter((field) => input[field] !== undefined)) {
        const message = 'is not supported by ns_render_a: leave it out, or leave out provider'
        addIssue({ code: 'custom', path: [name], message })
      }
    }),
  output: pageObject.extend({
    provider: z.enum([...providers, 'embedded']).describe('Who has served.'),
  }),
  needs: (input) => {
    const provider = required(input)
    const id = `${provider}/scrape`
    // This machine runs scripts too. Only the vendor has disguises and proxies.
    const beyondUs = input.stealth === true || input.proxy_country !== undefined
    return provider === undefined ? [] : [beyondUs ? { id, by: 'vendor' } : id]
  },
  price: { cents: 1 },
  page: soldPage,
  example: { input: { url: 'https://example.com/' }, cents: 1 },
  takes: { URL: { place: 1, fills: (url) => ({ url }) } },
  async run({ input, call, available }) {
    const offered =
      providers.find((provider) => available(`${provider}/scrape`, 'vendor')) ??
      providers.find((provider) => available(`${provider}/scrape`))
    const provider = required(input) ?? offered ?? providers[0]
    const { url, formats, only_main_content: onlyMainContent, wait_for: waitFor } = input
    const { render_js: renderJs, stealth, proxy_country: country } = input
    const page = await call(`${provider}/scrape`, {
      url,
      formats,
      onlyMainContent,
      waitFor,
      ...(provider === 'ns_render_b' && { renderJs, stealth, country }),
    })
    // Where this machine has stood in for the vendor, it says so.
    return { ...page, provider: page.provider === 'embedded' ? 'embedded' : provider }
  },
})
