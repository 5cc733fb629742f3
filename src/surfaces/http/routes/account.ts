// /api/v1/account and /transactions: what an account or a wallet can read about itself.
import type { FastifyInstance } from 'fastify'
import type { Accounts } from '#accounts/accounts.ts'
import type { Keys } from '#accounts/keys/keys.ts'
import { type Caller, ownerOf } from '#core/caller.ts'
import { fail } from '#core/errors.ts'
import { isUuid } from '#core/id.ts'
import type { Ledger } from '#money/ledger/ledger.ts'
import type { Payments } from '#money/payments/payments.ts'
import type { Calls } from '#runner/history/calls.ts'
import type { JobList } from '#runner/history/job-list.ts'
import type { Statement } from '#runner/history/statement.ts'
import type { Keyless } from '#runner/keyless/keyless.ts'
import { readInput, showAmount } from '../input.ts'
import { createOwnerCheck } from '../owner.ts'
import type { SessionDirectory } from '../session-directory.ts'
import { showKey } from './keys.ts'
import { showSession } from './sessions.ts'
import {
  readFilter,
  showPage,
  showTransaction,
  showWhole,
  transactionsFilter,
  transactionsQuery,
} from './transaction-rows.ts'
import { sendCsv } from './transactions-csv.ts'

interface Possessions {
  accounts: Accounts
  keys: Keys
  ledger: Ledger
  jobs: JobList
  directory: Pick<SessionDirectory, 'list'>
  limits: object
}

const sessionsShownMax = 20
const jobsShownMax = 100

/** Shows the balance, holds, limits, running jobs and open sessions of an account or a wallet. Throws `not_found`. */
export type DescribeAccount = (caller: Caller) => Promise<object>

export function createAccountDescription({
  accounts,
  keys,
  ledger,
  jobs: jobList,
  directory,
  limits,
}: Possessions): DescribeAccount {
  return async (caller) => {
    const { accountId } = caller
    await ledger.catchUp(accountId)
    const owner = ownerOf(caller)
    const [account, jobs, sessions] = await Promise.all([
      accounts.find(accountId, owner.keyId),
      jobList.list(owner, { state: 'held', limit: jobsShownMax }),
      directory.list(owner, { limit: sessionsShownMax, live: true }),
    ])
    if (account === undefined) throw fail('not_found')
    const key = caller.kind === 'account' ? await keys.find(accountId, caller.keyId) : undefined
    return {
      account_id: account.id,
      name: account.name,
      ...showAmount('balance', account.available + account.held, 'down'),
      ...showAmount('held', account.held, 'up'),
      ...showAmount('available', account.available, 'down'),
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

export function addAccountRoutes(
  server: FastifyInstance,
  dependencies: {
    describeAccount: DescribeAccount
    calls: Calls
    statement: Statement
    keyless: Keyless
    payments: Pick<Payments, 'refundOf'>
  },
) {
  const { describeAccount, calls, statement, keyless, payments } = dependencies

  const requireOwner = createOwnerCheck(server, keyless)

  server.get('/api/v1/account', async (request) => describeAccount(await requireOwner(request)))

  server.get('/api/v1/transactions', async (request) => {
    const owner = ownerOf(await requireOwner(request))
    const query = readInput(transactionsQuery, request.query)
    return showPage(await statement.list(owner, readFilter(query)), query.limit)
  })

  server.get('/api/v1/transactions.csv', async (request, reply) => {
    const owner = ownerOf(await requireOwner(request))
    const filter = readFilter(readInput(transactionsFilter, request.query))
    return await sendCsv(reply, { statement, owner, filter, show: showTransaction })
  })

  server.get<{ Params: { id: string } }>('/api/v1/transactions/:id', async (request) => {
    const owner = ownerOf(await requireOwner(request))
    const { id } = request.params
    const found = isUuid(id)
      ? ((await calls.find(owner, id)) ?? (await statement.findEntry(owner, id)))
      : undefined
    if (found === undefined) throw fail('not_found', { message: 'There is no such transaction.' })
    return showWhole(found, await payments.refundOf(id))
  })
}
