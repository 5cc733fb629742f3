// Verbs about the caller's account: balance, transactions and keys.
import type { Routes } from '@tollway/client'
import { amount, centsOf, dollars, wholeNumber } from '../meant/amounts.ts'
import { timeOf } from '../meant/times.ts'
import { clean, listing, render, table } from '../render.ts'
import { UsageError } from '../usage-error.ts'
import { defineVerb } from '../verb.ts'

const pageRowsMax = 100
const rowsDefault = 20

export const balance = defineVerb({
  name: 'balance',
  summary: 'Show what the account can spend.',
  async run(_, { connection, output }) {
    const account = await connection.tollway.request('GET /api/v1/account')
    output.print(account, () =>
      table([
        ['available', amount(account.available_cents, account.available_usd)],
        ['held', amount(account.held_cents, account.held_usd)],
        ['balance', amount(account.balance_cents, account.balance_usd)],
        ['gateway', connection.baseUrl],
        ['account', account.account_id],
      ]),
    )
  },
})

export const transactions = defineVerb({
  name: 'transactions',
  summary: 'List calls and other changes of the balance, the newest first; or show one in full.',
  operands: {
    id: {
      about: 'The id of a transaction.',
      kind: 'optional',
      idOf: 'a transaction',
      listedBy: 'transactions',
    },
  },
  options: {
    action: { about: 'Calls of this action, or of a service: `ns_semantic/*`.', value: 'ACTION' },
    type: {
      about: 'Changes of this type.',
      value: 'TYPE',
      choices: ['call', 'credit', 'credit_expired', 'debit', 'topup'],
    },
    status: {
      about: 'Calls with this status.',
      value: 'STATUS',
      choices: ['running', 'succeeded', 'failed'],
    },
    from: {
      about:
        'From this time on: a date, a time in ISO 8601, `yesterday`, or `7d` for seven days ago.',
      value: 'TIME',
    },
    until: { about: 'Before this time, in the same forms.', value: 'TIME' },
    limit: { about: 'How many to list. Default 20.', value: 'COUNT' },
  },
  examples: [
    'transactions --status failed',
    'transactions --from 2026-11-01 --json',
    'transactions --from 7d',
  ],
  async run({ operands: { id }, options }, { connection: { tollway }, output }) {
    if (id !== undefined) {
      const whole = await tollway.request('GET /api/v1/transactions/{id}', { path: { id } })
      output.print(whole, render)
      return
    }
    const rowsMax = wholeNumber('limit', options.limit, 1) ?? rowsDefault
    const { action, type, status } = options
    const from = timeOf('from', options.from, { direction: 'past' })
    const until = timeOf('until', options.until, { direction: 'past' })
    const limit = Math.min(pageRowsMax, rowsMax)
    const query = Object.fromEntries(
      Object.entries({ action, type, status, from, until, limit }).filter(
        ([, value]) => value !== undefined,
      ),
    )
    const rows: Transaction[] = []
    for await (const row of tollway.list('GET /api/v1/transactions', { query })) {
      rows.push(row)
      if (rows.length === rowsMax) break
    }
    output.print({ transactions: rows }, () =>
      listing(transactionHead, rows.map(showTransaction), 'There are no such transactions.'),
    )
  },
})

type Transaction = Routes['GET /api/v1/transactions']['answer']['transactions'][number]

const transactionHead = ['TIME', 'STATUS', 'AMOUNT', 'WHAT', 'ID']

const showTransaction = (row: Transaction): string[] => [
  row.created_at,
  row.status,
  dollars(row.amount_usd),
  row.action ?? row.type,
  row.transaction_id,
]

const keyOptions = {
  name: { about: 'A name for yourself.', value: 'TEXT' },
  'per-call': { about: 'The most that one call may cost: `500`, or `$5`.', value: 'CENTS' },
  'per-day': { about: 'The most that a day (UTC) may cost.', value: 'CENTS' },
  'per-month': { about: 'The most that a month (UTC) may cost.', value: 'CENTS' },
  action: {
    about: 'Allow this action only, or a service: `ns_scholar/*`.',
    value: 'ACTION',
    many: true,
  },
  model: {
    about: 'Allow this language model or tier only, or those that begin alike: `openai/*`.',
    value: 'MODEL',
    many: true,
  },
  'requests-per-minute': { about: 'The most calls per minute.', value: 'COUNT' },
  'tokens-per-minute': { about: 'The most tokens of chats per minute.', value: 'COUNT' },
  expires: {
    about: 'When the key ends: a date, a time in ISO 8601, or `30d` for thirty days from now.',
    value: 'TIME',
  },
} as const

export const keys = defineVerb({
  name: 'keys',
  summary: 'List the API keys of the account.',
  async run(_, { connection, output }) {
    const listed = await connection.tollway.request('GET /api/v1/keys')
    output.print(listed, () => table([keyHead, ...listed.keys.map(showKey)]))
  },
})

type Key = Routes['GET /api/v1/keys']['answer']['keys'][number]

const keyHead = ['ID', 'KEY', 'STATE', 'LIMITS', 'NAME']

const showKey = (key: Key): string[] => [
  key.key_id,
  `${key.prefix}…`,
  key.revoked_at === null ? 'valid' : 'revoked',
  limitsOf(key),
  clean(key.name ?? ''),
]

/** All limits of a key. */
export function limitsOf(key: Key): string {
  const limits = [
    key.max_cents_per_call === null ? '' : `${key.max_cents_per_call}¢ a call`,
    key.max_cents_per_day === null ? '' : `${key.max_cents_per_day}¢ a day`,
    key.max_cents_per_month === null ? '' : `${key.max_cents_per_month}¢ a month`,
    key.requests_per_minute === null ? '' : `${key.requests_per_minute} calls a minute`,
    key.tokens_per_minute === null ? '' : `${key.tokens_per_minute} tokens a minute`,
    key.actions === null ? '' : `only ${key.actions.join(' ')}`,
    key.models === null ? '' : `only models ${key.models.join(' ')}`,
    key.expires_at === null ? '' : `ends ${key.expires_at}`,
  ].filter((text) => text !== '')
  return limits.length === 0 ? 'none' : limits.join(', ')
}

export const createKey = defineVerb({
  name: 'keys create',
  summary: 'Make another API key of the account, with limits of its own. It is shown once.',
  options: keyOptions,
  examples: ["keys create --name agent --per-day 500 --action 'ns_scholar/*'"],
  async run({ options }, { connection, output }) {
    const { name, action, model } = options
    const unnamed = action.find((each) => !each.includes('/'))
    if (unnamed !== undefined)
      throw new UsageError(
        `--action takes an action, such as tollway/onescrape, or a service, such as 'tollway/*', and not "${unnamed}". \`tollway actions\` lists them.`,
      )
    const cents = (option: 'per-call' | 'per-day' | 'per-month') => centsOf(option, options[option])
    const body = {
      name: name ?? null,
      max_cents_per_call: cents('per-call') ?? null,
      max_cents_per_day: cents('per-day') ?? null,
      max_cents_per_month: cents('per-month') ?? null,
      actions: action.length > 0 ? [...action] : null,
      models: model.length > 0 ? [...model] : null,
      requests_per_minute:
        wholeNumber('requests-per-minute', options['requests-per-minute'], 1) ?? null,
      tokens_per_minute: wholeNumber('tokens-per-minute', options['tokens-per-minute'], 1) ?? null,
      expires_at: timeOf('expires', options.expires, { direction: 'future' }) ?? null,
    }
    const created = await connection.tollway.request('POST /api/v1/keys', { body })
    output.print(created, () => created.api_key)
    output.note('Copy it now. You will not see it again.')
  },
})

export const revokeKey = defineVerb({
  name: 'keys revoke',
  summary: 'End an API key for good.',
  operands: {
    id: { about: 'The id of the key, from `tollway keys`.', idOf: 'a key', listedBy: 'keys' },
  },
  options: {
    descendants: { about: 'End the keys and apps that it let in too.' },
  },
  async run({ operands, options }, { connection, output }) {
    const path = { id: operands.id }
    const query = options.descendants ? ({ descendants: 'true' } as const) : {}
    const revoked = await connection.tollway.request('DELETE /api/v1/keys/{id}', { path, query })
    const { also_revoked: others } = revoked
    output.print(revoked, () =>
      [`The key ${operands.id} is revoked.`, ...others.map((id) => `So is ${id}.`)].join('\n'),
    )
  },
})
