import { defineAction, z } from '#core/action.ts'
import type { PaidMinutes } from '#core/session.ts'
import { releaseSold } from './lib/paid-endpoint.ts'
import { ownedSession, sessionFields, sessionId } from './lib/session-fields.ts'
import { releaseSessionAtVendor } from './lib/vendor.ts'

export const releaseSession = (minutes: PaidMinutes) =>
  defineAction('release_session', {
    summary: 'End a browser session before its paid minutes are over.',
    notes:
      'Free, and repeating it changes nothing. Minutes that were not used are not refunded, so open short sessions with ns_browser/create_session and extend them.',
    synonyms: [
      'close browser',
      'stop browser',
      'end session',
      'kill remote chrome',
      'shut down the browser',
    ],
    questions: [
      'close my hosted browser',
      'stop the remote browser session',
      'I am done with the browser, how do I free it?',
    ],
    removes: ['session', 'browser', 'chrome', 'chromium'],
    input: z.strictObject({ session_id: sessionId }),
    output: z.looseObject(sessionFields),
    price: 'free',
    example: { input: { session_id: 'bs_1' }, cents: 0 },
    owned: ownedSession,
    run: (context) =>
      context.http.atPaidEndpoint ? releaseSold(context) : releaseSessionAtVendor(context, minutes),
  })
