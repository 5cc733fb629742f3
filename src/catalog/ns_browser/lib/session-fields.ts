import { z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { browserMinutesMax, type PaidSession } from '#core/session.ts'

export const estimatedMinutes = z
  .int()
  .min(1)
  .max(browserMinutesMax)
  .default(1)
  .describe('Minutes to pay for ahead. Those that are not used are not refunded.')

export const sessionId = z
  .string()
  .regex(/^[\w-]{1,100}$/, 'must be a sessionId from ns_browser/create_session')
  .describe('The sessionId from ns_browser/create_session.')

export const ownedSession = ({ session_id: id }: { readonly session_id: string }) => ({
  kind: 'session',
  id,
})

export const minutesPrice = {
  cents: 0.2,
  unit: 'minute',
  per: (input: { readonly estimatedMinutes: number }) => input.estimatedMinutes,
  atMost: browserMinutesMax,
} as const

export const sessionFields = {
  sessionId: z.string(),
  status: z.enum(['active', 'released', 'expired']),
  alive: z.boolean().describe('Whether the browser can be used.'),
  paidMinutes: z.number().describe('All minutes that were paid for this session.'),
  remainingSeconds: z.number().describe('What is left of the paid minutes, in seconds.'),
  expiresAt: z.string().nullish().describe('When the paid minutes end.'),
  recording: z
    .looseObject({
      status: z.enum(['recording', 'encoding', 'saved', 'failed']),
      file_id: z.string().nullable().describe('The video, once it is saved: files/get serves it.'),
      reason: z.string().optional().describe('Why it failed, and what to do next.'),
    })
    .nullish()
    .describe('Only of a session that was created with recording.'),
} as const

export function showPaid({ id, status, paidMinutes, remainingMs, expiresAt }: PaidSession) {
  return {
    sessionId: id,
    status,
    alive: status === 'active',
    paidMinutes,
    expiresAt,
    remainingSeconds: Math.floor(remainingMs / 1_000),
  }
}

/** The refusal of a browser that was over when the vendor answered. */
export const didNotOpen = (status: string | undefined) =>
  fail('upstream_error', {
    message: 'The provider could not start the browser. Nothing was charged; try again.',
    cause: new Error(`The browser was created as ${status}.`),
  })
