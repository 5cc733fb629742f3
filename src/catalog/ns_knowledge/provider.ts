import { membersOf } from '#core/input/members.ts'
import { defineProvider } from '#core/provider.ts'
import { entity } from './entity.ts'
import { search } from './search.ts'
import { sparql } from './sparql.ts'

export const knowledge = defineProvider({
  id: 'ns_knowledge',
  title: 'Wikidata',
  docs: 'https://www.wikidata.org/wiki/Wikidata:Data_access',
  upstream: {
    baseUrl: 'https://{host}',
    hosts: ['www.wikidata.org', 'query.wikidata.org'],
    // Wikidata limits queries to 60 seconds.
    timeoutMs: 65_000,
    pacing: [
      { requests: 10, windowMs: 1_000, host: 'www.wikidata.org' },
      { requests: 2, windowMs: 1_000, host: 'query.wikidata.org' },
    ],
    failure({ status, body }) {
      if (typeof body === 'string' && /TimeoutException|time limit/i.test(body))
        return {
          code: 'bad_request',
          message:
            'The query took longer than the 60 seconds that Wikidata gives it. Narrow it, and LIMIT it.',
        }
      if (status === 400 && typeof body === 'string' && /MalformedQuery|ParseException/i.test(body))
        return {
          code: 'bad_request',
          message: 'Wikidata cannot read this SPARQL. Check its syntax and prefixes.',
        }
      // The action API reports failures with status 200.
      const code = membersOf(membersOf(body).error).code
      if (code === undefined) return undefined
      // The language is the only value that the caller chooses from a list.
      if (code === 'badvalue')
        return {
          code: 'bad_request',
          message: 'Wikidata does not know this language. Send a code such as en, de or pt-br.',
        }
      return code === 'maxlag' || code === 'ratelimited' ? 'rate_limited' : 'upstream_error'
    },
  },
  actions: [search, entity, sparql],
})
