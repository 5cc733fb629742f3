import type { VendorHandle, z } from '#core/action.ts'
import { fail } from '#core/errors.ts'

/** Whether callers could send a vendor's id back: other actions would refuse it, or read it as another one. */
export function isUsable(schema: z.ZodType, id: unknown): boolean {
  const { success, data } = schema.safeParse(id)
  return success && String(data) === String(id)
}

/** Throws `upstream_error` for a vendor's id that callers could not send back. */
export function requireIssued(schema: z.ZodType, id: unknown): void {
  if (isUsable(schema, id)) return
  throw fail('upstream_error', {
    cause: new Error('The vendor issued an id that callers could not send back.'),
  })
}

/** What an action issues. `schema` is the one by which the following action reads the id. */
export function issue(kind: string, schema: z.ZodType, id: string | number): VendorHandle {
  requireIssued(schema, id)
  return { kind, id: String(id) }
}
