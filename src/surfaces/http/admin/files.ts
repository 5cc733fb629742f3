// /api/v1/admin/accounts/{id}/files: how much an account or a wallet stores, and may store.
import type { FastifyInstance } from 'fastify'
import type { Accounts } from '#accounts/accounts.ts'
import { z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { isUuid } from '#core/id.ts'
import type { FileRows } from '#features/storage/files/file-rows.ts'
import { readInput } from '../input.ts'
import type { Operations } from './operations.ts'

const quotaBytesMax = Number.MAX_SAFE_INTEGER

export const quota = z.strictObject({
  quota_bytes: z.int().min(0).max(quotaBytesMax).nullable(),
})

export type FileQuotas = Pick<FileRows, 'usage' | 'setQuota'>

interface AccountRoute {
  Params: { id: string }
}

export function addAdminFileRoutes(
  admin: FastifyInstance,
  prefix: string,
  {
    accounts,
    quotas,
    operations,
  }: { accounts: Pick<Accounts, 'find'>; quotas: FileQuotas; operations: Operations },
) {
  const at = `${prefix}/accounts/:id/files`

  async function requireAccount(id: string): Promise<string> {
    if (isUuid(id) && (await accounts.find(id)) !== undefined) return id
    throw fail('not_found', { message: 'There is no such account.' })
  }

  async function show(id: string) {
    const { bytes, files, bytesMax, isOwnQuota } = await quotas.usage(id)
    return {
      account_id: id,
      files,
      used_bytes: bytes,
      quota_bytes: bytesMax,
      quota_from: isOwnQuota ? 'account' : 'setting',
    }
  }

  admin.get<AccountRoute>(at, async ({ params }) => await show(await requireAccount(params.id)))

  admin.patch<AccountRoute>(at, async (request, reply) => {
    const { quota_bytes } = readInput(quota, request.body)
    const id = await requireAccount(request.params.id)
    const operation = { action: 'account.file_quota', subject: id }
    await operations.perform(request, reply, operation, async (client) => {
      await quotas.setQuota(id, quota_bytes, client)
      return {}
    })
    return await show(id)
  })
}
