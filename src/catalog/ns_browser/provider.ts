import { defineProvider } from '#core/provider.ts'
import type { PaidMinutes } from '#core/session.ts'
import { createSession } from './create_session.ts'
import { extendSession } from './extend_session.ts'
import { releaseSession } from './release_session.ts'
import { sessionStatus } from './session_status.ts'

/** `minutes`: counts what callers have paid for, where the vendor does not. */
export const browser = (minutes: PaidMinutes) =>
  defineProvider({
    id: 'ns_browser',
    title: 'Browserbase',
    docs: 'https://docs.browserbase.com/reference/api/create-a-session',
    upstream: {
      baseUrl: 'https://api.browserbase.com',
      credential: {
        aliases: ['BROWSERBASE_API_KEY'],
        attach: (key) => ({ headers: { 'x-bb-api-key': key } }),
      },
      wallet: { rail: 'mpp', baseUrl: 'https://mpp.browserbase.com' },
    },
    actions: [
      createSession(minutes),
      extendSession(minutes),
      sessionStatus(minutes),
      releaseSession(minutes),
    ],
  })
