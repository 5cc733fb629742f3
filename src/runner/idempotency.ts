import { createHash } from 'node:crypto'
import { fail } from '#core/errors.ts'

export const idempotencyKeyPattern = /^[\x21-\x7e]{1,255}$/

/** Checks an idempotency key. Throws `bad_request` for a value that cannot be repeated exactly. */
export function readIdempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  if (!idempotencyKeyPattern.test(header)) {
    throw fail('bad_request', {
      message:
        'Idempotency-Key must be 1 to 255 visible ASCII characters without spaces, such as a UUID.',
    })
  }
  return header
}

/** The SHA-256 of a body's meaning: white space and the order of fields do not count. */
export function digestRequest(body: unknown): Buffer {
  return createHash('sha256').update(canonicalJson(body)).digest()
}

function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}
