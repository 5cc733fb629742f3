// /api/v1/admin/ledger: whether the books are right, and mending them where they are not.
import type { FastifyInstance } from 'fastify'
import { z } from '#core/action.ts'
import type { Ledger } from '#money/ledger/ledger.ts'
import type { Repair } from '#money/ledger/verification.ts'
import { addRoute } from '../../doors/add-route.ts'
import { defineRoute, operatorPrefix } from '../../doors/route.ts'
import { integer, list, object, text, textOrNull, truth } from '../../doors/shapes.ts'
import type { Operations } from './operations.ts'

const repairBody = z.strictObject({ apply: z.boolean().default(false) })

const verifyQuery = z.strictObject({
  incremental: z
    .enum(['true', 'false'])
    .default('false')
    .describe(
      'Leave out days that an earlier check has found right, usage, and sums of statements.',
    ),
})

const problem = object({ rule: text, subject: text, found: text, expected: text })

export const verifyLedger = defineRoute({
  method: 'get',
  path: `${operatorPrefix}/ledger/verify`,
  who: 'operator',
  summary: 'Check the rules of the ledger.',
  query: verifyQuery,
  answer: object({
    ok: truth,
    since: textOrNull,
    accounts: integer,
    postings: integer,
    problems: list(problem),
  }),
})
export const repairLedger = defineRoute({
  method: 'post',
  path: `${operatorPrefix}/ledger/repair`,
  who: 'operator',
  summary: 'Mend wrong books. Without `apply`, only tell what would change.',
  body: repairBody,
  once: true,
  answer: object({
    applied: truth,
    corrections: list(object({ account_id: text, what: text, found: text, repaired: text })),
    remaining: list(problem),
  }),
})

export function addLedgerRoutes(
  admin: FastifyInstance,
  { ledger, operations }: { ledger: Ledger; operations: Operations },
) {
  addRoute(admin, verifyLedger, ({ query: { incremental } }) =>
    ledger.verify({ isIncremental: incremental === 'true' }),
  )

  addRoute(admin, repairLedger, async ({ request, body: { apply } }, reply) => {
    if (!apply) return showRepair(await ledger.repair(), apply)
    return await operations.perform(request, reply, { action: 'ledger.repair' }, async (client) =>
      showRepair(await ledger.repair(client), apply),
    )
  })
}

const showRepair = ({ corrections, remaining }: Repair, applied: boolean) => ({
  applied,
  corrections: corrections.map(({ accountId, ...correction }) => ({
    account_id: accountId,
    ...correction,
  })),
  remaining,
})
