// What is remembered of sandboxes: which gateway has them, and how they ended.
import type { RecordEffect } from '#core/effects/effect.ts'
import type { Database } from '#platform/database/database.ts'

export interface SandboxRow {
  readonly id: string
  readonly gatewayId: number
  readonly state: 'running' | 'finished' | 'failed'
  /** Of the command that it was created with. Null while that runs, and without one. */
  readonly returncode: number | null
  /** Whether its gateway, another one, is still there. */
  readonly isElsewhere: boolean
}

export type SandboxRows = ReturnType<typeof createSandboxRows>

const forgottenAfterDays = 30

export function createSandboxRows(database: Database, gatewayNumber: number) {
  return {
    async insert(id: string, expiresAtMs: number, effect: RecordEffect): Promise<void> {
      await database.transaction(async (client) => {
        await effect(client, { kind: 'sandbox', subject: id })
        await client.query(
          `insert into sandbox (id, gateway_id, state, expires_at) values ($1, $2, 'running', $3)`,
          [id, gatewayNumber, new Date(expiresAtMs)],
        )
      })
    },
    async setReturncode(id: string, returncode: number): Promise<void> {
      await database.query(`update sandbox set returncode = $2 where id = $1`, [id, returncode])
    },
    /** The first ending counts. */
    async end(id: string, state: 'finished' | 'failed'): Promise<void> {
      await database.query(
        `update sandbox set state = $2, ended_at = now() where id = $1 and state = 'running'`,
        [id, state],
      )
    },
    /** Which of these have ended by their rows: their call was not charged, or the plan that opened them is over. */
    async findEnded(ids: readonly string[]): Promise<readonly string[]> {
      const rows = await database.query<{ id: string }>(
        `select id from sandbox where id = any($1) and state <> 'running'`,
        [ids],
      )
      return rows.map(({ id }) => id)
    },
    async find(id: string): Promise<SandboxRow | undefined> {
      const [row] = await database.query<SandboxRow>(
        `select id, gateway_id as "gatewayId", state, returncode,
           gateway_id <> $2 and gateway_lives(gateway_id) as "isElsewhere"
         from sandbox where id = $1`,
        [id, gatewayNumber],
      )
      return row
    },
    async forgetOld(): Promise<void> {
      await database.query(`delete from sandbox where expires_at < now() - $1 * interval '1 day'`, [
        forgottenAfterDays,
      ])
    },
  }
}
