import { addressOf } from '../router.ts'
import { Foreign } from './foreign.tsx'

/** To the operator's page of an account: its name, or its id on one line where there is room. */
export const AccountLink = ({ id, name }: { id: string; name?: string | null | undefined }) => (
  <a class={name ? '' : 'id'} title={id} href={addressOf(`/operator/accounts/${id}`)}>
    {name ? <Foreign text={name} /> : <code>{id}</code>}
  </a>
)
