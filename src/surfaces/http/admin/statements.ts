// /api/v1/admin/accounts/{id}/statements: what an account reads at /api/v1/statements, for the operator.
import type { FastifyInstance } from 'fastify'
import { addRoute } from '../../doors/add-route.ts'
import { defineRoute, operatorPrefix } from '../../doors/route.ts'
import {
  createStatementDesk,
  monthList,
  type StatementDependencies,
  shownMonth,
} from '../routes/statements/statements.ts'
import { noAccount } from './accounts.ts'

const ofAccount = { method: 'get', who: 'operator', ids: { id: noAccount } } as const

export const listAccountStatements = defineRoute({
  ...ofAccount,
  path: `${operatorPrefix}/accounts/{id}/statements`,
  summary: 'The months of an account with their balances, newest first.',
  answer: monthList,
})
export const readAccountStatement = defineRoute({
  ...ofAccount,
  path: `${operatorPrefix}/accounts/{id}/statements/{month}`,
  summary: 'The statement of an account for a month.',
  answer: shownMonth,
})
export const readAccountStatementCsv = defineRoute({
  ...ofAccount,
  path: `${operatorPrefix}/accounts/{id}/statements/{month}.csv`,
  summary: 'The statement of an account for a month as CSV.',
  type: 'text/csv',
})
export const readAccountStatementPdf = defineRoute({
  ...ofAccount,
  path: `${operatorPrefix}/accounts/{id}/statements/{month}.pdf`,
  summary: 'The statement of an account for a month as PDF.',
  type: 'application/pdf',
})

export function addAdminStatementRoutes(
  admin: FastifyInstance,
  dependencies: StatementDependencies,
) {
  const desk = createStatementDesk(dependencies)
  addRoute(admin, listAccountStatements, ({ params: { id } }) => desk.list(id))
  addRoute(admin, readAccountStatement, ({ params: { id, month } }) => desk.show(id, month))
  addRoute(admin, readAccountStatementCsv, ({ params: { id, month } }, reply) =>
    desk.sendCsv(reply, id, month),
  )
  addRoute(admin, readAccountStatementPdf, ({ params: { id, month } }, reply) =>
    desk.sendPdf(reply, id, month),
  )
}
