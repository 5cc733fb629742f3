// /api/v1/keys: the keys of an account. Only an unlimited key manages them; a limited one sees itself.
import type { FastifyInstance } from 'fastify'
import type { ClientBase } from 'pg'
import type { ApiKey, KeyPolicy, Keys, Revocation } from '#accounts/keys/keys.ts'
import { z } from '#core/action.ts'
import type { AccountCaller } from '#core/caller.ts'
import { fail } from '#core/errors.ts'
import { isUuid } from '#core/id.ts'
import { type Micros, microsToCents } from '#core/money.ts'
import type { Once } from '#runner/once.ts'
import { readInput, showAmount } from '../input.ts'
import { pageFields, pageOf } from '../paging.ts'
import { requireCaller } from '../server.ts'
import type { ReadPolicy } from './key-policy.ts'
import { answerOnce } from './once.ts'

export const keysQuery = z.strictObject(pageFields)

export const keyRevocation = z.strictObject({
  descendants: z
    .enum(['true', 'false'])
    .optional()
    .describe('true: also the keys and apps that this key let in, and those that these let in.'),
})

interface KeyRoute {
  Params: { id: string }
}

interface KeyRouteDependencies {
  keys: Keys
  once: Once
  readPolicy: ReadPolicy
}

export function addKeyRoutes(
  server: FastifyInstance,
  { keys, once, readPolicy }: KeyRouteDependencies,
) {
  server.post('/api/v1/keys', async (request, reply) => {
    const manager = requireManager(requireCaller(request))
    const policy = readPolicy(request.body)
    reply.code(201)
    const sender = { once, sender: `key ${manager.keyId}` }
    return await answerOnce(sender, request, reply, async (client) => {
      const { key, secret } = await keys.create(manager, policy, client)
      return { api_key: secret, ...showKey(key) }
    })
  })

  server.get('/api/v1/keys', async (request) => {
    const { accountId, keyId, isLimited } = requireCaller(request)
    const { cursor, limit } = readInput(keysQuery, request.query)
    const found = isLimited
      ? [await keys.find(accountId, keyId)].filter((key) => key !== undefined)
      : await keys.list(accountId, { after: cursor, limit: limit + 1 })
    const { rows, next_cursor } = pageOf(found, limit, ({ id }) => id)
    return { keys: rows.map(showKey), next_cursor }
  })

  server.get<KeyRoute>('/api/v1/keys/:id', async (request) => {
    const { accountId, keyId, isLimited } = requireCaller(request)
    const { id } = request.params
    const isShown = isUuid(id) && (!isLimited || id === keyId)
    const key = isShown ? await keys.find(accountId, id) : undefined
    if (key === undefined) throw noSuchKey()
    return showKey(key)
  })

  server.patch<KeyRoute>('/api/v1/keys/:id', async (request) => {
    const manager = requireManager(requireCaller(request))
    return await changeKey(keys, manager, request.params.id, readPolicy(request.body))
  })

  server.delete<KeyRoute>(
    '/api/v1/keys/:id',
    { config: { outlivesKey: true } },
    async (request) => {
      const manager = requireManager(requireCaller(request))
      const { descendants } = readInput(keyRevocation, request.query)
      const withDescendants = descendants === 'true'
      return await revokeKey(keys, manager, { keyId: request.params.id, withDescendants })
    },
  )
}

export async function changeKey(
  keys: Keys,
  manager: { accountId: string; keyId?: string },
  id: string,
  policy: KeyPolicy,
  outer?: ClientBase,
) {
  const key = isUuid(id) ? await keys.change(manager, id, policy, outer) : undefined
  if (key === undefined) throw noSuchKey()
  return showKey(key)
}

export async function revokeKey(
  keys: Keys,
  manager: { accountId: string; keyId?: string },
  revocation: Revocation,
) {
  const { keyId } = revocation
  const revoked = isUuid(keyId) ? await keys.revoke(manager, revocation) : undefined
  if (revoked === undefined) throw noSuchKey()
  return { key_id: keyId, revoked: true, also_revoked: revoked.filter((id) => id !== keyId) }
}

/** Throws `forbidden` for a limited key. `Keys` checks this again in its transaction. */
export function requireManager({ accountId, keyId, isLimited }: AccountCaller) {
  if (!isLimited) return { accountId, keyId }
  throw fail('forbidden', {
    message: 'A limited API key cannot manage keys. Use an unlimited key of the account.',
  })
}

function noSuchKey() {
  return fail('not_found', { message: 'There is no such key, or it is revoked.' })
}

export function showKey(key: ApiKey) {
  const limit = (micros: number | null) => (micros === null ? null : microsToCents(micros, 'down'))
  return {
    key_id: key.id,
    prefix: key.prefix,
    name: key.name,
    client_id: key.clientId,
    created_by: key.createdBy,
    signs_in_by: key.signsInBy,
    max_cents_per_call: limit(key.callMicrosMax),
    max_cents_per_day: limit(key.dayMicrosMax),
    max_cents_per_month: limit(key.monthMicrosMax),
    actions: key.actions,
    expires_at: key.expiresAt,
    spending: {
      day: showSpending(key.daySpent, key.dayMicrosMax),
      month: showSpending(key.monthSpent, key.monthMicrosMax),
    },
    last_used_at: key.lastUsedAt,
    revoked_at: key.revokedAt,
    created_at: key.createdAt,
  }
}

/** Charged and held for a key's calls in a window. `remaining` is null without a limit. */
function showSpending(spent: Micros, most: Micros | null) {
  return {
    ...showAmount('spent', spent, 'up'),
    ...(most === null
      ? { remaining_cents: null, remaining_usd: null }
      : showAmount('remaining', Math.max(0, most - spent), 'down')),
  }
}
