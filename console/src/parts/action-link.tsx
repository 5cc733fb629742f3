// The name of an action. It leads to the catalog, which an operator without an account does not have.
import { addressOf } from '../router.ts'
import type { Person } from '../session.ts'

export const ActionLink = ({ id, person }: { id: string; person: Person }) =>
  person.account_id === null ? (
    <code>{id}</code>
  ) : (
    <a href={addressOf(`/catalog/${id}`)}>
      <code>{id}</code>
    </a>
  )
