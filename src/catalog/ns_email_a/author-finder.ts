import { defineAction, z } from '#core/action.ts'
import { webAddress } from '../lib/web-page.ts'
import { foundEmail, perEmail } from './lib/found-email.ts'

export const authorFinder = defineAction('author-finder', {
  summary: 'Find the e-mail address of the author of an article by its web address.',
  notes:
    'Works for pages that name their author; free when no address is found. When you know the name use ns_email_a/email-finder; to read the article itself use onescrape.',
  synonyms: [
    'email of journalist',
    'contact the writer',
    'blog author email',
    'press outreach',
    'who wrote this article',
    'tomba',
  ],
  questions: [
    'how do I contact the author of this article?',
    'email of the journalist who wrote this post',
    'find the blogger behind this page',
  ],
  errors: ['bad_url'],
  people: true,
  input: z.strictObject({ url: webAddress.describe('Address of the article.') }),
  output: foundEmail,
  price: perEmail(4),
  example: { input: { url: 'https://example.com/blog/how-to' }, cents: 4 },
  run: async ({ input, http }) => (await http.get('/author-finder', { query: input })).data,
})
