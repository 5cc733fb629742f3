// /api/v1: an account's own view of itself, its keys and its transactions.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Accounts } from '#accounts/accounts.ts'
import type { ApiKey, Keys } from '#accounts/keys.ts'
import { z } from '#core/action.ts'
import type { Caller } from '#core/caller.ts'
import { fail } from '#core/errors.ts'
import { isUuid } from '#core/id.ts'
import { centsToMicros, microsToCents } from '#core/money.ts'
import type { Ledger } from '#money/ledger/ledger.ts'
import type { CallRecord, Calls } from '#runner/calls.ts'
import type { Keyless } from '#runner/keyless.ts'
import { readInput, showAmount } from './input.ts'
import { digestBody, readPayment } from './payment.ts'
import { requireCaller } from './server.ts'

const transactionsPerPageMax = 100
const keysPerAccountMax = 100

const cents = z.int().min(0).max(100_000_000)
const newKey = z.strictObject({
  name: z.string().max(100).optional(),
  max_cents_per_call: cents.optional(),
  max_cents_per_day: cents.optional(),
  max_cents_per_month: cents.optional(),
  actions: z
    .array(
      z.string().regex(/^[a-z0-9_]+\/([A-Za-z0-9_-]+|\*)$/, 'must be service/action or service/*'),
    )
    .min(1)
    .max(100)
    .optional(),
  expires_at: z.iso.datetime({ offset: true }).optional(),
})

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
    const { accountId } = await requireOwner(request)
    await ledger.catchUp(accountId)
    const account = await accounts.find(accountId)
    if (account === undefined) throw fail('not_found')
    return {
      account_id: account.id,
      name: account.name,
      ...showAmount('balance', account.available + account.held, 'down'),
      ...showAmount('held', account.held, 'up'),
      ...showAmount('available', account.available, 'down'),
      calls_in_flight: account.inFlight,
      limits: room.limits,
      created_at: account.createdAt,
    }
  })

  server.post('/api/v1/keys', async (request, reply) => {
    const { accountId } = requireCaller(request)
    const wanted = readInput(newKey, request.body)
    const live = (await keys.list(accountId)).filter((key) => key.revokedAt === null)
    if (live.length >= keysPerAccountMax) {
      throw fail('bad_request', {
        message: `An account has at most ${keysPerAccountMax} keys. Revoke one first.`,
      })
    }
    const { key, secret } = await keys.create(accountId, {
      name: wanted.name,
      callMicrosMax: toMicros(wanted.max_cents_per_call),
      dayMicrosMax: toMicros(wanted.max_cents_per_day),
      monthMicrosMax: toMicros(wanted.max_cents_per_month),
      actions: wanted.actions,
      expiresAt: wanted.expires_at === undefined ? undefined : new Date(wanted.expires_at),
    })
    reply.code(201).header('cache-control', 'no-store')
    return { api_key: secret, ...showKey(key) }
  })

  server.get('/api/v1/keys', async (request) => ({
    keys: (await keys.list(requireCaller(request).accountId)).map(showKey),
  }))

  server.delete<{ Params: { id: string } }>('/api/v1/keys/:id', async (request) => {
    const { accountId } = requireCaller(request)
    const { id } = request.params
    if (!isUuid(id) || !(await keys.revoke(accountId, id)))
      throw fail('not_found', { message: 'There is no such key.' })
    return { key_id: id, revoked: true }
  })

  server.get('/api/v1/transactions', async (request) => {
    const { accountId } = await requireOwner(request)
    const { action, status, from, until, cursor, limit } = readInput(
      transactionsQuery,
      request.query,
    )
    const found = await calls.list(accountId, {
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
    const { accountId } = await requireOwner(request)
    const call = isUuid(request.params.id)
      ? await calls.find(accountId, request.params.id)
      : undefined
    if (call === undefined) throw fail('not_found', { message: 'There is no such transaction.' })
    return {
      ...showTransaction(call),
      timeline: showTimeline(call),
      ...(call.timeline?.inference === undefined ? {} : { inference: call.timeline.inference }),
      output: call.output === null ? null : JSON.parse(call.output),
    }
  })
}

function toMicros(amountCents: number | undefined) {
  return amountCents === undefined ? undefined : centsToMicros(amountCents)
}

function showKey(key: ApiKey) {
  const limit = (micros: number | null) => (micros === null ? null : microsToCents(micros, 'down'))
  return {
    key_id: key.id,
    prefix: key.prefix,
    name: key.name,
    max_cents_per_call: limit(key.callMicrosMax),
    max_cents_per_day: limit(key.dayMicrosMax),
    max_cents_per_month: limit(key.monthMicrosMax),
    actions: key.actions,
    expires_at: key.expiresAt,
    revoked_at: key.revokedAt,
    created_at: key.createdAt,
  }
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
