import { z } from '#core/action.ts'

/** The answer of a launch. */
export const launched = z.looseObject({
  item: z.looseObject({
    _id: z.string().describe('For ns_email_b/result.'),
    status: z.string().nullish(),
  }),
})

export const readLaunch = ({ item }: { item?: unknown }) => ({ item })

/** All launches issue ids of one kind, and one action polls them. */
export const issueSearch = ({ item }: z.output<typeof launched>) => ({
  kind: 'search',
  id: item._id,
})

const inProgress = new Set(['NONE', 'SCHEDULED', 'IN_PROGRESS'])
const found = new Set(['FOUND', 'DEBITED'])
const empty = new Set(['NOT_FOUND', 'DEBITED_NOT_FOUND'])

/** The meaning of a vendor's status. Every status that is not in progress is final. */
export function readStatus(status: string): 'in_progress' | 'found' | 'not_found' | 'error' {
  if (inProgress.has(status)) return 'in_progress'
  if (found.has(status)) return 'found'
  return empty.has(status) ? 'not_found' : 'error'
}
