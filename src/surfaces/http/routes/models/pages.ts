// Pages of lists in the form of the common API: `after` is the last id of the page before.
import { z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { isUuid } from '#core/id.ts'

const limitDefault = 20
const limitMax = 100

export const listQuery = z.object({
  after: z.string().max(100).optional(),
  limit: z.coerce.number().int().min(1).max(limitMax).optional(),
  order: z.enum(['desc']).optional(),
  purpose: z.string().max(100).optional(),
})

/** Throws `bad_request` for an id that none of ours can be. */
export function readPage({ after, limit = limitDefault }: z.output<typeof listQuery>) {
  const id = after?.replace(/^batch_/, '')
  if (id !== undefined && !isUuid(id))
    throw fail('bad_request', { message: 'after must be the last id of the page before.' })
  return { after: id, limit }
}
