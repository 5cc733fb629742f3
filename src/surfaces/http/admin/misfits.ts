// Provider replies that did not fit an output schema, for the operator only.
import type { FastifyInstance } from 'fastify'
import { fail } from '#core/errors.ts'
import { isUuid } from '#core/id.ts'
import type { MisfitSummary, Misfits } from '#runner/execute/misfits.ts'

/** Adds to the operator's routes, which require ADMIN_TOKEN. */
export function addMisfitRoutes(admin: FastifyInstance, prefix: string, misfits: Misfits) {
  admin.get(`${prefix}/misfits`, async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    return { misfits: (await misfits.list()).map(describe) }
  })
  admin.get<{ Params: { id: string } }>(`${prefix}/misfits/:id`, async (request, reply) => {
    const { id } = request.params
    const misfit = isUuid(id) ? await misfits.get(id) : undefined
    if (misfit === undefined) throw fail('not_found', { message: 'There is no such misfit.' })
    reply.header('cache-control', 'no-store')
    return { ...describe(misfit), replies: misfit.replies }
  })
}

const describe = ({ id, action, callId, misfits, createdAt }: MisfitSummary) => ({
  misfit_id: id,
  action,
  transaction_id: callId,
  // One line for each field that did not fit.
  problems: misfits.split('\n'),
  created_at: createdAt,
})
