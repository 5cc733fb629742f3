import type { z } from '#core/action.ts'
import { fail } from '#core/errors.ts'

/** Throws `upstream_error` for a vendor's id that callers could not send back, because other actions refuse it. */
export function requireIssued(schema: z.ZodType, id: unknown): void {
  const { error } = schema.safeParse(id)
  if (error !== undefined) throw fail('upstream_error', { cause: error })
}
