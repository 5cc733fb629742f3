// What a key has spent on anything, what its account has left, and single chats: from our own books, in the form that
// clients of model routers read.
import type { FastifyInstance } from 'fastify'
import type { Accounts } from '#accounts/accounts.ts'
import type { ApiKey, Keys } from '#accounts/keys/keys.ts'
import { z } from '#core/action.ts'
import { type AccountCaller, type Owner, ownerOf } from '#core/caller.ts'
import { fail } from '#core/errors.ts'
import { isUuid } from '#core/id.ts'
import type { Micros } from '#core/money.ts'
import type { Clock } from '#core/ports.ts'
import { chatErrorBody } from '#features/models/llm/surface/chat/error-body.ts'
import { callIdOf } from '#features/models/llm/surface/responses/response-object.ts'
import type { CallRecord, Calls } from '#runner/history/calls.ts'
import type { UsageSums } from '#runner/history/usage.ts'
import { addRoute } from '../../../doors/add-route.ts'
import { defineRoute } from '../../../doors/route.ts'
import {
  anyObject,
  integerOrNull,
  object,
  objectWith,
  text,
  textOrNull,
  truth,
} from '../../../doors/shapes.ts'

const config = { errorBody: chatErrorBody } as const
const dollars = { type: 'number' }
const dollarsOrNull = { type: ['number', 'null'] }

export const readOwnKey = defineRoute({
  method: 'get',
  path: '/api/llm/v1/key',
  who: 'account',
  summary: 'What the key in use has spent and may still spend, in dollars.',
  answer: object({
    data: objectWith(
      {
        label: text,
        usage: dollars,
        usage_daily: dollars,
        usage_weekly: dollars,
        usage_monthly: dollars,
        limit: dollarsOrNull,
        limit_remaining: dollarsOrNull,
        limit_reset: { enum: ['daily', 'monthly', null] },
        is_management_key: truth,
        rate_limit: anyObject,
      },
      { expires_at: textOrNull },
    ),
  }),
})
export const readCredits = defineRoute({
  method: 'get',
  path: '/api/llm/v1/credits',
  who: 'account',
  summary: 'What was paid in and what was spent, in dollars. The difference is left to spend.',
  answer: object({ data: object({ total_credits: dollars, total_usage: dollars }) }),
})
export const readGeneration = defineRoute({
  method: 'get',
  path: '/api/llm/v1/generation',
  who: 'account',
  summary: 'Model, tokens, times and charge of one chat.',
  query: z.strictObject({
    id: z
      .string()
      .min(1)
      .max(200)
      .describe(
        'The id in the answer of a recent chat, or the one in its header x-transaction-id.',
      ),
  }),
  answer: object({
    data: objectWith(
      { id: text, model: text, total_cost: dollars, created_at: text },
      {
        tokens_prompt: integerOrNull,
        tokens_completion: integerOrNull,
        provider_name: textOrNull,
        latency: integerOrNull,
      },
    ),
  }),
  errors: ['bad_request', 'not_found'],
})

interface Dependencies {
  readonly accounts: Pick<Accounts, 'find'>
  readonly keys: Pick<Keys, 'find'>
  readonly calls: Pick<Calls, 'find' | 'findAnswer'>
  readonly usage: Pick<UsageSums, 'ofAccount'>
  readonly clock: Clock
  readonly requestsPerMinute: number
}

/** Days of usage that are added up. No key is as old. */
const daysMax = 20_000

export function addLlmBookRoutes(server: FastifyInstance, dependencies: Dependencies) {
  const { accounts, keys, calls, usage, clock, requestsPerMinute } = dependencies

  /** Sums by day (UTC). */
  async function spentByDay(owner: Owner, since: Date) {
    const time = { from: since, until: new Date(clock.now() + 1), timeZone: 'UTC' }
    const { rows } = await usage.ofAccount(owner, { ...time, by: ['day'], limit: daysMax })
    return rows.map(({ day = '', charged, refunded }) => ({ day, micros: charged - refunded }))
  }

  async function requireKey({ accountId, keyId }: AccountCaller): Promise<ApiKey> {
    const key = await keys.find(accountId, keyId)
    if (key === undefined) throw fail('invalid_token')
    return key
  }

  addRoute(
    server,
    readOwnKey,
    async ({ caller }) => {
      const key = await requireKey(caller)
      const days = await spentByDay({ accountId: caller.accountId, keyId: key.id }, key.createdAt)
      const since = (first: string) => toUsd(sumOf(days.filter(({ day }) => day >= first)))
      const { today, monday, firstOfMonth } = periodsAt(clock.now())
      return {
        data: {
          label: key.name ?? `${key.prefix}…`,
          usage: toUsd(sumOf(days)),
          usage_daily: since(today),
          usage_weekly: since(monday),
          usage_monthly: since(firstOfMonth),
          // Callers do not bring keys of vendors.
          byok_usage: 0,
          byok_usage_daily: 0,
          byok_usage_weekly: 0,
          byok_usage_monthly: 0,
          include_byok_in_limit: false,
          ...describeLimit(key),
          is_free_tier: false,
          is_management_key: !caller.isLimited,
          is_provisioning_key: !caller.isLimited,
          expires_at: key.expiresAt?.toISOString() ?? null,
          rate_limit: { requests: requestsPerMinute, interval: '1m' },
        },
      }
    },
    { config },
  )

  addRoute(
    server,
    readCredits,
    async ({ caller }) => {
      const owner = ownerOf(caller)
      const account = await accounts.find(owner.accountId, owner.keyId)
      if (account === undefined) throw fail('invalid_token')
      const spent = sumOf(await spentByDay(owner, account.createdAt))
      const left = account.available + account.held
      return { data: { total_credits: toUsd(spent + left), total_usage: toUsd(spent) } }
    },
    { config },
  )

  addRoute(
    server,
    readGeneration,
    async ({ caller, query: { id } }) => {
      const owner = ownerOf(caller)
      const transaction = transactionOf(id)
      const named = transaction === undefined ? undefined : await calls.find(owner, transaction)
      // Some vendors name their answers by UUIDs, too.
      const call = named ?? (await calls.findAnswer(owner, id))
      const inference = call?.timeline?.inference as Inference | undefined
      if (call === undefined || inference === undefined || call.state === 'held')
        throw fail('not_found', { message: 'There is no such chat of this key, or it still runs.' })
      return { data: describeGeneration(call, inference) }
    },
    { config },
  )
}

/** As the chat writes it at its end. What is known only of an answer is absent where there is none. */
interface Inference {
  readonly requested: string
  readonly model?: string
  readonly upstream?: string
  readonly answer_id?: string
  readonly prompt_tokens?: number
  readonly completion_tokens?: number
  readonly cached_tokens?: number
  readonly ending?: string
  readonly stream: boolean
  readonly latency_ms: number
  readonly first_token_ms?: number | null
}

/** Ids of answers that the gateway made hold their transaction. */
function transactionOf(id: string): string | undefined {
  const bare = id.replace(/^(?:msg_|chatcmpl-)/, '')
  return isUuid(bare) ? bare : callIdOf(id)
}

const apiTypes: Readonly<Record<string, string>> = { 'llm/chat': 'completions' }

function describeGeneration(call: CallRecord, inference: Inference) {
  const { latency_ms: totalMs, first_token_ms: firstMs = null } = inference
  const { prompt_tokens = null, completion_tokens = null, cached_tokens = null } = inference
  const cost = toUsd(call.charged)
  return {
    id: call.id,
    upstream_id: inference.answer_id ?? null,
    api_type: apiTypes[call.action] ?? call.action.split('/')[1] ?? null,
    model: inference.model ?? inference.requested,
    provider_name: inference.upstream ?? null,
    created_at: call.createdAt.toISOString(),
    streamed: inference.stream,
    cancelled: inference.ending === 'client_gone' || call.error === 'client_closed_request',
    // Reasons are not kept. An answer that broke off is charged nothing.
    finish_reason: call.error === null ? null : 'error',
    native_finish_reason: null,
    total_cost: cost,
    usage: cost,
    cache_discount: null,
    upstream_inference_cost: null,
    is_byok: false,
    tokens_prompt: prompt_tokens,
    tokens_completion: completion_tokens,
    native_tokens_prompt: prompt_tokens,
    native_tokens_completion: completion_tokens,
    native_tokens_cached: cached_tokens,
    native_tokens_reasoning: null,
    latency: firstMs ?? totalMs,
    generation_time: totalMs - (firstMs ?? 0),
    moderation_latency: null,
    num_media_prompt: null,
    num_media_completion: null,
    num_search_results: null,
    origin: '',
    app_id: null,
    external_user: null,
    router: inference.requested === inference.model ? null : inference.requested,
  }
}

/** The limit of which the least is left. */
function describeLimit(key: ApiKey) {
  const limits = [
    { reset: 'daily', most: key.dayMicrosMax, spent: key.daySpent },
    { reset: 'monthly', most: key.monthMicrosMax, spent: key.monthSpent },
  ].flatMap(({ reset, most, spent }) =>
    most === null ? [] : [{ reset, most, left: Math.max(0, most - spent) }],
  )
  const [tightest] = limits.toSorted((one, other) => one.left - other.left)
  return {
    limit: tightest === undefined ? null : toUsd(tightest.most),
    limit_remaining: tightest === undefined ? null : toUsd(tightest.left),
    limit_reset: tightest?.reset ?? null,
  }
}

const toUsd = (micros: Micros) => micros / 1_000_000

const sumOf = (days: readonly { readonly micros: Micros }[]) =>
  days.reduce((all, { micros }) => all + micros, 0)

/** The first days of the periods that are under way, in UTC. Weeks begin on Monday. */
function periodsAt(nowMs: number) {
  const now = new Date(nowMs)
  const day = (date: number) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), date)).toISOString().slice(0, 10)
  return {
    today: day(now.getUTCDate()),
    monday: day(now.getUTCDate() - ((now.getUTCDay() + 6) % 7)),
    firstOfMonth: day(1),
  }
}
