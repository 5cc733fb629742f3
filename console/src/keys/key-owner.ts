// Who changes keys: their account, or the operator for an account.
import type { Routes } from '@tollway/client'
import { tollway } from '../gateway.ts'
import type { OperatorRoute } from '../parts/role.tsx'

type NewPolicy = Routes['POST /api/v1/keys']['body']

export interface KeyOwner {
  /** The routes of the operator, where the keys are of another account. */
  readonly needs?: Readonly<Record<'create' | 'change' | 'revoke', OperatorRoute>>
  /** The secret of the new key. */
  create(policy: NewPolicy, idempotencyKey: string): Promise<string>
  change(keyId: string, policy: NewPolicy): Promise<unknown>
  /** With `descendants`, also the keys and apps that it let in. */
  revoke(keyId: string, revocation?: { descendants: boolean }): Promise<unknown>
}

const queryOf = (revocation?: { descendants: boolean }) =>
  revocation?.descendants ? ({ descendants: 'true' } as const) : {}

export const ownKeys: KeyOwner = {
  async create(body, idempotencyKey) {
    return (await tollway.request('POST /api/v1/keys', { body, idempotencyKey })).api_key
  },
  change: (id, body) => tollway.request('PATCH /api/v1/keys/{id}', { path: { id }, body }),
  revoke: (id, revocation) =>
    tollway.request('DELETE /api/v1/keys/{id}', { path: { id }, query: queryOf(revocation) }),
}

/** The keys of an account, as the operator changes them. */
export const keysOfAccount = (id: string): KeyOwner => ({
  needs: {
    create: 'POST /api/v1/admin/accounts/{id}/keys',
    change: 'PATCH /api/v1/admin/accounts/{id}/keys/{keyId}',
    revoke: 'DELETE /api/v1/admin/accounts/{id}/keys/{keyId}',
  },
  async create(body, idempotencyKey) {
    const sent = { path: { id }, body, idempotencyKey }
    return (await tollway.request('POST /api/v1/admin/accounts/{id}/keys', sent)).api_key
  },
  change: (keyId, body) =>
    tollway.request('PATCH /api/v1/admin/accounts/{id}/keys/{keyId}', {
      path: { id, keyId },
      body,
    }),
  revoke: (keyId, revocation) =>
    tollway.request('DELETE /api/v1/admin/accounts/{id}/keys/{keyId}', {
      path: { id, keyId },
      query: queryOf(revocation),
    }),
})
