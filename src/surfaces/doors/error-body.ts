import type { CallError, ErrorCode } from '#core/errors.ts'

/** An error body as text. Fields that a challenge has already serialized are copied as bytes. */
export function errorText(body: object, { challenge }: CallError): string | Buffer {
  const { written = [] } = challenge ?? {}
  const text = JSON.stringify(body)
  if (written.length === 0) return text
  const fields = written.flatMap((bytes) => [comma, bytes])
  return Buffer.concat([Buffer.from(text.slice(0, -1)), ...fields, closingBrace])
}

const comma = Buffer.from(',')
const closingBrace = Buffer.from('}')

/** The path of the page about a code, on the gateway that answered. */
const docsOf = (code: ErrorCode) => `/docs/errors/${code}`

/** The error body of every surface. Source: spec, "Error body". */
export function errorBody(error: CallError) {
  return {
    ok: false,
    error: error.code,
    message: error.message,
    docs: docsOf(error.code),
    ...(error.transactionId === undefined ? {} : { transaction_id: error.transactionId }),
    ...(error.data === undefined ? {} : { data: error.data }),
    ...error.challenge?.body,
  }
}
