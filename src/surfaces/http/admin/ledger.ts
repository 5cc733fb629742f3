// /api/v1/admin/ledger: whether the books are right, and mending them where they are not.
import type { FastifyInstance } from 'fastify'
import { z } from '#core/action.ts'
import type { Ledger } from '#money/ledger/ledger.ts'
import type { Repair } from '#money/ledger/verification.ts'
import { readInput } from '../input.ts'
import type { Operations } from './operations.ts'

export const repairBody = z.strictObject({ apply: z.boolean().default(false) })

export function addLedgerRoutes(
  admin: FastifyInstance,
  prefix: string,
  { ledger, operations }: { ledger: Ledger; operations: Operations },
) {
  admin.get(`${prefix}/ledger/verify`, () => ledger.verify())

  admin.post(`${prefix}/ledger/repair`, async (request, reply) => {
    const { apply } = readInput(repairBody, request.body ?? {})
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
