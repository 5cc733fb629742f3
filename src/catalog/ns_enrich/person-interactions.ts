import { defineAction, z } from '#core/action.ts'
import { issueRequest, readSubmission, socialUrl, submitted } from './lib/request.ts'

export const personInteractions = defineAction('person-interactions', {
  summary:
    'Order whom a person follows, who follows them, or who replies to them on a social network.',
  notes:
    'Answers with a request_id at once and is billed then; poll ns_enrich/result for free with endpoint person/interactions. tweet_id narrows replies to one post. For the person themself use ns_enrich/person-enrich.',
  synonyms: [
    'followers',
    'following list',
    'replies to a tweet',
    'twitter audience',
    'social graph',
    'nyne',
  ],
  questions: [
    'who follows this person on X?',
    'which accounts does this founder follow?',
    'who replied to this tweet?',
  ],
  accepted: true,
  people: true,
  input: z
    .strictObject({
      social_media_url: socialUrl,
      type: z.enum(['replies', 'followers', 'following']).describe('What to list.'),
      tweet_id: z
        .string()
        .regex(/^\d{10,25}$/, 'must be the 10 to 25 digits of a post')
        .optional()
        .describe('Only replies to this post.'),
      max_results: z.int().min(10).max(1_000).optional().describe('Accounts at most.'),
    })
    .refine(({ type, tweet_id }) => tweet_id === undefined || type === 'replies', {
      message: 'tweet_id goes with type replies',
    }),
  output: submitted,
  price: { cents: 30 },
  example: { input: { social_media_url: 'https://x.com/example', type: 'following' }, cents: 30 },
  issues: issueRequest,
  run: async ({ input, http }) =>
    readSubmission('person/interactions', await http.post('/person/interactions', input)),
})
