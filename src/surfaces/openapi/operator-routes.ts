// The addresses of the operator. They are not in the public document; the clients are typed from them.
import { accountsQuery, balanceChange, freezing, newAccount } from '../http/admin/accounts.ts'
import { allTransactionsFilter, allTransactionsQuery } from '../http/admin/books.ts'
import { quota } from '../http/admin/files.ts'
import { repairBody } from '../http/admin/ledger.ts'
import { auditQuery } from '../http/admin/operations.ts'
import { purchaseResolution, treasuryQuery } from '../http/admin/payments.ts'
import { keyPolicy } from '../http/routes/key-policy.ts'
import { keyRevocation } from '../http/routes/keys.ts'
import { sessionsQuery } from '../http/routes/sessions.ts'
import { revenueQuery } from '../http/routes/usage.ts'
import {
  balanceFields,
  health,
  keyFields,
  revokedKey,
  timelineEvent,
  transactionExtras,
  transactionFields,
  usageGroups,
} from './account-routes.ts'
import {
  anyObject,
  type Described,
  integer,
  list,
  type Method,
  object,
  objectWith,
  text,
  textOrNull,
} from './described.ts'
import {
  durations,
  margin,
  operatedProvider,
  paymentsInProgress,
  readHost,
  treasuryReport,
} from './operator-shapes.ts'
import { priceRoutes } from './price-routes.ts'
import { sessionExtras, sessionFields } from './session-routes.ts'

type Routes = Record<string, Partial<Record<Method, Described>>>

const truth = { type: 'boolean' }
const prefix = '/api/v1/admin'
const page = (rows: Record<string, object>) => object({ ...rows, next_cursor: textOrNull })

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
const key = object(keyFields)
const problem = object({ rule: text, subject: text, found: text, expected: text })
const stored = object({
  account_id: text,
  files: integer,
  used_bytes: integer,
  quota_bytes: integer,
  quota_from: { enum: ['account', 'setting'] },
})

const accountRoutes: Routes = {
  '/accounts': {
    get: {
      summary: 'The accounts, newest first.',
      query: accountsQuery,
      answer: page({ accounts: list(object(accountFields)) }),
    },
    post: {
      summary: 'Open an account. Only this answer has its API key.',
      body: newAccount,
      once: true,
      status: 201,
      answer: object({ account_id: text, api_key: text, key_id: text }),
    },
  },
  '/accounts/{id}': {
    get: {
      summary: 'One account with its keys.',
      answer: object({ ...accountFields, keys: list(key) }),
    },
  },
  '/accounts/{id}/freeze': {
    post: {
      summary: 'Refuse all calls of an account.',
      body: freezing,
      once: true,
      answer: object({ account_id: text, frozen: { const: true }, reason: text }),
    },
  },
  '/accounts/{id}/unfreeze': {
    post: {
      summary: 'Admit the calls of an account again.',
      once: true,
      answer: object({ account_id: text, frozen: { const: false } }),
    },
  },
  '/accounts/{id}/credit': {
    post: { summary: 'Add to a balance.', body: balanceChange, once: true, answer: available },
  },
  '/accounts/{id}/debit': {
    post: { summary: 'Take from a balance.', body: balanceChange, once: true, answer: available },
  },
  '/accounts/{id}/keys': {
    post: {
      summary: 'Issue a key of an account. Only this answer has its secret.',
      body: keyPolicy,
      once: true,
      status: 201,
      answer: object({ api_key: text, account_id: text, ...keyFields }),
    },
  },
  '/accounts/{id}/keys/{keyId}': {
    patch: { summary: 'Change the limits of a key.', body: keyPolicy, once: true, answer: key },
    delete: {
      summary: 'Revoke a key. What it opened ends within a second.',
      query: keyRevocation,
      once: true,
      answer: revokedKey,
    },
  },
  '/accounts/{id}/files': {
    get: { summary: 'How much an account stores, and may store.', answer: stored },
    patch: {
      summary: 'Change how much an account may store. Null restores the setting.',
      body: quota,
      once: true,
      answer: stored,
    },
  },
}

const payment = object({
  protocol: text,
  payee: textOrNull,
  usd: text,
  chain_reference: textOrNull,
  sent_at: text,
  answered_at: textOrNull,
  receipt: {},
})
const transaction = objectWith(
  { account_id: text, ...transactionFields },
  {
    ...transactionExtras,
    cost_usd: { ...textOrNull, description: 'What the provider reports. Null if it reports none.' },
  },
)

const moneyRoutes: Routes = {
  '/transactions': {
    get: {
      summary: 'The transactions of all accounts, newest first.',
      query: allTransactionsQuery,
      answer: page({ transactions: list(transaction) }),
    },
  },
  '/transactions.csv': {
    get: {
      summary: 'The transactions of all accounts as CSV, newest first.',
      query: allTransactionsFilter,
      type: 'text/csv',
    },
  },
  '/transactions/{id}': {
    get: {
      summary: 'One transaction with its timeline, its output and what was paid to sellers.',
      answer: {
        ...transaction,
        properties: {
          ...transaction.properties,
          timeline: list(timelineEvent),
          output: {},
          payments: list(payment),
        },
      },
    },
  },
  '/revenue': {
    get: {
      summary: 'Income, cost and margin: sums of the calls of all accounts.',
      query: revenueQuery,
      answer: object({
        from: text,
        until: text,
        time_zone: text,
        rows: list(objectWith(margin, { ...usageGroups, ...durations })),
        total: object(margin),
      }),
    },
  },
  '/payments': {
    get: {
      summary: 'The payment rails, and the payments and refunds that are not on their chain yet.',
      answer: paymentsInProgress,
    },
  },
  '/treasury': {
    get: { summary: 'The books against the chain.', query: treasuryQuery, answer: treasuryReport },
  },
  '/purchases': {
    get: {
      summary: 'Orders that a seller may or may not have taken.',
      answer: object({
        purchases: list(
          object({
            transaction_id: text,
            account_id: text,
            action: text,
            reference: textOrNull,
            idempotency_key: textOrNull,
            held_cents: integer,
            held_usd: text,
            doubt: textOrNull,
            started_at: text,
            payments: list(payment),
          }),
        ),
      }),
    },
  },
  '/purchases/{id}': {
    post: {
      summary: 'Decide about an order in doubt: charge its caller, or void it.',
      body: purchaseResolution,
      once: true,
      answer: object({
        transaction_id: text,
        outcome: { enum: ['charge', 'void'] },
        charged_cents: integer,
        charged_usd: text,
      }),
    },
  },
  '/ledger/verify': {
    get: {
      summary: 'Check the rules of the ledger.',
      answer: object({
        ok: truth,
        accounts: integer,
        postings: integer,
        problems: list(problem),
      }),
    },
  },
  '/ledger/repair': {
    post: {
      summary: 'Mend wrong books. Without `apply`, only tell what would change.',
      body: repairBody,
      once: true,
      answer: object({
        applied: truth,
        corrections: list(object({ account_id: text, what: text, found: text, repaired: text })),
        remaining: list(problem),
      }),
    },
  },
}

const session = objectWith(
  {
    ...sessionFields,
    age_seconds: integer,
    account_id: text,
    key_id: textOrNull,
    gateway: textOrNull,
  },
  sessionExtras,
)
const browser = object({
  session_id: text,
  account_id: text,
  status: text,
  place: { enum: ['vendor', 'here'] },
  gateway: textOrNull,
  paid_minutes: integer,
  remaining_seconds: integer,
  keep_alive: truth,
  country: textOrNull,
  started_at: text,
  expires_at: textOrNull,
})
const misfit = {
  misfit_id: text,
  action: text,
  transaction_id: textOrNull,
  problems: list(text),
  created_at: text,
}

const machineRoutes: Routes = {
  '/sessions': {
    get: {
      summary: 'The sessions of all accounts, newest first.',
      query: sessionsQuery,
      answer: page({ sessions: list(session) }),
    },
  },
  '/sessions/{id}': { delete: { summary: 'Close a session.', answer: session } },
  '/browsers': {
    get: { summary: 'The rented browsers.', answer: object({ browsers: list(browser) }) },
  },
  '/browsers/{id}': { delete: { summary: 'End a rented browser.', answer: browser } },
  '/providers': {
    get: {
      summary:
        'The providers with their mode, their open circuit breakers, and what their calls of the last 30 days brought and cost.',
      answer: object({ providers: list(operatedProvider) }),
    },
  },
  '/actions': {
    get: {
      summary: 'How well each action does: its calls and errors of the last day.',
      answer: object({
        actions: list(
          health({
            calls: integer,
            failed_calls: integer,
            errors: list(object({ error: text, calls: integer })),
          }),
        ),
      }),
    },
  },
  '/reading/hosts': {
    get: {
      summary: 'What the reading ladder remembers of hosts.',
      answer: object({ hosts: list(readHost) }),
    },
  },
  '/models/refresh': {
    post: {
      summary: 'Read the prices of language models again.',
      answer: objectWith({ ok: truth, version: text }, { problem: text }),
    },
  },
  '/mail': { get: { summary: 'Whether mail is set up as it must be.', answer: anyObject } },
  '/misfits': {
    get: {
      summary: 'Replies of providers that did not fit an output schema.',
      answer: object({ misfits: list(object(misfit)) }),
    },
  },
  '/misfits/{id}': {
    get: { summary: 'One of them with the replies.', answer: object({ ...misfit, replies: {} }) },
  },
  '/sign-in-links': {
    post: {
      summary: 'A link by which a person signs in as the operator, once.',
      status: 201,
      answer: object({ url: text, expires_in_seconds: integer }),
    },
  },
  '/audit': {
    get: {
      summary: 'What operators have changed, newest first.',
      query: auditQuery,
      answer: page({
        actions: list(
          object({
            audit_id: text,
            action: text,
            subject: textOrNull,
            details: anyObject,
            actor: { enum: ['token', 'sign-in'] },
            address: textOrNull,
            request_id: textOrNull,
            created_at: text,
          }),
        ),
      }),
    },
  },
  '/health': { get: { summary: 'The health of this gateway.', answer: anyObject } },
  '/openapi.json': { get: { summary: 'This document.', answer: anyObject } },
}

export const operatorRoutes: Routes = Object.fromEntries(
  Object.entries({ ...accountRoutes, ...moneyRoutes, ...priceRoutes, ...machineRoutes }).map(
    ([path, methods]) => [prefix + path, methods],
  ),
)
