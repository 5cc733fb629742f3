// What an operator may not do to people of the same gateway, in any role.
import type { FastifyRequest } from 'fastify'
import type { Operators } from '#accounts/operators/operators.ts'
import { includes } from '#accounts/operators/role.ts'
import { fail } from '#core/errors.ts'

/** Why the operator may not give money to this account. Undefined: they may. */
export const creditRefusal = ({ operator }: FastifyRequest, accountId: string) =>
  operator?.person?.accountId === accountId
    ? 'You cannot give credit to your own account. Ask another operator to do it.'
    : undefined

/** Throws `forbidden` for a person who would give money to their own account. */
export function refuseOwnAccount(request: FastifyRequest, accountId: string): void {
  const message = creditRefusal(request, accountId)
  if (message !== undefined) throw fail('forbidden', { message })
}

/** Throws `forbidden` for an amount that the role of the operator does not cover. */
export function requireRoleFor(
  { operator }: FastifyRequest,
  { cents, aboveCents }: { readonly cents: number; readonly aboveCents: number },
): void {
  if (operator === undefined || cents <= aboveCents || includes(operator.role, 'manager')) return
  throw fail('forbidden', {
    message: `You operate this gateway as ${operator.role}, up to ${aboveCents} cents at once. Ask a manager or an owner to do this.`,
  })
}

/**
 * Why the operator may not freeze this account or change its keys: it is that of an operator with a higher role, whom
 * this would lock out or let in. Undefined: they may.
 */
export async function higherRoleRefusal(
  { operator }: FastifyRequest,
  operators: Pick<Operators, 'list'>,
  accountId: string,
): Promise<string | undefined> {
  const [other] = await operators.list(accountId)
  return operator === undefined || other === undefined || includes(operator.role, other.role)
    ? undefined
    : `This account belongs to an operator with the role ${other.role}, which is higher than yours. Ask an owner to do this.`
}

/** Throws `forbidden` for that reason. */
export async function refuseHigherRole(
  request: FastifyRequest,
  operators: Pick<Operators, 'list'>,
  accountId: string,
): Promise<void> {
  const message = await higherRoleRefusal(request, operators, accountId)
  if (message !== undefined) throw fail('forbidden', { message })
}
