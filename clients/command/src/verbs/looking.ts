// Verbs that show who is signed in, the pages of the gateway, and calls as they happen.
import { setTimeout as delay } from 'node:timers/promises'
import type { Routes } from '@tollway/client'
import { amount } from '../meant/amounts.ts'
import { openPage } from '../open-page.ts'
import { clean, table } from '../render.ts'
import { defineVerb } from '../verb.ts'
import { limitsOf } from './account.ts'

export const whoami = defineVerb({
  name: 'whoami',
  summary: 'Show the gateway, the account and the key in use, with the limits of the key.',
  async run(_, { connection, output }) {
    const account = await connection.tollway.request('GET /api/v1/account')
    const { key } = account
    output.print({ gateway: connection.baseUrl, ...account }, () =>
      table([
        ['gateway', connection.baseUrl],
        ['account', `${clean(account.name ?? '')} ${account.account_id}`.trim()],
        ...(key === undefined
          ? []
          : [
              ['key', `${clean(key.name ?? '')} ${key.prefix}…`.trim()],
              ['limits', limitsOf(key)],
            ]),
        ['available', amount(account.available_cents, account.available_usd)],
      ]),
    )
  },
})

const pages: Readonly<Record<string, string>> = {
  console: '/console',
  keys: '/console/keys',
  transactions: '/console/transactions',
  connect: '/console/connect',
  docs: '/docs',
  actions: '/docs/actions',
}

export const open = defineVerb({
  name: 'open',
  summary: 'Open a page of the gateway in the browser, and print its address.',
  options: {
    page: { about: 'Default: console.', value: 'PAGE', choices: Object.keys(pages) },
    print: { about: 'Print the address only.' },
  },
  examples: ['open', 'open --page docs'],
  async run({ options }, { connection, environment, input, output }) {
    const address = connection.baseUrl + pages[options.page ?? 'console']
    output.print({ address }, () => address)
    if (input.isTerminal && !options.print) openPage(address, environment)
  },
})

type Row = Routes['GET /api/v1/transactions']['answer']['transactions'][number]

const rowsDefault = 20
const rowsPerReadMax = 100
const pauseMs = 2_000
/** A call that runs is shown again when it has ended. */
const runningMax = 1_000

export const logs = defineVerb({
  name: 'logs',
  summary: 'Show the latest calls, the newest last; with `--follow`, also those to come.',
  options: {
    follow: { about: 'Go on until Ctrl-C, with a line for each call that begins or ends.' },
    action: { about: 'Calls of this action, or of a service: `ns_semantic/*`.', value: 'ACTION' },
    status: {
      about: 'Calls with this status.',
      value: 'STATUS',
      choices: ['running', 'succeeded', 'failed'],
    },
  },
  examples: ['logs --follow', 'logs --status failed'],
  async run({ options: { action, status, follow } }, { connection, output, signal }) {
    const shown = new Map<string, string>()
    const filters = { type: 'call' as const, ...(action && { action }), ...(status && { status }) }
    const read = async (limit: number) => {
      const { transactions } = await connection.tollway.request('GET /api/v1/transactions', {
        query: { ...filters, limit },
        signal,
      })
      return transactions.toReversed()
    }
    const show = (rows: readonly Row[]) => {
      for (const row of rows) {
        if (shown.get(row.transaction_id) === row.status) continue
        shown.set(row.transaction_id, row.status)
        output.write(`${output.json ? JSON.stringify(row) : lineOf(row)}\n`)
      }
      for (const old of [...shown.keys()].slice(0, -runningMax)) shown.delete(old)
    }
    show(await read(rowsDefault))
    while (follow) {
      await delay(pauseMs, undefined, { signal })
      show(await read(rowsPerReadMax))
    }
  },
})

const lineOf = ({ created_at, status, charged_usd, action, transaction_id, error }: Row) =>
  [
    created_at,
    status.padEnd('succeeded'.length),
    `$${charged_usd}`,
    action,
    transaction_id,
    error ?? '',
  ]
    .join('  ')
    .trimEnd()
