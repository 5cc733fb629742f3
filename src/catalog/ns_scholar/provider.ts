import { membersOf } from '#core/input/members.ts'
import { defineProvider } from '#core/provider.ts'
import { authors } from './authors.ts'
import { work } from './work.ts'
import { works } from './works.ts'

export const scholar = defineProvider({
  id: 'ns_scholar',
  title: 'OpenAlex',
  docs: 'https://docs.openalex.org',
  upstream: {
    baseUrl: 'https://api.openalex.org',
    credential: {
      aliases: ['OPENALEX_API_KEY'],
      optional: true,
      attach: (key) => ({ query: { api_key: key } }),
    },
    pacing: [{ requests: 10, windowMs: 1_000 }],
    // OpenAlex has answered unknown parameters with 400, with 403 and with 200.
    failure: ({ body }) => {
      const { error, message = '' } = membersOf(body)
      if (typeof error !== 'string' || !/invalid query parameters/i.test(error)) return undefined
      return {
        code: 'bad_request',
        message: /wildcard/i.test(String(message))
          ? 'OpenAlex takes * and ? for wildcards and refuses them here. Leave them out of the search.'
          : 'OpenAlex does not understand the filter or search. See docs.openalex.org for its filters.',
      }
    },
  },
  actions: [works, work, authors],
})
