// /api/v1/statements: what an account had at the beginning of a month, what changed it, and what was left.
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Accounts } from '#accounts/accounts.ts'
import { type Caller, ownerOf } from '#core/caller.ts'
import { fail } from '#core/errors.ts'
import { microsToUsd } from '#core/money.ts'
import type {
  MonthlyStatement,
  MonthlyStatements,
  MonthSummary,
} from '#money/ledger/monthly-statements.ts'
import { addRoute } from '../../../doors/add-route.ts'
import { defineRoute } from '../../../doors/route.ts'
import { integer, list, object, text, textOrNull, truth } from '../../../doors/shapes.ts'
import { movementWords } from './movement-words.ts'
import { type StatementAccount, writeStatementCsv } from './statement-csv.ts'
import type { OtherFonts } from './statement-pdf.ts'

const monthFields = {
  month: { ...text, description: 'YYYY-MM, of UTC.' },
  from: text,
  until: text,
  closed: { ...truth, description: 'Nothing can change this month any more.' },
  opening_usd: text,
  added_usd: text,
  taken_usd: text,
  closing_usd: text,
}
const kinds = Object.values(movementWords).map(({ kind }) => kind)
const movement = object({
  kind: { enum: kinds },
  title: text,
  action: { ...textOrNull, description: 'Of calls.' },
  count: { ...integer, description: 'Of calls: those that were charged.' },
  amount_usd: { ...text, description: 'The change of the balance: negative for what was taken.' },
})
export const monthList = object({ statements: list(object(monthFields)) })
export const shownMonth = object({
  account_id: text,
  name: textOrNull,
  ...monthFields,
  movements: list(movement),
})

export const listStatements = defineRoute({
  method: 'get',
  path: '/api/v1/statements',
  who: 'owner',
  summary: 'The months of the account with their balances, newest first.',
  answer: monthList,
  errors: ['forbidden'],
})
const ofMonth = {
  method: 'get',
  who: 'owner',
  errors: ['bad_request', 'forbidden', 'not_found'],
} as const
export const readStatement = defineRoute({
  ...ofMonth,
  path: '/api/v1/statements/{month}',
  summary: 'The statement of a month: its balances, and each kind of change.',
  answer: shownMonth,
})
export const readStatementCsv = defineRoute({
  ...ofMonth,
  path: '/api/v1/statements/{month}.csv',
  summary: 'The statement of a month as CSV.',
  type: 'text/csv',
})
export const readStatementPdf = defineRoute({
  ...ofMonth,
  path: '/api/v1/statements/{month}.pdf',
  summary: 'The statement of a month as PDF.',
  type: 'application/pdf',
})

export interface StatementDependencies {
  readonly accounts: Pick<Accounts, 'find'>
  readonly monthly: MonthlyStatements
  readonly otherFonts: OtherFonts
  /** The public address of the gateway, which issues the statement. */
  readonly baseUrl: () => string
}

export function addStatementRoutes(server: FastifyInstance, dependencies: StatementDependencies) {
  const desk = createStatementDesk(dependencies)
  addRoute(server, listStatements, ({ caller }) => desk.list(wholeAccount(caller)))
  addRoute(server, readStatement, ({ caller, params }) =>
    desk.show(wholeAccount(caller), params.month),
  )
  addRoute(server, readStatementCsv, ({ caller, params }, reply) =>
    desk.sendCsv(reply, wholeAccount(caller), params.month),
  )
  addRoute(server, readStatementPdf, ({ caller, params }, reply) =>
    desk.sendPdf(reply, wholeAccount(caller), params.month),
  )
}

/** A limited key sees its own calls only, and a statement has those of all keys. */
function wholeAccount(caller: Caller): string {
  const { accountId, keyId } = ownerOf(caller)
  if (keyId === undefined) return accountId
  throw fail('forbidden', {
    message:
      'A statement is of the whole account, and this API key has limits. Use an unlimited key, or read /api/v1/transactions for the calls of this one.',
  })
}

/** What the account and the operator read alike. */
export function createStatementDesk({
  accounts,
  monthly,
  otherFonts,
  baseUrl,
}: StatementDependencies) {
  async function find(accountId: string, month: string) {
    if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month))
      throw fail('bad_request', {
        message: 'Write the month as 2026-11: the year, and two digits.',
      })
    const account = await accounts.find(accountId)
    if (account === undefined) throw fail('not_found', { message: 'There is no such account.' })
    const statement = await monthly.read(accountId, month)
    if (statement === undefined)
      throw fail('not_found', {
        message: `The account has no statement of ${month}. The list of its months is at /api/v1/statements, and for the operator at /api/v1/admin/accounts/${accountId}/statements.`,
      })
    return { account, statement }
  }

  return {
    async list(accountId: string) {
      if ((await accounts.find(accountId)) === undefined)
        throw fail('not_found', { message: 'There is no such account.' })
      return { statements: (await monthly.list(accountId)).map(showMonth) }
    },
    async show(accountId: string, month: string) {
      const { account, statement } = await find(accountId, month)
      return showStatement(account, statement)
    },
    async sendCsv(reply: FastifyReply, accountId: string, month: string) {
      const { account, statement } = await find(accountId, month)
      return send(reply, `${month}.csv`, {
        type: 'text/csv; charset=utf-8',
        content: writeStatementCsv(account, statement),
      })
    },
    async sendPdf(reply: FastifyReply, accountId: string, month: string) {
      const { account, statement } = await find(accountId, month)
      // What draws it is large, and most gateways start without ever being asked for one.
      const { writeStatementPdf } = await import('./statement-pdf.ts')
      const content = await writeStatementPdf(account, statement, { issuer: baseUrl(), otherFonts })
      return send(reply, `${month}.pdf`, { type: 'application/pdf', content })
    },
  }
}

const send = (
  reply: FastifyReply,
  name: string,
  { type, content }: { type: string; content: string | Buffer },
) =>
  reply
    .header('content-type', type)
    .header('content-disposition', `attachment; filename="statement-${name}"`)
    .header('cache-control', 'no-store')
    .send(content)

const showMonth = ({ month, from, until, isClosed, ...sums }: MonthSummary) => ({
  month,
  from,
  until,
  closed: isClosed,
  opening_usd: microsToUsd(sums.opening),
  added_usd: microsToUsd(sums.added),
  taken_usd: microsToUsd(sums.taken),
  closing_usd: microsToUsd(sums.closing),
})

const showStatement = ({ id, name }: StatementAccount, statement: MonthlyStatement) => ({
  account_id: id,
  name,
  ...showMonth(statement),
  movements: statement.movements.map(({ kind, action, count, amount }) => ({
    ...movementWords[kind],
    action,
    count,
    amount_usd: microsToUsd(amount),
  })),
})
