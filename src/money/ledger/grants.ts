// Credit that expires: what an account has left of it, and the round that takes it back when it has expired.
import type { ClientBase } from 'pg'
import type { Micros } from '#core/money.ts'
import type { Database } from '#platform/database/database.ts'

export interface NewGrant {
  readonly micros: Micros
  readonly reason: string
  readonly expiresAt: Date
}

/** A grant with something left. Calls that began before its expiry may hold what is left after it. */
export interface CreditGrant {
  readonly granted: Micros
  readonly left: Micros
  readonly reason: string
  readonly expiresAt: Date
}

export interface Grants {
  /** Adds credit that expires to a balance. Resolves to the available amount, or null when there is no such account. */
  grant(accountId: string, grant: NewGrant, client: ClientBase): Promise<Micros | null>
  /** Those that expire first come first: this is how they are spent. */
  grants(accountId: string): Promise<CreditGrant[]>
}

const accountsPerRound = 200
const beforeAll = '00000000-0000-0000-0000-000000000000'

export function createGrants(database: Database): Grants {
  return {
    async grant(accountId, { micros, reason, expiresAt }, client) {
      const { rows } = await client.query<{ available: Micros | null }>(
        'select ledger_grant($1, $2, $3, $4) as available',
        [accountId, micros, reason, expiresAt],
      )
      return rows[0]?.available ?? null
    },
    grants: (accountId) =>
      database.query<CreditGrant>(
        `select g.amount as granted, left_of(g) as left, t.reason, g.expires_at as "expiresAt"
         from credit_grant g join transfer t on t.id = g.transfer_id
         where g.account_id = $1 and g.spent + g.returned < g.amount order by g.expires_at, g.transfer_id`,
        [accountId],
      ),
  }
}

/** Takes back what has expired of one account. */
export async function expireCredit(database: Database, accountId: string): Promise<void> {
  await database.query('select expire_credit($1)', [accountId])
}

/** Takes back what has expired of all accounts. */
export async function expireGrants(database: Database): Promise<void> {
  let after: string | null = beforeAll
  while (after !== null) {
    const rows: { last: string | null }[] = await database.query(
      'select expire_due_grants($1, $2) as last',
      [after, accountsPerRound],
    )
    after = rows[0]?.last ?? null
  }
}
