import type { ErrorCode } from '#core/errors.ts'
import { membersOf } from '#core/input/members.ts'
import type { FailureReader } from '#core/provider.ts'

/** The caller's error when a provider could not read a page. */
export const unread = {
  code: 'all_blocked',
  message:
    'The provider could not reach or read what you asked for. Nothing was charged; check the address, or use another action.',
} as const satisfies { code: ErrorCode; message: string }

/** For vendors that report an unreadable page with 200 and `success: false`. A failed job is an answer. */
export const readSuccess: FailureReader = ({ status, body }) => {
  const { success, status: job } = membersOf(body)
  return status < 300 && success === false && typeof job !== 'string' ? unread : undefined
}
