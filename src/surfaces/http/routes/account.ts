// /api/v1/account and /transactions: what an account or a wallet can read about itself.
import type { FastifyInstance } from 'fastify'
import type { Accounts } from '#accounts/accounts.ts'
import type { Keys } from '#accounts/keys/keys.ts'
import { ownerOf } from '#core/caller.ts'
import { fail } from '#core/errors.ts'
import { microsToUsd } from '#core/money.ts'
import type { CreditGrant } from '#money/ledger/grants.ts'
import type { Ledger } from '#money/ledger/ledger.ts'
import type { Payments } from '#money/payments/payments.ts'
import type { Calls } from '#runner/history/calls.ts'
import type { JobList } from '#runner/history/job-list.ts'
import type { Statement } from '#runner/history/statement.ts'
import type { SessionRegistry } from '#runner/sessions/registry.ts'
import { addRoute } from '../../doors/add-route.ts'
import { showAmount } from '../../doors/input.ts'
import type { DescribeAccount } from '../../doors/reading.ts'
import { defineRoute } from '../../doors/route.ts'
import {
  anyObject,
  integer,
  list,
  object,
  objectWith,
  page,
  text,
  textOrNull,
} from '../../doors/shapes.ts'
import { showSession } from '../../doors/show-session.ts'
import { showKey, shownKey } from './keys.ts'
import { shownSession } from './sessions.ts'
import {
  inference,
  readFilter,
  shownTransaction,
  showPage,
  showTransaction,
  showWhole,
  timelineEvent,
  traceExtras,
  transactionExtras,
  transactionFields,
  transactionsFilter,
  transactionsQuery,
} from './transaction-rows.ts'
import { sendCsv } from './transactions-csv.ts'

interface Possessions {
  accounts: Accounts
  keys: Keys
  ledger: Ledger
  jobs: JobList
  registry: Pick<SessionRegistry, 'list'>
  limits: object
}

const sessionsShownMax = 20
const jobsShownMax = 100

export function createAccountDescription({
  accounts,
  keys,
  ledger,
  jobs: jobList,
  registry,
  limits,
}: Possessions): DescribeAccount {
  return async (caller) => {
    const { accountId } = caller
    await ledger.catchUp(accountId)
    const owner = ownerOf(caller)
    const [account, grants, jobs, sessions] = await Promise.all([
      accounts.find(accountId, owner.keyId),
      ledger.grants(accountId),
      jobList.list(owner, { state: 'held', limit: jobsShownMax }),
      registry.list(owner, { limit: sessionsShownMax, live: true }),
    ])
    if (account === undefined) throw fail('not_found')
    const key = caller.kind === 'account' ? await keys.find(accountId, caller.keyId) : undefined
    return {
      account_id: account.id,
      name: account.name,
      ...showAmount('balance', account.available + account.held, 'down'),
      ...showAmount('held', account.held, 'up'),
      ...showAmount('available', account.available, 'down'),
      expiring_credit: grants.map(showGrant),
      calls_in_flight: account.inFlight,
      running_jobs: jobs.map(({ id, action, createdAt }) => ({
        job_id: id,
        action,
        created_at: createdAt,
      })),
      open_sessions: sessions.map((session) => showSession(session)),
      limits,
      ...(key === undefined ? {} : { key: showKey(key) }),
      created_at: account.createdAt,
    }
  }
}

export const expiringCredit = {
  ...list(object({ granted_usd: text, left_usd: text, reason: text, expires_at: text })),
  description: 'Credit that expires, in the order in which it is spent.',
}

/** Not rounded: it is a part of the balance. */
export const showGrant = ({ granted, left, reason, expiresAt }: CreditGrant) => ({
  granted_usd: microsToUsd(granted),
  left_usd: microsToUsd(left),
  reason,
  expires_at: expiresAt,
})

export const balanceFields = {
  balance_cents: integer,
  balance_usd: text,
  held_cents: integer,
  held_usd: text,
  available_cents: integer,
  available_usd: text,
  calls_in_flight: integer,
}

export const readAccount = defineRoute({
  method: 'get',
  path: '/api/v1/account',
  who: 'owner',
  summary:
    'Read the balance, when credit expires, limits, running jobs and open sessions, and the key in use.',
  answer: objectWith(
    {
      account_id: text,
      name: textOrNull,
      ...balanceFields,
      expiring_credit: expiringCredit,
      running_jobs: list(object({ job_id: text, action: text, created_at: text })),
      open_sessions: list(shownSession),
      limits: anyObject,
      created_at: text,
    },
    { key: shownKey },
  ),
})
export const listTransactions = defineRoute({
  method: 'get',
  path: '/api/v1/transactions',
  who: 'owner',
  summary: 'The statement of the account, newest first.',
  query: transactionsQuery,
  answer: page({ transactions: list(shownTransaction) }),
  errors: ['bad_request'],
})
export const exportTransactions = defineRoute({
  method: 'get',
  path: '/api/v1/transactions.csv',
  who: 'owner',
  summary: 'The statement of the account as CSV, newest first.',
  query: transactionsFilter,
  type: 'text/csv',
  errors: ['bad_request'],
})
export const noTransaction = 'There is no such transaction.'

export const readTransaction = defineRoute({
  method: 'get',
  path: '/api/v1/transactions/{id}',
  who: 'owner',
  summary: 'One transaction with its timeline and output.',
  ids: { id: noTransaction },
  answer: objectWith(
    { ...transactionFields, timeline: list(timelineEvent), output: {} },
    {
      ...transactionExtras,
      ...traceExtras,
      inference,
      output_until: { ...text, description: 'Until then tollway/result returns the output.' },
    },
  ),
  errors: ['not_found'],
})

export function addAccountRoutes(
  server: FastifyInstance,
  dependencies: {
    describeAccount: DescribeAccount
    calls: Calls
    statement: Statement
    payments: Pick<Payments, 'refundOf'>
    accounts: Pick<Accounts, 'find'>
    keys: Pick<Keys, 'names'>
  },
) {
  const { describeAccount, calls, statement, payments, accounts, keys } = dependencies

  addRoute(server, readAccount, ({ caller }) => describeAccount(caller))

  addRoute(server, listTransactions, async ({ caller, query }) =>
    showPage(await statement.list(ownerOf(caller), readFilter(query)), query.limit),
  )

  addRoute(server, exportTransactions, ({ caller, query }, reply) => {
    const filter = readFilter(query)
    const owner = ownerOf(caller)
    /** Not the address of its owner, which a key does not read. */
    const nameOwn = async () => {
      const name = (await accounts.find(owner.accountId))?.name
      return new Map(name ? [[owner.accountId, name]] : [])
    }
    const names = { accounts: { names: nameOwn }, keys }
    return sendCsv(reply, { statement, owner, filter, show: showTransaction, names })
  })

  addRoute(server, readTransaction, async ({ caller, params: { id } }) => {
    const owner = ownerOf(caller)
    const found = (await calls.find(owner, id)) ?? (await statement.findEntry(owner, id))
    if (found === undefined) throw fail('not_found', { message: noTransaction })
    return showWhole(found, await payments.refundOf(id))
  })
}
