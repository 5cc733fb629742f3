// Provider replies that did not fit an output schema, for the operator only.
import type { FastifyInstance } from 'fastify'
import { fail } from '#core/errors.ts'
import type { MisfitSummary, Misfits } from '#runner/execute/misfits.ts'
import { addRoute } from '../../doors/add-route.ts'
import { defineRoute, operatorPrefix } from '../../doors/route.ts'
import { list, object, text, textOrNull } from '../../doors/shapes.ts'

const shownMisfit = {
  misfit_id: text,
  action: text,
  transaction_id: textOrNull,
  problems: list(text),
  created_at: text,
}

export const listMisfits = defineRoute({
  method: 'get',
  path: `${operatorPrefix}/misfits`,
  who: 'operator',
  summary: 'Replies of providers that did not fit an output schema.',
  answer: object({ misfits: list(object(shownMisfit)) }),
})
const noMisfit = 'There is no such misfit.'

export const readMisfit = defineRoute({
  method: 'get',
  path: `${operatorPrefix}/misfits/{id}`,
  who: 'operator',
  summary: 'One of them with the replies.',
  ids: { id: noMisfit },
  answer: object({ ...shownMisfit, replies: {} }),
})

/** Adds to the operator's routes, which require ADMIN_TOKEN. */
export function addMisfitRoutes(admin: FastifyInstance, misfits: Misfits) {
  addRoute(admin, listMisfits, async (_asked, reply) => {
    reply.header('cache-control', 'no-store')
    return { misfits: (await misfits.list()).map(describe) }
  })
  addRoute(admin, readMisfit, async ({ params: { id } }, reply) => {
    const misfit = await misfits.get(id)
    if (misfit === undefined) throw fail('not_found', { message: noMisfit })
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
