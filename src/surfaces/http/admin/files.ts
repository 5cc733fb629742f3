// /api/v1/admin/accounts/{id}/files: how much an account or a wallet stores, and may store.
import type { FastifyInstance } from 'fastify'
import type { Accounts } from '#accounts/accounts.ts'
import { z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import type { FileRows } from '#features/storage/files/file-rows.ts'
import { addRoute } from '../../doors/add-route.ts'
import { defineRoute, operatorPrefix } from '../../doors/route.ts'
import { integer, object, text } from '../../doors/shapes.ts'
import { noAccount } from './accounts.ts'
import type { Operations } from './operations.ts'

const quotaBytesMax = Number.MAX_SAFE_INTEGER

const quota = z.strictObject({
  quota_bytes: z.int().min(0).max(quotaBytesMax).nullable(),
})

export type FileQuotas = Pick<FileRows, 'usage' | 'setQuota'>

const stored = object({
  account_id: text,
  files: integer,
  used_bytes: integer,
  quota_bytes: integer,
  quota_from: { enum: ['account', 'setting'] },
})

export const readQuota = defineRoute({
  method: 'get',
  path: `${operatorPrefix}/accounts/{id}/files`,
  who: 'operator',
  summary: 'How much an account stores, and may store.',
  ids: { id: noAccount },
  answer: stored,
})
export const updateQuota = defineRoute({
  method: 'patch',
  path: `${operatorPrefix}/accounts/{id}/files`,
  who: 'operator',
  summary: 'Change how much an account may store. Null restores the setting.',
  ids: { id: noAccount },
  body: quota,
  once: true,
  answer: stored,
})

export function addAdminFileRoutes(
  admin: FastifyInstance,
  {
    accounts,
    quotas,
    operations,
  }: { accounts: Pick<Accounts, 'find'>; quotas: FileQuotas; operations: Operations },
) {
  async function requireAccount(id: string): Promise<string> {
    if ((await accounts.find(id)) !== undefined) return id
    throw fail('not_found', { message: noAccount })
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

  addRoute(admin, readQuota, async ({ params }) => await show(await requireAccount(params.id)))

  addRoute(admin, updateQuota, async ({ request, params, body: { quota_bytes } }, reply) => {
    const id = await requireAccount(params.id)
    const operation = { action: 'account.file_quota', subject: id }
    await operations.perform(request, reply, operation, async (client) => {
      await quotas.setQuota(id, quota_bytes, client)
      return {}
    })
    return await show(id)
  })
}
