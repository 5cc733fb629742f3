import { defineAction, z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { lang, pageUrl, query } from './lib/query.ts'

interface Page {
  title: string
  pageid?: number
  extract?: string
}

export const page = defineAction('page', {
  summary: 'Read a Wikipedia article as plain text.',
  notes:
    'Titles are exact apart from the case of the first letter; redirects are followed and reported. Find the title with ns_encyclopedia/search. Tables, boxes and references are not part of the text. For facts about a thing use ns_knowledge/entity, for the wider web ns_semantic/search.',
  synonyms: [
    'wikipedia article',
    'wiki page',
    'read encyclopedia',
    'article text',
    'summary of a topic',
    'explain a topic',
    'history of',
    'encyclopedia',
  ],
  questions: [
    'what does Wikipedia say about photosynthesis?',
    'give me the article about Vienna in German',
    'who was this person?',
  ],
  cacheSeconds: 3_600,
  errors: ['not_found'],
  input: z.strictObject({
    title: z
      .string()
      .trim()
      .min(1)
      .max(255)
      .regex(/^[^|<>[\]{}]+$/, 'must be one title, without | < > [ ] { }')
      .describe('Title of the article.'),
    lang,
  }),
  output: z.looseObject({
    provider: z.string(),
    lang: z.string(),
    title: z.string().describe('Title of the article that was read.'),
    pageid: z.int(),
    text: z.string(),
    redirected_from: z.string().nullable().describe('The title asked for, where it redirects.'),
    url: z.url(),
  }),
  price: { cents: 1 },
  example: { input: { title: 'Celtuce', lang: 'en' }, cents: 1 },
  async run({ input, http }) {
    const { pages = {}, redirects = [] } = await query(http, input.lang, {
      prop: 'extracts',
      explaintext: 1,
      redirects: 1,
      titles: input.title,
    })
    const [found] = Object.values<Page>(pages)
    // Missing and invalid titles return a page without an id. Links to other wikis return no page.
    if (found?.pageid === undefined) {
      throw fail('not_found', {
        message: `The ${input.lang} Wikipedia has no page "${input.title}". Find the title with ns_encyclopedia/search.`,
      })
    }
    return {
      provider: 'Wikipedia',
      lang: input.lang,
      title: found.title,
      pageid: found.pageid,
      text: found.extract ?? '',
      redirected_from: redirects[0]?.from ?? null,
      url: pageUrl(input.lang, found.title),
    }
  },
})
