import { defineAction, pick, z } from '#core/action.ts'
import {
  countryCode,
  jsonSchema,
  mainContent,
  pageObject,
  readPage,
  soldPage,
  waitMs,
  waitMsMax,
  webAddress,
} from '../lib/web-page.ts'

/** The time for a page besides the requested wait. The vendor's own default does not grow with that wait. */
const loadMs = 20_000

export const scrape = defineAction('scrape', {
  summary: 'Read one web page as Markdown or HTML, with its scripts run where it needs them.',
  notes:
    'Scripts run when the page seems to need it; renderJs forces or forbids it. stealth and country help against walls. With jsonSchema the answer has json, extracted by it. A page takes at most 60 seconds in all, so a wait of nearly that leaves no time to load. Prefer scraping/scrape, which picks the provider.',
  synonyms: ['fastcrw', 'crw', 'read page', 'url to markdown', 'fetch url', 'stealth scrape'],
  questions: [
    'read this page from a German address',
    'get past the bot check on this page',
    'return this page as JSON by my schema',
  ],
  timeoutMs: 75_000,
  errors: ['bad_url'],
  input: z
    .strictObject({
      url: webAddress.describe('The page; a bare host name will do.'),
      formats: z
        .array(z.enum(['markdown', 'html', 'rawHtml', 'plainText', 'links', 'json', 'screenshot']))
        .min(1)
        .default(['markdown'])
        .describe('What to return of the page; json needs jsonSchema.'),
      onlyMainContent: mainContent,
      waitFor: waitMs,
      stealth: z.boolean().optional().describe('Look like a person’s browser.'),
      country: countryCode,
      renderJs: z
        .boolean()
        .nullish()
        .describe('Run scripts: true always, false never, null as the page needs.'),
      jsonSchema,
    })
    .refine(({ formats, jsonSchema }) => !formats.includes('json') || jsonSchema !== undefined, {
      message: 'The format json needs jsonSchema',
    }),
  output: pageObject.extend({
    plainText: z.string().nullish(),
    json: z.unknown().optional().describe('Shaped by jsonSchema.'),
  }),
  price: { cents: 1 },
  page: soldPage,
  example: { input: { url: 'https://example.com/', formats: ['markdown', 'links'] }, cents: 1 },
  async run({ input, http }) {
    const { formats, jsonSchema, waitFor, country } = input
    const reply = await http.post('/v1/scrape', {
      ...pick(input, 'url', 'onlyMainContent', 'waitFor', 'stealth', 'renderJs', 'jsonSchema'),
      formats: [...new Set([...formats, ...(jsonSchema === undefined ? [] : ['json'])])],
      country: country?.toLowerCase(),
      deadlineMs: waitFor === undefined ? undefined : Math.min(waitMsMax, waitFor + loadMs),
    })
    return readPage(reply)
  },
})
