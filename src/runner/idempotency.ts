import { createHash } from 'node:crypto'
import { fail } from '#core/errors.ts'

export const idempotencyKeyPattern = /^[\x21-\x7e]{1,255}$/

/** Reads the Idempotency-Key header. Throws `bad_request` on a value that could not be repeated exactly. */
export function readIdempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  if (!idempotencyKeyPattern.test(header)) {
    throw fail('bad_request', {
      message:
        'Idempotency-Key must be 1 to 255 visible ASCII characters without spaces, a UUID for example.',
    })
  }
  return header
}

/** The same for bodies that say the same: neither white space nor the order of fields counts. */
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
