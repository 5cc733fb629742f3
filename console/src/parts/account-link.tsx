import { tollway } from '../gateway.ts'
import { useLoad } from '../load.ts'
import { addressOf } from '../router.ts'
import { Foreign } from './foreign.tsx'
import type { Column } from './table.tsx'

/** To the operator's page of an account: its name, or its id on one line where there is room. */
export const AccountLink = ({ id, name }: { id: string; name?: string | null | undefined }) => (
  <a class={name ? '' : 'id'} title={id} href={addressOf(`/operator/accounts/${id}`)}>
    {name ? <Foreign text={name} /> : <code>{id}</code>}
  </a>
)

/** The name of what has no page of its own. */
export const Named = ({ id, name }: { id: string; name: string }) => (
  <span title={id}>
    <Foreign text={name} />
  </span>
)

/** The link where no row has told the name. */
export function NamedAccount({ id }: { id: string }) {
  // Of a wallet there is nothing to read, and its id is shown.
  const account = useLoad(id, (signal) =>
    tollway
      .request('GET /api/v1/admin/accounts/{id}', { path: { id }, signal })
      .catch(() => undefined),
  )
  return <AccountLink id={id} name={account.value?.name} />
}

/** The column of rows that are of an account. */
export const accountColumn: Column<{ account_id: string; account_name?: string | undefined }> = {
  name: 'Account',
  show: ({ account_id, account_name }) => <AccountLink id={account_id} name={account_name} />,
}
