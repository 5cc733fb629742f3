import { defineAction, z } from '#core/action.ts'
import type { PaidMinutes } from '#core/session.ts'
import { soldStatus } from './lib/paid-endpoint.ts'
import { ownedSession, sessionFields, sessionId } from './lib/session-fields.ts'
import { statusAtVendor } from './lib/vendor.ts'

export const sessionStatus = (minutes: PaidMinutes) =>
  defineAction('session_status', {
    summary: 'Tell whether a browser session is alive and how much paid time is left.',
    notes:
      'Free. Status is active, released or expired. Add minutes with ns_browser/extend_session while it is active.',
    synonyms: [
      'browser status',
      'remaining minutes',
      'is the browser alive',
      'session time left',
      'browser session info',
    ],
    questions: [
      'is my remote browser still running?',
      'how many minutes are left on the browser session?',
      'when does my browser session expire?',
    ],
    input: z.strictObject({ session_id: sessionId }),
    output: z.looseObject(sessionFields),
    price: 'free',
    example: { input: { session_id: 'bs_1' }, cents: 0 },
    owned: ownedSession,
    run: (context) =>
      context.http.atPaidEndpoint ? soldStatus(context) : statusAtVendor(context, minutes),
  })
