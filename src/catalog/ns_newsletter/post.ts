import { defineAction, z } from '#core/action.ts'
import { explain } from '#core/errors.ts'
import { path } from '#core/path.ts'

const centsMin = 5
const centsMax = 100

export const post = defineAction('post', {
  summary: 'Buy one post of a paid newsletter and read it.',
  notes:
    'The publisher sets the price, $0.05 to $1, and you are charged just that. max_cost_cents is required: it is held, and a post that costs more is refused before anything is paid. publication and post are the slugs of the address, as in /publications/example/my-post. For free pages use a scraping action such as scraping/scrape.',
  synonyms: [
    'substack',
    'paywalled article',
    'paid newsletter',
    'subscriber post',
    'buy an article',
  ],
  questions: [
    'can I read this paywalled Substack post without subscribing?',
    'what does this newsletter say behind the paywall?',
    'buy me this single article',
  ],
  pay: ['mpp'],
  irrevocable: true,
  input: z.strictObject({
    publication: z
      .string()
      .trim()
      .regex(/^[\w.-]{1,200}$/, 'must be the slug of a publication')
      .describe('Slug of the publication.'),
    post: z
      .string()
      .trim()
      .regex(/^[\w.-]{1,300}$/, 'must be the slug of a post')
      .describe('Slug of the post.'),
  }),
  output: z.looseObject({
    id: z.union([z.string(), z.number()]).nullish(),
    title: z.string().nullable(),
    author: z.unknown(),
    url: z.string().nullable(),
    content_html: z.string().nullable(),
    price_usd: z.number().describe('What the publisher took.'),
  }),
  price: {
    upToCents: 'maxCost',
    fromCents: centsMin,
    atMostCents: centsMax,
    basis: 'set by the publisher',
    settle: ({ output }) => output.price_usd * 100,
  },
  costUsd: ({ price_usd }) => price_usd,
  example: { input: { publication: 'example', post: 'my-post' }, cents: centsMax },
  run: ({ input, http, maxCents, purchase }) =>
    purchase(async () => {
      const { body, paid } = await http
        .send({
          method: 'GET',
          path: path`/api/v1/publications/${input.publication}/${input.post}`,
          payUpToCents: maxCents,
        })
        .catch(explain('not_found', `${input.publication} has no post ${input.post}.`))
      const { contentHtml, title, author, url, ...rest } = body
      return {
        ...rest,
        title: title ?? null,
        author: author ?? null,
        url: url ?? null,
        content_html: contentHtml ?? null,
        price_usd: paid?.usd ?? 0,
      }
    }),
})
