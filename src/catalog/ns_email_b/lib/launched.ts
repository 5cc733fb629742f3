import { z } from '#core/action.ts'
import { requireUnfailed } from '../../lib/failed-work.ts'
import { issue } from '../../lib/issued-id.ts'

/** The answer of a launch. */
export const launched = z.looseObject({
  item: z.looseObject({
    _id: z.string().describe('For ns_email_b/result.'),
    status: z.string().nullish(),
  }),
})

/** Throws `upstream_error` for a search that has ended before it began. */
export function readLaunch({ item }: { item?: { status?: unknown } | null }) {
  if (typeof item?.status === 'string' && readStatus(item.status) === 'error')
    requireUnfailed('error')
  return { item }
}

export const searchId = z.string().trim().min(1).max(128)

/** All launches issue ids of one kind, and one action polls them. */
export const issueSearch = ({ item }: z.output<typeof launched>) =>
  issue('search', searchId, item._id)

const inProgress = new Set(['NONE', 'SCHEDULED', 'IN_PROGRESS'])
const found = new Set(['FOUND', 'DEBITED'])
const empty = new Set(['NOT_FOUND', 'DEBITED_NOT_FOUND'])

/** The meaning of a vendor's status. Every status that is not in progress is final. */
export function readStatus(status: string): 'in_progress' | 'found' | 'not_found' | 'error' {
  if (inProgress.has(status)) return 'in_progress'
  if (found.has(status)) return 'found'
  return empty.has(status) ? 'not_found' : 'error'
}

/** Tells whether this one search did not run because the operator's account at the vendor is empty. */
export function isUnfunded(items: unknown): boolean {
  const [only, ...others] = Array.isArray(items) ? items : []
  return others.length === 0 && only?.status === 'INSUFFICIENT_FUNDS'
}
