import type { CallError } from '#core/errors.ts'
import { membersOf } from '#core/input/members.ts'

const typesByStatus: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'insufficient_quota',
  403: 'permission_error',
  429: 'rate_limit_error',
}

/** An error in the form that clients of this surface read, with our own codes, and `ok` as everywhere else. */
export function chatErrorBody(error: CallError): object {
  const { status, code, message, data, transactionId, challenge } = error
  const type = typesByStatus[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error')
  const param = membersOf(data).param ?? null
  return {
    ok: false,
    error: { message, type, code, param, ...(data === undefined ? {} : { data }) },
    ...(transactionId === undefined ? {} : { transaction_id: transactionId }),
    ...challenge?.body,
  }
}
