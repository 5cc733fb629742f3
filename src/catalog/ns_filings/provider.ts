import { membersOf } from '#core/input/members.ts'
import { defineProvider } from '#core/provider.ts'
import { concept } from './concept.ts'
import { document } from './document.ts'
import { entities } from './entities.ts'
import { filings as filingsOf } from './filings.ts'
import { fulltext } from './fulltext.ts'
import { index } from './index.ts'

export const filings = defineProvider({
  id: 'ns_filings',
  title: 'SEC EDGAR',
  docs: 'https://www.sec.gov/search-filings/edgar-application-programming-interfaces',
  upstream: {
    baseUrl: 'https://{host}.sec.gov',
    contactRequiredBy: 'SEC EDGAR',
    // Full filings with their exhibits inline are large.
    responseBytesMax: 18_000_000,
    // Ten a second over all hosts together. The window is a little longer, because requests may arrive closer together
    // than they left.
    pacing: [{ requests: 10, windowMs: 1_100 }],
    failure: ({ status, body }) => {
      // For a missing file the archive returns the refusal of its storage.
      if (status === 403 && typeof body === 'string' && body.includes('<Code>AccessDenied</Code>'))
        return 'not_found'
      // The full-text index reports failures in its own body format, with any status.
      const { errorType, errorMessage } = membersOf(body)
      if (typeof errorType !== 'string') return undefined
      return /window is too large|date_time|parse_exception/.test(String(errorMessage))
        ? 'bad_request'
        : 'upstream_error'
    },
  },
  actions: [entities, filingsOf, fulltext, document, concept, index],
})
