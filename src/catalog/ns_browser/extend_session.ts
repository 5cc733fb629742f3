import { defineAction, z } from '#core/action.ts'
import type { PaidMinutes } from '#core/session.ts'
import { buyMinutes } from './lib/paid-endpoint.ts'
import {
  estimatedMinutes,
  minutesPrice,
  ownedSession,
  sessionFields,
  sessionId,
} from './lib/session-fields.ts'
import { extendAtVendor } from './lib/vendor.ts'

export const extendSession = (minutes: PaidMinutes) =>
  defineAction('extend_session', {
    summary: 'Add paid minutes to an open browser session.',
    notes:
      'The session keeps its pages, its clients and its connectUrl. A session that has ended cannot be extended: create another one with ns_browser/create_session. It lasts at most 360 minutes in all.',
    synonyms: [
      'prolong browser',
      'more minutes',
      'keep the browser longer',
      'renew session',
      'add browser time',
    ],
    questions: [
      'my browser session ends soon, how do I keep it?',
      'give the remote browser ten more minutes',
      'extend the playwright session',
    ],
    makes: ['browser_minutes'],
    input: z.strictObject({ session_id: sessionId, estimatedMinutes }),
    output: z.looseObject(sessionFields),
    price: minutesPrice,
    example: { input: { session_id: 'bs_1', estimatedMinutes: 10 }, cents: 2 },
    owned: ownedSession,
    run: (context) =>
      context.http.atPaidEndpoint ? buyMinutes(context) : extendAtVendor(context, minutes),
  })
