// /api/v1/admin/accounts: the operator's routes for accounts, their keys and balances.
import type { FastifyInstance } from 'fastify'
import type { ClientBase } from 'pg'
import type { AccountSummary, Accounts } from '#accounts/accounts.ts'
import { untilNoLongerTrusted } from '#accounts/keys/authentication.ts'
import type { Keys } from '#accounts/keys/keys.ts'
import { z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { isUuid } from '#core/id.ts'
import { centsToMicros, microsToUsd } from '#core/money.ts'
import type { Ledger } from '#money/ledger/ledger.ts'
import { readInput, showAmount } from '../input.ts'
import type { ReadPolicy } from '../routes/key-policy.ts'
import { changeKey, keyRevocation, revokeKey, showKey } from '../routes/keys.ts'
import type { Operations } from './operations.ts'

export const amountCentsMax = 100_000_000
const accountsPerPageMax = 100

export const newAccount = z.strictObject({
  name: z.string().max(100).optional(),
  balance_cents: z.int().min(0).max(amountCentsMax).default(0),
})
const reason = z.string().min(1).max(500)
export const balanceChange = z.strictObject({
  amount_cents: z.int().min(1).max(amountCentsMax),
  reason,
})
export const freezing = z.strictObject({ reason })
export const accountsQuery = z.strictObject({
  search: z.string().min(1).max(200).optional(),
  frozen: z.enum(['true', 'false']).optional(),
  cursor: z.uuid().optional(),
  limit: z.coerce.number().int().min(1).max(accountsPerPageMax).default(20),
})

interface AccountRoute {
  Params: { id: string }
}
interface KeyRoute {
  Params: { id: string; keyId: string }
}

interface Dependencies {
  accounts: Accounts
  keys: Keys
  ledger: Ledger
  operations: Operations
  readPolicy: ReadPolicy
}

/** The newest keys beside an account. */
const keysShownMax = 200

export function addAdminAccountRoutes(
  admin: FastifyInstance,
  prefix: string,
  dependencies: Dependencies,
) {
  const { accounts, keys, ledger, operations } = dependencies
  const at = `${prefix}/accounts`
  addBalanceRoutes(admin, at, dependencies)
  addAccountKeyRoutes(admin, at, dependencies)

  admin.post(at, async (request, reply) => {
    const wanted = readInput(newAccount, request.body)
    reply.code(201)
    const open = async (client: ClientBase) => {
      const { accountId } = await accounts.create({ name: wanted.name }, client)
      if (wanted.balance_cents > 0) {
        const opening = centsToMicros(wanted.balance_cents)
        await ledger.credit(accountId, opening, 'Opening balance', client)
      }
      const { key, secret } = await keys.create({ accountId }, {}, client)
      return { account_id: accountId, api_key: secret, key_id: key.id }
    }
    const operation = { action: 'account.create' }
    return await operations.perform(request, reply, operation, open, (made) => made.account_id)
  })

  admin.get(at, async (request) => {
    const { search, frozen, cursor, limit } = readInput(accountsQuery, request.query)
    const found = await accounts.list({
      search,
      isFrozen: frozen === undefined ? undefined : frozen === 'true',
      after: cursor,
      limit: limit + 1,
    })
    const page = found.slice(0, limit)
    return {
      accounts: page.map(showAccount),
      next_cursor: found.length > limit ? (page.at(-1)?.id ?? null) : null,
    }
  })

  admin.get<AccountRoute>(`${at}/:id`, async (request) => {
    const id = requireId(request.params.id)
    await ledger.catchUp(id)
    const account = await accounts.summary(id)
    if (account === undefined) throw noSuchAccount()
    const newest = await keys.list(id, { limit: keysShownMax })
    return { ...showAccount(account), keys: newest.map(showKey) }
  })

  admin.post<AccountRoute>(`${at}/:id/freeze`, async (request, reply) => {
    const { reason } = readInput(freezing, request.body)
    const subject = requireId(request.params.id)
    const operation = { action: 'account.freeze', subject }
    const answer = await operations.perform(request, reply, operation, async (client) => {
      if (!(await accounts.freeze(subject, reason, client))) throw noSuchAccount()
      return { account_id: subject, frozen: true, reason }
    })
    await untilNoLongerTrusted()
    return answer
  })
  admin.post<AccountRoute>(`${at}/:id/unfreeze`, async (request, reply) => {
    const subject = requireId(request.params.id)
    const operation = { action: 'account.unfreeze', subject }
    return await operations.perform(request, reply, operation, async (client) => {
      if (!(await accounts.unfreeze(subject, client))) throw noSuchAccount()
      return { account_id: subject, frozen: false }
    })
  })
}

function addBalanceRoutes(
  admin: FastifyInstance,
  at: string,
  { accounts, ledger, operations }: Dependencies,
) {
  /** Only accounts that pay from a balance are credited and debited: the money of a wallet is on its chain. */
  async function requireBalance(id: string): Promise<string> {
    if (isUuid(id) && (await accounts.isCaller(id))) return id
    throw noSuchAccount()
  }

  admin.post<AccountRoute>(`${at}/:id/credit`, async (request, reply) => {
    const { amount_cents, reason } = readInput(balanceChange, request.body)
    const id = await requireBalance(request.params.id)
    const operation = { action: 'account.credit', subject: id }
    return await operations.perform(request, reply, operation, async (client) => {
      const available = await ledger.credit(id, centsToMicros(amount_cents), reason, client)
      if (available === null) throw noSuchAccount()
      return { account_id: id, ...showAmount('available', available, 'down') }
    })
  })

  admin.post<AccountRoute>(`${at}/:id/debit`, async (request, reply) => {
    const { amount_cents, reason } = readInput(balanceChange, request.body)
    const id = await requireBalance(request.params.id)
    const operation = { action: 'account.debit', subject: id }
    return await operations.perform(request, reply, operation, async (client) => {
      const debited = await ledger.debit(id, centsToMicros(amount_cents), reason, client)
      if (debited === null) throw noSuchAccount()
      if (!debited.taken) {
        throw fail('insufficient_balance', {
          message: `This account has ${microsToUsd(debited.available)} dollars available. Amounts held for running calls cannot be debited. Debit less, or wait until the calls end.`,
        })
      }
      return { account_id: id, ...showAmount('available', debited.available, 'down') }
    })
  })
}

function addAccountKeyRoutes(
  admin: FastifyInstance,
  at: string,
  { keys, operations, readPolicy }: Dependencies,
) {
  admin.post<AccountRoute>(`${at}/:id/keys`, async (request, reply) => {
    const accountId = requireId(request.params.id)
    const policy = readPolicy(request.body)
    reply.code(201)
    const issue = async (client: ClientBase) => {
      const { key, secret } = await keys.create({ accountId }, policy, client)
      return { api_key: secret, account_id: accountId, ...showKey(key) }
    }
    const operation = { action: 'key.create' }
    return await operations.perform(request, reply, operation, issue, (made) => made.key_id)
  })
  admin.patch<KeyRoute>(`${at}/:id/keys/:keyId`, async (request, reply) => {
    const accountId = requireId(request.params.id)
    const { keyId } = request.params
    const policy = readPolicy(request.body)
    const operation = { action: 'key.change', subject: keyId }
    const answer = await operations.perform(request, reply, operation, (client) =>
      changeKey(keys, { accountId }, keyId, policy, client),
    )
    await untilNoLongerTrusted()
    return answer
  })
  admin.delete<KeyRoute>(`${at}/:id/keys/:keyId`, async (request, reply) => {
    const accountId = requireId(request.params.id)
    const { keyId } = request.params
    const { descendants } = readInput(keyRevocation, request.query)
    const withDescendants = descendants === 'true'
    const operation = { action: 'key.revoke', subject: keyId }
    const answer = await operations.perform(request, reply, operation, (client) =>
      revokeKey(keys, { accountId }, { keyId, withDescendants, outer: client }),
    )
    await untilNoLongerTrusted()
    return answer
  })
}

function requireId(id: string): string {
  if (!isUuid(id)) throw noSuchAccount()
  return id
}

function noSuchAccount() {
  return fail('not_found', { message: 'There is no such account.' })
}

function showAccount(account: AccountSummary) {
  return {
    account_id: account.id,
    name: account.name,
    owner_email: account.ownerEmail,
    ...showAmount('balance', account.available + account.held, 'down'),
    ...showAmount('held', account.held, 'up'),
    ...showAmount('available', account.available, 'down'),
    calls_in_flight: account.inFlight,
    live_keys: account.liveKeys,
    key_prefixes: account.keyPrefixes,
    last_used_at: account.lastUsedAt,
    frozen_at: account.frozenAt,
    frozen_reason: account.frozenReason,
    created_at: account.createdAt,
  }
}
