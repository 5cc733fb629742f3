import type { CallError } from '#core/errors.ts'

/** The error body of every surface. Source: spec, "Error body". */
export function errorBody(error: CallError) {
  return {
    ok: false,
    error: error.code,
    message: error.message,
    ...(error.transactionId === undefined ? {} : { transaction_id: error.transactionId }),
    ...(error.data === undefined ? {} : { data: error.data }),
    ...error.challenge?.body,
  }
}
