// What the role of a person who operates the gateway lets them press.
import type { Routes } from '@tollway/client'
import { createContext } from 'preact'
import { useContext, useId } from 'preact/hooks'
import type { Person } from '../session.ts'
import { otherRoles, usualRole } from './route-roles.ts'

type Role = NonNullable<Person['operator_role']>

/** A route of the operator that changes something. */
export type OperatorRoute = Exclude<
  keyof Routes & `${string} /api/v1/admin/${string}`,
  `GET ${string}`
>

/** The role of the person. Null: they do not operate. */
export const OperatorRole = createContext<Role | null>(null)

/** Why the server refuses these routes for one account, in any role. */
export const AccountRefusals = createContext<
  Readonly<Partial<Record<OperatorRoute, string | null>>>
>({})

const order: readonly Role[] = ['viewer', 'support', 'manager', 'owner']

/**
 * What a control has whose route the person may not ask for. Its reason is its title, and `Reason` shows it or has it
 * read to them. Undefined where they may, and for a control without such a route.
 */
export function useRefusal(needs: OperatorRoute | undefined) {
  const role = useContext(OperatorRole)
  const ofAccount = useContext(AccountRefusals)
  const id = useId()
  if (needs === undefined || role === null) return undefined
  const least = otherRoles[needs] ?? usualRole
  const title =
    order.indexOf(role) < order.indexOf(least)
      ? `This needs the role ${least}. You operate as ${role}.`
      : ofAccount[needs]
  if (!title) return undefined
  return { control: { title, 'aria-describedby': id }, id, title }
}

/** `isUnseen`: in lists, where it would be repeated in each row. */
export const Reason = ({
  of: refusal,
  isUnseen = false,
}: {
  of: ReturnType<typeof useRefusal>
  isUnseen?: boolean
}) =>
  refusal === undefined ? null : (
    <small id={refusal.id} class={isUnseen ? 'unseen' : 'quiet'}>
      {refusal.title}
    </small>
  )
