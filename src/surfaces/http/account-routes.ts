// /api/v1: an account's own view of itself and its transactions.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Accounts } from '#accounts/accounts.ts'
import type { Keys } from '#accounts/keys.ts'
import { z } from '#core/action.ts'
import { type Caller, ownerOf } from '#core/caller.ts'
import { fail } from '#core/errors.ts'
import { isUuid } from '#core/id.ts'
import type { Ledger } from '#money/ledger/ledger.ts'
import type { CallRecord, Calls } from '#runner/calls.ts'
import type { Keyless } from '#runner/keyless.ts'
import { readInput, showAmount } from './input.ts'
import { showKey } from './key-routes.ts'
import { digestBody, readPayment } from './payment.ts'
import { requireCaller } from './server.ts'

const transactionsPerPageMax = 100

const transactionsQuery = z.strictObject({
  action: z.string().optional(),
  status: z.enum(['running', 'succeeded', 'failed']).optional(),
  from: z.iso.datetime({ offset: true }).optional(),
  until: z.iso.datetime({ offset: true }).optional(),
  cursor: z.uuid().optional(),
  limit: z.coerce.number().int().min(1).max(transactionsPerPageMax).default(20),
})

const statusOfState = { held: 'running', settled: 'succeeded', voided: 'failed' } as const
const stateOfStatus = { running: 'held', succeeded: 'settled', failed: 'voided' } as const

export function addAccountRoutes(
  server: FastifyInstance,
  room: {
    accounts: Accounts
    keys: Keys
    calls: Calls
    ledger: Ledger
    keyless: Keyless
    limits: object
  },
) {
  const { accounts, keys, calls, ledger, keyless } = room

  /** What is read here belongs to an account, or to a wallet that proves that it is that wallet. */
  async function requireOwner(request: FastifyRequest): Promise<Caller> {
    if (request.caller !== undefined || keyless.rails.length === 0) return requireCaller(request)
    const [path = ''] = request.url.split('?')
    return await keyless.identify({
      path,
      bodyDigest: digestBody(request.bodyText),
      payment: readPayment(request),
    })
  }

  server.get('/api/v1/account', async (request) => {
    const caller = await requireOwner(request)
    const { accountId } = caller
    await ledger.catchUp(accountId)
    const account = await accounts.find(accountId, ownerOf(caller).keyId)
    if (account === undefined) throw fail('not_found')
    const key = caller.kind === 'account' ? await keys.find(accountId, caller.keyId) : undefined
    return {
      account_id: account.id,
      name: account.name,
      ...showAmount('balance', account.available + account.held, 'down'),
      ...showAmount('held', account.held, 'up'),
      ...showAmount('available', account.available, 'down'),
      calls_in_flight: account.inFlight,
      limits: room.limits,
      ...(key === undefined ? {} : { key: showKey(key) }),
      created_at: account.createdAt,
    }
  })

  server.get('/api/v1/transactions', async (request) => {
    const owner = ownerOf(await requireOwner(request))
    const { action, status, from, until, cursor, limit } = readInput(
      transactionsQuery,
      request.query,
    )
    const found = await calls.list(owner, {
      action,
      state: status && stateOfStatus[status],
      from: from === undefined ? undefined : new Date(from),
      until: until === undefined ? undefined : new Date(until),
      after: cursor,
      limit: limit + 1,
    })
    const page = found.slice(0, limit)
    return {
      transactions: page.map(showTransaction),
      next_cursor: found.length > limit ? (page.at(-1)?.id ?? null) : null,
    }
  })

  server.get<{ Params: { id: string } }>('/api/v1/transactions/:id', async (request) => {
    const owner = ownerOf(await requireOwner(request))
    const call = isUuid(request.params.id) ? await calls.find(owner, request.params.id) : undefined
    if (call === undefined) throw fail('not_found', { message: 'There is no such transaction.' })
    return {
      ...showTransaction(call),
      timeline: showTimeline(call),
      ...(call.timeline?.inference === undefined ? {} : { inference: call.timeline.inference }),
      output: call.output === null ? null : JSON.parse(call.output),
    }
  })
}

function showTransaction(call: CallRecord) {
  return {
    transaction_id: call.id,
    action: call.action,
    status: statusOfState[call.state],
    ...showAmount('charged', call.charged, 'up'),
    key_id: call.keyId,
    idempotency_key: call.idempotencyKey,
    ...(call.error === null ? {} : { error: call.error, message: call.message }),
    created_at: call.createdAt,
    ended_at: call.endedAt,
  }
}

/** What happened to the money and who was asked, in order. */
function showTimeline(call: CallRecord) {
  const hops = call.timeline?.hops ?? []
  const held = { event: 'hold', at: call.createdAt, ...showAmount('amount', call.held, 'up') }
  const asked = hops.map((hop) => ({ event: 'hop', ...hop }))
  if (call.endedAt === null) return [held, ...asked]
  const ended = call.state === 'settled' ? 'settle' : 'void'
  return [
    held,
    ...asked,
    { event: ended, at: call.endedAt, ...showAmount('amount', call.charged, 'up') },
  ]
}
