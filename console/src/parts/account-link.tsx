import { addressOf } from '../router.ts'

/** To the operator's page of an account. Its id stays on one line where there is room. */
export const AccountLink = ({ id }: { id: string }) => (
  <a class="id" href={addressOf(`/operator/accounts/${id}`)}>
    <code>{id}</code>
  </a>
)
