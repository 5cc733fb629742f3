import { defineProvider } from '#core/provider.ts'
import { emailVerify } from './email-verify.ts'
import { linkedinContacts } from './linkedin-contacts.ts'
import { peopleSearch } from './people-search.ts'
import { personFromEmail } from './person-from-email.ts'

export const contact = defineProvider({
  id: 'ns_contact',
  title: 'ContactOut',
  docs: 'https://api.contactout.com',
  upstream: {
    baseUrl: 'https://api.contactout.com',
    credential: {
      aliases: ['CONTACTOUT_API_KEY'],
      // The vendor's own examples send both.
      attach: (key) => ({ headers: { token: key, authorization: 'basic' } }),
    },
    pacing: [{ requests: 1_200, windowMs: 60_000 }],
  },
  actions: [peopleSearch, linkedinContacts, personFromEmail, emailVerify],
})
