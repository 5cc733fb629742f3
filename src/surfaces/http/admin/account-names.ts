// The names of the accounts that rows of the operator are of.
import type { Accounts } from '#accounts/accounts.ts'
import { text } from '../../doors/shapes.ts'

export type AccountNames = Pick<Accounts, 'names'>

export const accountName = {
  account_name: { ...text, description: 'Of its account, if it has one.' },
}

/** The rows, each with the name of its account, if it has one. */
export async function withAccountNames<Row extends { readonly account_id?: string }>(
  accounts: AccountNames,
  rows: readonly Row[],
): Promise<(Row & { account_name?: string })[]> {
  const names = await accounts.names(rows.flatMap(({ account_id }) => account_id ?? []))
  return rows.map((row) => {
    const name = names.get(row.account_id ?? '')
    return name === undefined ? row : { ...row, account_name: name }
  })
}
