import { defineAction, z } from '#core/action.ts'
import { explain } from '#core/errors.ts'
import { path } from '#core/path.ts'
import { username } from './lib/username.ts'

export const githubProfile = defineAction('github-profile', {
  summary: 'Fetch a GitHub profile and its readme, to write a postcard about.',
  notes: 'Free. Read it before ns_postcard/send, which takes the same user name.',
  synonyms: [
    'github user',
    'profile readme',
    'developer profile',
    'who is this developer',
    'github bio',
  ],
  questions: [
    'what does this GitHub user work on?',
    'what is in the readme of her profile?',
    'give me material to roast this developer',
  ],
  keyless: true,
  input: z.strictObject({ username }),
  output: z.looseObject({
    provider: z.string(),
    user: z.looseObject({}),
    profileReadme: z.string().nullish(),
  }),
  price: 'free',
  example: { input: { username: 'octocat' }, cents: 0 },
  async run({ input, http }) {
    const profile = await http
      .get(path`/api/github/${input.username}`)
      .catch(explain('not_found', `GitHub has no user ${input.username}.`))
    return { provider: 'Papercut', ...profile }
  },
})
