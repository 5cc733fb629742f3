/** What an operator may do. Each role includes those before it. */
export const operatorRoles = ['viewer', 'support', 'manager', 'owner'] as const

export type OperatorRole = (typeof operatorRoles)[number]

/** The person behind a request of the operator. */
export interface Operator {
  readonly role: OperatorRole
  /** Undefined for the holder of `ADMIN_TOKEN`, who has no account. */
  readonly person?: { readonly accountId: string; readonly name: string } | undefined
}

/** The holder of `ADMIN_TOKEN`. */
export const tokenHolder: Operator = { role: 'owner' }

export const includes = (role: OperatorRole, least: OperatorRole): boolean =>
  operatorRoles.indexOf(role) >= operatorRoles.indexOf(least)
