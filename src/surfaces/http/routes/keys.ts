// /api/v1/keys: the keys of an account. Only an unlimited key manages them; a limited one sees itself.
import type { FastifyInstance } from 'fastify'
import type { ClientBase } from 'pg'
import type { ApiKey, KeyPolicy, Keys, Revocation } from '#accounts/keys/keys.ts'
import { z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { type Micros, microsToCents } from '#core/money.ts'
import type { Once } from '#runner/once.ts'
import { addRoute } from '../../doors/add-route.ts'
import { showAmount } from '../../doors/input.ts'
import { defineRoute } from '../../doors/route.ts'
import { integer, integerOrNull, list, object, page, text, textOrNull } from '../../doors/shapes.ts'
import { pageFields, pageOf } from '../paging.ts'
import { keyPolicy, type ReadPolicy } from './key-policy.ts'
import { answerOnce } from './once.ts'

const keysQuery = z.strictObject(pageFields)

export const keyRevocation = z.strictObject({
  descendants: z
    .enum(['true', 'false'])
    .optional()
    .describe('true: also the keys and apps that this key let in, and those that these let in.'),
})

interface KeyRouteDependencies {
  keys: Keys
  once: Once
  readPolicy: ReadPolicy
}

const spending = object({
  spent_cents: integer,
  spent_usd: text,
  remaining_cents: integerOrNull,
  remaining_usd: textOrNull,
})
export const keyFields = {
  key_id: text,
  prefix: text,
  name: textOrNull,
  client_id: textOrNull,
  created_by: textOrNull,
  signs_in_by: { enum: ['passkey', 'email', null] },
  max_cents_per_call: integerOrNull,
  max_cents_per_day: integerOrNull,
  max_cents_per_month: integerOrNull,
  actions: { type: ['array', 'null'], items: text },
  models: { type: ['array', 'null'], items: text },
  requests_per_minute: integerOrNull,
  tokens_per_minute: integerOrNull,
  expires_at: textOrNull,
  store_responses: { type: ['boolean', 'null'] },
  spending: object({ day: spending, month: spending }),
  last_used_at: textOrNull,
  revoked_at: textOrNull,
  created_at: text,
}
export const shownKey = object(keyFields)
export const revokedKey = object({
  key_id: text,
  revoked: { const: true },
  also_revoked: list(text),
})

export const listKeys = defineRoute({
  method: 'get',
  path: '/api/v1/keys',
  who: 'account',
  summary: 'The keys of the account, newest first. A limited key sees only itself.',
  query: keysQuery,
  answer: page({ keys: list(shownKey) }),
  errors: ['bad_request'],
})
export const createKey = defineRoute({
  method: 'post',
  path: '/api/v1/keys',
  who: 'manager',
  summary: 'Issue a key. Only this answer has its secret.',
  body: keyPolicy,
  once: true,
  status: 201,
  answer: object({ api_key: text, ...keyFields }),
  errors: ['bad_request', 'forbidden'],
})
export const noKey = 'There is no such key, or it is revoked.'

export const readKey = defineRoute({
  method: 'get',
  path: '/api/v1/keys/{id}',
  who: 'account',
  summary: 'Read a key.',
  ids: { id: noKey },
  answer: shownKey,
  errors: ['not_found'],
})
export const updateKey = defineRoute({
  method: 'patch',
  path: '/api/v1/keys/{id}',
  who: 'manager',
  summary: 'Change the limits of a key. Null removes a limit.',
  ids: { id: noKey },
  body: keyPolicy,
  answer: shownKey,
  errors: ['bad_request', 'forbidden', 'not_found'],
})
export const deleteKey = defineRoute({
  method: 'delete',
  path: '/api/v1/keys/{id}',
  who: 'manager',
  summary: 'Revoke a key. What it opened ends within a second.',
  ids: { id: noKey },
  query: keyRevocation,
  answer: revokedKey,
  errors: ['forbidden', 'not_found'],
})

export function addKeyRoutes(
  server: FastifyInstance,
  { keys, once, readPolicy }: KeyRouteDependencies,
) {
  addRoute(server, createKey, async ({ request, caller: manager, body }, reply) => {
    const policy = readPolicy(body)
    const sender = { once, sender: `key ${manager.keyId}` }
    return await answerOnce(sender, request, reply, async (client) => {
      const { key, secret } = await keys.create(manager, policy, client)
      return { api_key: secret, ...showKey(key) }
    })
  })

  addRoute(server, listKeys, async ({ caller, query }) => {
    const { accountId, keyId, isLimited } = caller
    const { cursor, limit } = query
    const found = isLimited
      ? [await keys.find(accountId, keyId)].filter((key) => key !== undefined)
      : await keys.list(accountId, { after: cursor, limit: limit + 1 })
    const { rows, next_cursor } = pageOf(found, limit, ({ id }) => id)
    return { keys: rows.map(showKey), next_cursor }
  })

  addRoute(server, readKey, async ({ caller, params: { id } }) => {
    const { accountId, keyId, isLimited } = caller
    const isShown = !isLimited || id === keyId
    const key = isShown ? await keys.find(accountId, id) : undefined
    if (key === undefined) throw noSuchKey()
    return showKey(key)
  })

  addRoute(server, updateKey, ({ caller, params, body }) =>
    changeKey(keys, caller, params.id, readPolicy(body)),
  )

  addRoute(
    server,
    deleteKey,
    ({ caller, params, query }) =>
      revokeKey(keys, caller, { keyId: params.id, withDescendants: query.descendants === 'true' }),
    { config: { outlivesKey: true } },
  )
}

export async function changeKey(
  keys: Keys,
  manager: { accountId: string; keyId?: string },
  id: string,
  policy: KeyPolicy,
  outer?: ClientBase,
) {
  const key = await keys.change(manager, id, policy, outer)
  if (key === undefined) throw noSuchKey()
  return showKey(key)
}

export async function revokeKey(
  keys: Keys,
  manager: { accountId: string; keyId?: string },
  revocation: Revocation,
) {
  const { keyId } = revocation
  const revoked = await keys.revoke(manager, revocation)
  if (revoked === undefined) throw noSuchKey()
  return { key_id: keyId, revoked: true, also_revoked: revoked.filter((id) => id !== keyId) }
}

function noSuchKey() {
  return fail('not_found', { message: noKey })
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
    models: key.models,
    requests_per_minute: key.requestsPerMinute,
    tokens_per_minute: key.tokensPerMinute,
    expires_at: key.expiresAt,
    store_responses: key.storesResponses,
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
