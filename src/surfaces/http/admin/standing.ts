// What an operator may not do to people of the same gateway, in any role.
import type { FastifyRequest } from 'fastify'
import type { Operators } from '#accounts/operators/operators.ts'
import { includes } from '#accounts/operators/role.ts'
import { fail } from '#core/errors.ts'

/** Throws `forbidden` for a person who would give money to their own account. */
export function refuseOwnAccount({ operator }: FastifyRequest, accountId: string): void {
  if (operator?.person?.accountId !== accountId) return
  throw fail('forbidden', {
    message: 'You cannot give credit to your own account. Ask another operator to do it.',
  })
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
 * Throws `forbidden` where the account is that of an operator with a higher role, whom this would lock out or let in.
 */
export async function refuseHigherRole(
  { operator }: FastifyRequest,
  operators: Pick<Operators, 'list'>,
  accountId: string,
): Promise<void> {
  const [other] = await operators.list(accountId)
  if (operator === undefined || other === undefined || includes(operator.role, other.role)) return
  throw fail('forbidden', {
    message: `This account belongs to an operator with the role ${other.role}, which is higher than yours. Ask an owner to do this.`,
  })
}
