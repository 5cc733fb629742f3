import type { ErrorCode } from '#core/errors.ts'
import type { FailureReader } from '#core/provider.ts'

/** What a provider's failure to read a page means to our caller. */
export const unread = {
  code: 'all_blocked',
  message:
    'The provider could not reach or read what you asked for. Nothing was charged; check the address, or use another action.',
} as const satisfies { code: ErrorCode; message: string }

/** For vendors that answer a page that they could not read with 200 and `success: false`. A job that failed is an answer. */
export const readSuccess: FailureReader = ({ status, body }) => {
  const { success, status: job } = (body ?? {}) as { success?: unknown; status?: unknown }
  return status < 300 && success === false && typeof job !== 'string' ? unread : undefined
}
