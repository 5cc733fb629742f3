// The sum of the transactions that a filter finds: how many they are, and what they add up to.
import type { FastifyInstance } from 'fastify'
import { ownerOf } from '#core/caller.ts'
import { microsToUsd } from '#core/money.ts'
import type { Statement, StatementFilter, StatementOwner } from '#runner/history/statement.ts'
import { addRoute } from '../../../doors/add-route.ts'
import { defineRoute } from '../../../doors/route.ts'
import { integerOrNull, object, textOrNull } from '../../../doors/shapes.ts'
import { readFilter, transactionsFilter } from '../transaction-rows.ts'

/** It looks at each row. */
const rowsMax = 1_000_000

export const transactionSum = object({
  transactions: {
    ...integerOrNull,
    description: `How many the filter finds. Null, as the sums are: more than ${rowsMax}.`,
  },
  charged_usd: { ...textOrNull, description: 'What the calls among them were charged, exactly.' },
  amount_usd: { ...textOrNull, description: 'What they have done to the balance, exactly.' },
})

export const sumTransactions = defineRoute({
  method: 'get',
  path: '/api/v1/transactions/sum',
  who: 'owner',
  summary: 'How many transactions of the account a filter finds, and what they add up to.',
  query: transactionsFilter,
  answer: transactionSum,
  errors: ['bad_request'],
})

export async function sumOf(
  statement: Pick<Statement, 'sum'>,
  owner: StatementOwner,
  filter: StatementFilter,
) {
  const sum = await statement.sum(owner, filter, rowsMax)
  return {
    transactions: sum?.rows ?? null,
    charged_usd: sum === undefined ? null : microsToUsd(sum.charged),
    amount_usd: sum === undefined ? null : microsToUsd(sum.change),
  }
}

export function addTransactionSums(
  server: FastifyInstance,
  { statement }: { readonly statement: Pick<Statement, 'sum'> },
) {
  addRoute(server, sumTransactions, ({ caller, query }) =>
    sumOf(statement, ownerOf(caller), readFilter(query)),
  )
}
