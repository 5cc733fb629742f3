// What the operator has done: a row for each action, written in the transaction of the action and never changed.
import type { ClientBase } from 'pg'
import { uuidv7 } from '#core/id.ts'
import type { Clock } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'

export interface OperatorAction {
  /** `account.credit` */
  readonly action: string
  /** The id of what it was done to. Null: the whole gateway. */
  readonly subject: string | null
  readonly details: object
  readonly actor: 'token' | 'sign-in'
  /** Who has done it. Undefined: the holder of ADMIN_TOKEN. */
  readonly person?: { readonly accountId: string; readonly name: string } | undefined
  readonly address: string
  readonly requestId: string
}

export interface RecordedAction extends OperatorAction {
  readonly id: string
  readonly createdAt: Date
}

export interface OperatorActions {
  /** Records the action, in the transaction of the client if there is one. */
  record(action: OperatorAction, client?: ClientBase): Promise<void>
  /** Newest first. */
  list(filter: {
    readonly action?: string | undefined
    readonly subject?: string | undefined
    /** The account of a person. */
    readonly operator?: string | undefined
    /** The id of the last row on the page before. */
    readonly after?: string | undefined
    readonly limit: number
  }): Promise<readonly RecordedAction[]>
}

/** PostgreSQL's JSON has no lone surrogates. Columns of text keep them as U+FFFD too. */
const wellFormed = (_name: string, value: unknown) =>
  typeof value === 'string' ? value.toWellFormed() : value

export function createOperatorActions({
  database,
  clock,
}: {
  database: Database
  clock: Clock
}): OperatorActions {
  return {
    async record({ action, subject, details, actor, person, address, requestId }, client) {
      const insert = `insert into operator_action
          (id, action, subject, details, actor, address, request_id, operator_account_id, operator_name)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`
      const id = uuidv7(clock.now())
      const row = [
        id,
        action,
        subject,
        JSON.stringify(details, wellFormed),
        actor,
        address,
        requestId,
        person?.accountId ?? null,
        person?.name ?? null,
      ]
      await (client === undefined ? database.query(insert, row) : client.query(insert, row))
    },
    async list({ action, subject, operator, after, limit }) {
      const rows = await database.query<Row>(
        `select id, action, subject, details, actor, address, request_id as "requestId", created_at as "createdAt",
           operator_account_id as "accountId", operator_name as "name"
         from operator_action
         where ($1::text is null or action = $1) and ($2::text is null or subject = $2) and ($3::uuid is null or id < $3)
           and ($5::uuid is null or operator_account_id = $5)
         order by id desc limit $4`,
        [action ?? null, subject ?? null, after ?? null, limit, operator ?? null],
      )
      return rows.map(({ accountId, name, ...recorded }) => ({
        ...recorded,
        person: accountId === null ? undefined : { accountId, name: name ?? accountId },
      }))
    },
  }
}

interface Row extends Omit<RecordedAction, 'person'> {
  readonly accountId: string | null
  readonly name: string | null
}
