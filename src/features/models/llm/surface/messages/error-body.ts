import type { CallError } from '#core/errors.ts'
import { isObject } from '../../conversation/fields.ts'

const typesByStatus: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  408: 'timeout_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
}

/** An error in the form that clients of this surface read, with our own codes, and `ok` as everywhere else. */
export function messagesErrorBody(error: CallError): object {
  const { status, code, message, data, transactionId, challenge } = error
  const type = typesByStatus[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error')
  return {
    type: 'error',
    ok: false,
    error: {
      type,
      message,
      code,
      details: { error_code: code, ...(isObject(data) ? data : {}) },
    },
    ...(transactionId === undefined ? {} : { transaction_id: transactionId }),
    ...challenge?.body,
  }
}
