// One form of paging for all lists: newest first, from the entry after `cursor` on.
import { z } from '#core/action.ts'

const entriesPerPageMax = 100
const entriesPerPageDefault = 20

export const pageFields = {
  cursor: z.uuid().optional(),
  limit: z.coerce.number().int().min(1).max(entriesPerPageMax).default(entriesPerPageDefault),
}

/** `found` has one row more than the page, if there are more. */
export function pageOf<Row>(
  found: readonly Row[],
  limit: number,
  cursorOf: (row: Row) => string,
): { rows: Row[]; next_cursor: string | null } {
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  const hasMore = found.length > limit && last !== undefined
  return { rows, next_cursor: hasMore ? cursorOf(last) : null }
}
