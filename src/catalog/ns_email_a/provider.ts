import { defineProvider } from '#core/provider.ts'
import { authorFinder } from './author-finder.ts'
import { domainSearch } from './domain-search.ts'
import { emailFinder } from './email-finder.ts'
import { emailVerifier } from './email-verifier.ts'
import { enrich } from './enrich.ts'
import { linkedinFinder } from './linkedin-finder.ts'
import { phoneFinder } from './phone-finder.ts'

export const emailA = defineProvider({
  id: 'ns_email_a',
  title: 'Tomba',
  docs: 'https://docs.tomba.io/api',
  upstream: {
    baseUrl: 'https://api.tomba.io/v1',
    credential: {
      aliases: ['TOMBA_API_KEY'],
      form: 'key:secret',
      attach: (pair) => {
        const [key = '', secret = ''] = pair.split(':')
        return { headers: { 'x-tomba-key': key, 'x-tomba-secret': secret } }
      },
    },
    pacing: [{ requests: 60, windowMs: 60_000 }],
    failure: ({ status }) =>
      // Here 402 does not ask for payment.
      status === 402
        ? {
            code: 'upstream_error',
            message:
              'The mail server of that domain gave no usable answer. Nothing was charged; try again later.',
          }
        : undefined,
  },
  actions: [
    emailFinder,
    emailVerifier,
    linkedinFinder,
    domainSearch,
    authorFinder,
    enrich,
    phoneFinder,
  ],
})
