// The addresses at which an account reads its balance, keys, transactions and usage.
import { jobsQuery } from '../http/routes/jobs.ts'
import { keyPolicy } from '../http/routes/key-policy.ts'
import { keyRevocation, keysQuery } from '../http/routes/keys.ts'
import { transactionsFilter, transactionsQuery } from '../http/routes/transaction-rows.ts'
import { usageQuery } from '../http/routes/usage.ts'
import {
  anyObject,
  type Described,
  integer,
  integerOrNull,
  list,
  type Method,
  object,
  objectWith,
  text,
  textOrNull,
} from './described.ts'
import { session } from './session-routes.ts'

export const balanceFields = {
  balance_cents: integer,
  balance_usd: text,
  held_cents: integer,
  held_usd: text,
  available_cents: integer,
  available_usd: text,
  calls_in_flight: integer,
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
  expires_at: textOrNull,
  spending: object({ day: spending, month: spending }),
  last_used_at: textOrNull,
  revoked_at: textOrNull,
  created_at: text,
}
export const key = object(keyFields)
export const revokedKey = object({
  key_id: text,
  revoked: { const: true },
  also_revoked: list(text),
})
const job = objectWith(
  {
    job_id: text,
    action: text,
    state: { enum: ['running', 'succeeded', 'failed'] },
    progress: {
      type: ['object', 'null'],
      properties: { phase: text, percent: integer, done: integer, total: integer },
    },
    held_cents: integer,
    held_usd: text,
    charged_cents: integer,
    charged_usd: text,
    created_at: text,
    ended_at: textOrNull,
  },
  { error: text, message: textOrNull },
)
export const transactionFields = {
  transaction_id: text,
  type: { enum: ['call', 'credit', 'debit', 'topup'] },
  action: textOrNull,
  status: { enum: ['running', 'succeeded', 'failed'] },
  amount_cents: integer,
  amount_usd: text,
  charged_cents: integer,
  charged_usd: text,
  key_id: textOrNull,
  idempotency_key: textOrNull,
  created_at: text,
  ended_at: textOrNull,
}
/** Of calls that failed, and of credits, debits and top-ups. */
export const transactionExtras = {
  error: text,
  message: text,
  reason: textOrNull,
  paid_by_transaction_id: text,
}
const transaction = objectWith(transactionFields, transactionExtras)
/** A hop has the fields of what was asked; the other events have an amount. */
export const timelineEvent = objectWith(
  { event: { enum: ['hold', 'hop', 'settle', 'void', 'refund_due', 'refund'] } },
  {
    at: text,
    amount_cents: integer,
    amount_usd: text,
    provider: text,
    action: text,
    ok: { type: 'boolean' },
    charged_cents: { type: 'number' },
    latency_ms: { type: 'number' },
    skipped: text,
    state: text,
    transaction: textOrNull,
  },
)
/** How the answer of a language model ended. */
const inference = object({ ending: { enum: ['complete', 'client_gone', 'broken'] } })
/** `more`: what only the operator sees. */
export const health = (more: Record<string, object> = {}) =>
  objectWith(
    {
      action: text,
      status: { enum: ['healthy', 'degraded', 'failing', 'unknown', 'unavailable'] },
      p50_ms: integerOrNull,
      p95_ms: integerOrNull,
      ...more,
    },
    { reason: { ...text, description: 'Why it is unavailable.' } },
  )
export const usageFields = {
  calls: integer,
  failed_calls: integer,
  charged_cents: integer,
  charged_usd: text,
  refunded_cents: integer,
  refunded_usd: text,
}
/** What a row of sums is about. */
export const usageGroups = {
  day: text,
  service: text,
  action: text,
  key_id: textOrNull,
  error: textOrNull,
}
const usageRow = objectWith(usageFields, usageGroups)

export const accountRoutes: Record<string, Partial<Record<Method, Described>>> = {
  '/api/v1/account': {
    get: {
      summary: 'Read the balance, limits, running jobs and open sessions, and the key in use.',
      security: 'apiKey',
      answer: objectWith(
        {
          account_id: text,
          name: textOrNull,
          ...balanceFields,
          running_jobs: list(object({ job_id: text, action: text, created_at: text })),
          open_sessions: list(session),
          limits: anyObject,
          created_at: text,
        },
        { key },
      ),
    },
  },
  '/api/v1/keys': {
    get: {
      summary: 'The keys of the account, newest first. A limited key sees only itself.',
      security: 'apiKey',
      query: keysQuery,
      answer: object({ keys: list(key), next_cursor: textOrNull }),
      errors: ['bad_request'],
    },
    post: {
      summary: 'Issue a key. Only this answer has its secret.',
      security: 'apiKey',
      body: keyPolicy,
      once: true,
      status: 201,
      answer: object({ api_key: text, ...keyFields }),
      errors: ['bad_request', 'forbidden'],
    },
  },
  '/api/v1/keys/{id}': {
    get: { summary: 'Read a key.', security: 'apiKey', answer: key, errors: ['not_found'] },
    patch: {
      summary: 'Change the limits of a key. Null removes a limit.',
      security: 'apiKey',
      body: keyPolicy,
      answer: key,
      errors: ['bad_request', 'forbidden', 'not_found'],
    },
    delete: {
      summary: 'Revoke a key. What it opened ends within a second.',
      security: 'apiKey',
      query: keyRevocation,
      answer: revokedKey,
      errors: ['forbidden', 'not_found'],
    },
  },
  '/api/v1/jobs': {
    get: {
      summary:
        'The jobs of the account: those that run first, then those that have ended, each newest first.',
      security: 'apiKey',
      query: jobsQuery,
      answer: object({ jobs: list(job), next_cursor: textOrNull }),
      errors: ['bad_request'],
    },
  },
  '/api/v1/transactions': {
    get: {
      summary: 'The statement of the account, newest first.',
      security: 'apiKey',
      query: transactionsQuery,
      answer: object({ transactions: list(transaction), next_cursor: textOrNull }),
      errors: ['bad_request'],
    },
  },
  '/api/v1/transactions.csv': {
    get: {
      summary: 'The statement of the account as CSV, newest first.',
      security: 'apiKey',
      query: transactionsFilter,
      type: 'text/csv',
      errors: ['bad_request'],
    },
  },
  '/api/v1/transactions/{id}': {
    get: {
      summary: 'One transaction with its timeline and output.',
      security: 'apiKey',
      answer: objectWith(
        { ...transactionFields, timeline: list(timelineEvent), output: {} },
        {
          ...transactionExtras,
          inference,
          output_until: { ...text, description: 'Until then tollway/result returns the output.' },
        },
      ),
      errors: ['not_found'],
    },
  },
  '/api/v1/health': {
    get: {
      summary:
        'Which actions work: how their calls of the last day have ended, and how long successful ones took.',
      security: 'apiKey',
      answer: object({ actions: list(health()) }),
    },
  },
  '/api/v1/usage': {
    get: {
      summary:
        'What calls have cost: sums of the calls that began in a time and have ended, by day, service, action or key.',
      security: 'apiKey',
      query: usageQuery,
      answer: object({
        from: text,
        until: text,
        time_zone: text,
        rows: list(usageRow),
        total: object(usageFields),
      }),
      errors: ['bad_request'],
    },
  },
}
