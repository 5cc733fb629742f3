// /api/v1/admin/accounts: the operator's routes for accounts, their keys and balances.
import type { FastifyInstance } from 'fastify'
import type { ClientBase } from 'pg'
import type { AccountSummary, Accounts } from '#accounts/accounts.ts'
import { untilNoLongerTrusted } from '#accounts/keys/authentication.ts'
import type { Keys } from '#accounts/keys/keys.ts'
import type { Operators } from '#accounts/operators/operators.ts'
import type { PriceGroup, PriceGroups } from '#accounts/price-groups.ts'
import { z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { centsToMicros, microsToUsd } from '#core/money.ts'
import type { Ledger } from '#money/ledger/ledger.ts'
import { addRoute } from '../../doors/add-route.ts'
import { showAmount } from '../../doors/input.ts'
import { defineRoute, operatorPrefix } from '../../doors/route.ts'
import { integer, list, object, page, text, textOrNull } from '../../doors/shapes.ts'
import { balanceFields, expiringCredit, showGrant } from '../routes/account.ts'
import { keyPolicy, type ReadPolicy } from '../routes/key-policy.ts'
import {
  changeKey,
  keyFields,
  keyRevocation,
  noKey,
  revokedKey,
  revokeKey,
  showKey,
  shownKey,
} from '../routes/keys.ts'
import { confirmCents, readExpiry, requireConfirmation } from './confirmed-money.ts'
import type { Operations } from './operations.ts'
import {
  creditRefusal,
  higherRoleRefusal,
  refuseHigherRole,
  refuseOwnAccount,
  requireRoleFor,
} from './standing.ts'

export const amountCentsMax = 100_000_000
const accountsPerPageMax = 100

const newAccount = z.strictObject({
  name: z.string().max(100).optional(),
  balance_cents: z.int().min(0).max(amountCentsMax).default(0),
  confirm_cents: confirmCents,
})
const reason = z.string().min(1).max(500)
const balanceChange = z.strictObject({
  amount_cents: z.int().min(1).max(amountCentsMax),
  reason,
})
const credit = balanceChange.extend({
  confirm_cents: confirmCents,
  expires_at: z.iso
    .datetime({ offset: true })
    .describe('What is unspent of the credit at this time is taken back.')
    .optional(),
})
const freezing = z.strictObject({ reason })
const accountsQuery = z.strictObject({
  search: z.string().min(1).max(200).optional(),
  frozen: z.enum(['true', 'false']).optional(),
  cursor: z.uuid().optional(),
  limit: z.coerce.number().int().min(1).max(accountsPerPageMax).default(20),
})

interface Dependencies {
  accounts: Accounts
  keys: Keys
  ledger: Ledger
  operations: Operations
  readPolicy: ReadPolicy
  priceGroups: Pick<PriceGroups, 'of'>
  operators: Pick<Operators, 'list'>
  /** Larger amounts are given only if they are said twice. */
  confirmAboveCents: number
}

/** The newest keys beside an account. */
const keysShownMax = 200

const accountFields = {
  account_id: text,
  name: textOrNull,
  owner_email: textOrNull,
  ...balanceFields,
  live_keys: integer,
  key_prefixes: list(text),
  last_used_at: textOrNull,
  frozen_at: textOrNull,
  frozen_reason: textOrNull,
  created_at: text,
}
const available = object({ account_id: text, available_cents: integer, available_usd: text })

export const noAccount = 'There is no such account.'

export const listAccounts = defineRoute({
  method: 'get',
  path: `${operatorPrefix}/accounts`,
  who: 'operator',
  summary: 'The accounts, newest first.',
  query: accountsQuery,
  answer: page({ accounts: list(object(accountFields)) }),
})
export const createAccount = defineRoute({
  method: 'post',
  path: `${operatorPrefix}/accounts`,
  who: 'operator',
  summary: 'Open an account. Only this answer has its API key.',
  body: newAccount,
  once: true,
  status: 201,
  answer: object({ account_id: text, api_key: text, key_id: text }),
})
export const readAccountInFull = defineRoute({
  method: 'get',
  path: `${operatorPrefix}/accounts/{id}`,
  who: 'operator',
  summary: 'One account with its keys.',
  ids: { id: noAccount },
  answer: object({
    ...accountFields,
    expiring_credit: expiringCredit,
    price_group: { anyOf: [object({ price_group_id: text, name: text }), { type: 'null' }] },
    keys: list(shownKey),
    confirm_above_cents: { ...integer, description: 'Larger credits need `confirm_cents`.' },
    refusals: object({
      access: {
        ...textOrNull,
        description:
          'Why you may not freeze it or change its keys. Your role may still allow other changes.',
      },
      credit: { ...textOrNull, description: 'Why you may not credit it.' },
    }),
  }),
})
export const freezeAccount = defineRoute({
  method: 'post',
  path: `${operatorPrefix}/accounts/{id}/freeze`,
  who: 'operator',
  role: 'support',
  summary: 'Refuse all calls of an account.',
  ids: { id: noAccount },
  body: freezing,
  once: true,
  answer: object({ account_id: text, frozen: { const: true }, reason: text }),
})
export const unfreezeAccount = defineRoute({
  method: 'post',
  path: `${operatorPrefix}/accounts/{id}/unfreeze`,
  who: 'operator',
  role: 'support',
  summary: 'Admit the calls of an account again.',
  ids: { id: noAccount },
  once: true,
  answer: object({ account_id: text, frozen: { const: false } }),
})
export const creditAccount = defineRoute({
  method: 'post',
  path: `${operatorPrefix}/accounts/{id}/credit`,
  who: 'operator',
  role: 'support',
  summary: 'Add to a balance, for good or until a time.',
  ids: { id: noAccount },
  body: credit,
  once: true,
  answer: available,
})
export const debitAccount = defineRoute({
  method: 'post',
  path: `${operatorPrefix}/accounts/{id}/debit`,
  who: 'operator',
  role: 'support',
  summary: 'Take from a balance.',
  ids: { id: noAccount },
  body: balanceChange,
  once: true,
  answer: available,
})
export const createAccountKey = defineRoute({
  method: 'post',
  path: `${operatorPrefix}/accounts/{id}/keys`,
  who: 'operator',
  summary: 'Issue a key of an account. Only this answer has its secret.',
  ids: { id: noAccount },
  body: keyPolicy,
  once: true,
  status: 201,
  answer: object({ api_key: text, account_id: text, ...keyFields }),
})
export const updateAccountKey = defineRoute({
  method: 'patch',
  path: `${operatorPrefix}/accounts/{id}/keys/{keyId}`,
  who: 'operator',
  summary: 'Change the limits of a key.',
  ids: { id: noAccount, keyId: noKey },
  body: keyPolicy,
  once: true,
  answer: shownKey,
})
export const deleteAccountKey = defineRoute({
  method: 'delete',
  path: `${operatorPrefix}/accounts/{id}/keys/{keyId}`,
  who: 'operator',
  role: 'support',
  summary: 'Revoke a key. What it opened ends within a second.',
  ids: { id: noAccount, keyId: noKey },
  query: keyRevocation,
  once: true,
  answer: revokedKey,
})

export function addAdminAccountRoutes(admin: FastifyInstance, dependencies: Dependencies) {
  const { accounts, keys, ledger, operations, operators, priceGroups, confirmAboveCents } =
    dependencies
  addBalanceRoutes(admin, dependencies)
  addAccountKeyRoutes(admin, dependencies)

  addRoute(admin, createAccount, async ({ request, body: wanted }, reply) => {
    const { balance_cents: cents, confirm_cents: confirmed } = wanted
    requireConfirmation(confirmAboveCents, 'balance_cents', { cents, confirmed })
    const open = async (client: ClientBase) => {
      const { accountId } = await accounts.create({ name: wanted.name }, client)
      if (cents > 0) await ledger.credit(accountId, centsToMicros(cents), 'Opening balance', client)
      const { key, secret } = await keys.create({ accountId }, {}, client)
      return { account_id: accountId, api_key: secret, key_id: key.id }
    }
    const operation = { action: 'account.create' }
    return await operations.perform(request, reply, operation, open, (made) => made.account_id)
  })

  addRoute(admin, listAccounts, async ({ query: { search, frozen, cursor, limit } }) => {
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

  addRoute(admin, readAccountInFull, async ({ request, params: { id } }) => {
    await ledger.catchUp(id)
    const account = await accounts.summary(id)
    if (account === undefined) throw noSuchAccount()
    const newest = await keys.list(id, { limit: keysShownMax })
    return {
      ...showAccount(account),
      expiring_credit: (await ledger.grants(id)).map(showGrant),
      price_group: showGroup(await priceGroups.of(id)),
      keys: newest.map(showKey),
      confirm_above_cents: confirmAboveCents,
      refusals: {
        access: (await higherRoleRefusal(request, operators, id)) ?? null,
        credit: creditRefusal(request, id) ?? null,
      },
    }
  })

  addRoute(admin, freezeAccount, async ({ request, params, body: { reason } }, reply) => {
    const { id: subject } = params
    await refuseHigherRole(request, operators, subject)
    const operation = { action: 'account.freeze', subject }
    const answer = await operations.perform(request, reply, operation, async (client) => {
      if (!(await accounts.freeze(subject, reason, client))) throw noSuchAccount()
      return { account_id: subject, frozen: true, reason }
    })
    await untilNoLongerTrusted()
    return answer
  })
  addRoute(admin, unfreezeAccount, async ({ request, params: { id: subject } }, reply) => {
    await refuseHigherRole(request, operators, subject)
    const operation = { action: 'account.unfreeze', subject }
    return await operations.perform(request, reply, operation, async (client) => {
      if (!(await accounts.unfreeze(subject, client))) throw noSuchAccount()
      return { account_id: subject, frozen: false }
    })
  })
}

function addBalanceRoutes(
  admin: FastifyInstance,
  { accounts, ledger, operations, confirmAboveCents }: Dependencies,
) {
  /** Only accounts that pay from a balance are credited and debited: the money of a wallet is on its chain. */
  async function requireBalance(id: string): Promise<string> {
    if (await accounts.isCaller(id)) return id
    throw noSuchAccount()
  }

  addRoute(admin, creditAccount, async ({ request, params, body }, reply) => {
    const { amount_cents: cents, confirm_cents: confirmed, reason, expires_at } = body
    const expiresAt = readExpiry(expires_at)
    const id = await requireBalance(params.id)
    refuseOwnAccount(request, id)
    requireRoleFor(request, { cents, aboveCents: confirmAboveCents })
    requireConfirmation(confirmAboveCents, 'amount_cents', { cents, confirmed })
    const operation = { action: 'account.credit', subject: id }
    return await operations.perform(request, reply, operation, async (client) => {
      const micros = centsToMicros(cents)
      const available =
        expiresAt === undefined
          ? await ledger.credit(id, micros, reason, client)
          : await ledger.grant(id, { micros, reason, expiresAt }, client)
      if (available === null) throw noSuchAccount()
      return { account_id: id, ...showAmount('available', available, 'down') }
    })
  })

  addRoute(admin, debitAccount, async ({ request, params, body }, reply) => {
    const { amount_cents, reason } = body
    const id = await requireBalance(params.id)
    requireRoleFor(request, { cents: amount_cents, aboveCents: confirmAboveCents })
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
  { keys, operations, operators, readPolicy }: Dependencies,
) {
  addRoute(admin, createAccountKey, async ({ request, params, body }, reply) => {
    const { id: accountId } = params
    const policy = readPolicy(body)
    const issue = async (client: ClientBase) => {
      const { key, secret } = await keys.create({ accountId }, policy, client)
      return { api_key: secret, account_id: accountId, ...showKey(key) }
    }
    await refuseHigherRole(request, operators, accountId)
    const operation = { action: 'key.create' }
    return await operations.perform(request, reply, operation, issue, (made) => made.key_id)
  })
  addRoute(admin, updateAccountKey, async ({ request, params, body }, reply) => {
    const { id: accountId, keyId } = params
    const policy = readPolicy(body)
    await refuseHigherRole(request, operators, accountId)
    const operation = { action: 'key.change', subject: keyId }
    const answer = await operations.perform(request, reply, operation, (client) =>
      changeKey(keys, { accountId }, keyId, policy, client),
    )
    await untilNoLongerTrusted()
    return answer
  })
  addRoute(admin, deleteAccountKey, async ({ request, params, query }, reply) => {
    const { id: accountId, keyId } = params
    const withDescendants = query.descendants === 'true'
    await refuseHigherRole(request, operators, accountId)
    const operation = { action: 'key.revoke', subject: keyId }
    const answer = await operations.perform(request, reply, operation, (client) =>
      revokeKey(keys, { accountId }, { keyId, withDescendants, outer: client }),
    )
    await untilNoLongerTrusted()
    return answer
  })
}

const showGroup = (group: PriceGroup | undefined) =>
  group === undefined ? null : { price_group_id: group.id, name: group.name }

function noSuchAccount() {
  return fail('not_found', { message: noAccount })
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
