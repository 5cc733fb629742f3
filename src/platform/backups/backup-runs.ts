// The plan of backups and what has become of each, in the database: one gateway makes one at a time.
import type { ClientBase } from 'pg'
import { uuidv7 } from '#core/id.ts'
import type { Clock } from '#core/ports.ts'
import type { Database } from '../database/database.ts'
import type { BackupFile } from './backup-files.ts'

export interface BackupPlan {
  /** 0: backups are made only when the operator asks. */
  readonly everyHours: number
  /** How many are kept. */
  readonly kept: number
}

const firstPlan: BackupPlan = { everyHours: 0, kept: 7 }

export type BackupKind = 'backup' | 'restore-test'

export interface BackupRun {
  readonly id: string
  readonly kind: BackupKind
  readonly askedBy: 'operator' | 'schedule'
  readonly file: string
  readonly startedAt: Date
  readonly endedAt: Date | null
  readonly problem: string | null
  readonly bytes: number | null
  readonly accounts: number | null
  readonly postings: number | null
}

type Asked = Pick<BackupRun, 'kind' | 'askedBy' | 'file'>

export interface RunResult {
  /** In plain words. */
  readonly problem?: string | undefined
  readonly bytes?: number | undefined
  readonly accounts?: number | undefined
  readonly postings?: number | undefined
}

const columns = `id, kind, asked_by as "askedBy", file, started_at as "startedAt", ended_at as "endedAt",
  problem, bytes, accounts, postings`
const isGood = 'ended_at is not null and problem is null'
const keptRowsMax = 200
/** A backup of the schedule that has failed is made again after this time. */
const failedRestHours = 1
const stopped: Readonly<Record<BackupKind, string>> = {
  backup: 'The gateway stopped before the backup was whole.',
  'restore-test': 'The gateway stopped before the test had ended.',
}

export function createBackupRuns({
  database,
  clock,
  gatewayNumber,
  find,
  onFailure,
}: {
  readonly database: Database
  readonly clock: Clock
  readonly gatewayNumber: number
  readonly find: (file: string) => Promise<BackupFile | undefined>
  /** Called for a run whose gateway has stopped in the middle of it. */
  readonly onFailure: (run: BackupRun, problem: string) => void
}) {
  /** What this gateway works on. */
  const underWay = new Set<string>()

  async function end(id: string, result: RunResult): Promise<void> {
    const { problem, bytes, accounts, postings } = result
    try {
      await database.query(
        `update backup_run set ended_at = now(), problem = $2, bytes = $3, accounts = $4, postings = $5
         where id = $1 and ended_at is null`,
        [id, problem, bytes, accounts, postings],
      )
    } finally {
      underWay.delete(id)
    }
  }

  /**
   * Those of a gateway that has stopped, and of this one where the database was away at their end. A backup holds the
   * row of its own run, and has succeeded if it is there.
   */
  async function endLost(): Promise<void> {
    const lost = await database.query<BackupRun>(
      `select ${columns} from backup_run where ended_at is null
         and (not gateway_lives(gateway_id) or gateway_id = $1 and not (id = any($2)))`,
      [gatewayNumber, [...underWay]],
    )
    for (const run of lost) {
      const { id, kind, file } = run
      const made = kind === 'backup' ? await find(file) : undefined
      await end(id, made ?? { problem: stopped[kind] })
      if (made === undefined) onFailure(run, stopped[kind])
    }
  }

  return {
    end,
    async plan(): Promise<BackupPlan> {
      const [plan] = await database.query<BackupPlan>(
        'select every_hours as "everyHours", kept from backup_plan',
      )
      return plan ?? firstPlan
    },
    async setPlan({ everyHours, kept }: BackupPlan, client: ClientBase): Promise<void> {
      await client.query(
        `insert into backup_plan (every_hours, kept) values ($1, $2)
         on conflict (id) do update set every_hours = $1, kept = $2, changed_at = now()`,
        [everyHours, kept],
      )
    },
    /** Begins a run, unless one runs at any gateway: resolves to that one then. */
    async begin({
      kind,
      askedBy,
      file,
    }: Asked): Promise<{ readonly run: BackupRun; readonly isNew: boolean } | undefined> {
      await endLost()
      const id = uuidv7(clock.now())
      underWay.add(id)
      const begun = await database.query<BackupRun>(
        `insert into backup_run (id, kind, asked_by, gateway_id, file) values ($1, $2, $3, $4, $5)
         on conflict ((true)) where ended_at is null do nothing returning ${columns}`,
        [id, kind, askedBy, gatewayNumber, file],
      )
      if (begun[0] !== undefined) return { run: begun[0], isNew: true }
      underWay.delete(id)
      const [running] = await database.query<BackupRun>(
        `select ${columns} from backup_run where ended_at is null`,
      )
      return running && { run: running, isNew: false }
    },
    /** Whether the plan asks for a backup now. */
    async isDue(): Promise<boolean> {
      await endLost()
      const due = await database.query(
        `select from backup_plan where every_hours > 0 and not exists (select from backup_run
           where kind = 'backup' and started_at > now() - interval '1 hour' *
             case when problem is null then every_hours else least(every_hours, $1) end)`,
        [failedRestHours],
      )
      return due.length > 0
    },
    /** The latest of each kind. */
    async latest(): Promise<Readonly<Partial<Record<BackupKind, BackupRun>>>> {
      await endLost()
      const rows = await database.query<BackupRun>(
        `select distinct on (kind) ${columns} from backup_run order by kind, id desc`,
      )
      return Object.fromEntries(rows.map((run) => [run.kind, run]))
    },
    /** The latest of each kind that has succeeded. */
    async latestGood(): Promise<Readonly<Partial<Record<BackupKind, BackupRun>>>> {
      const rows = await database.query<BackupRun>(
        `select distinct on (kind) ${columns} from backup_run where ${isGood} order by kind, id desc`,
      )
      return Object.fromEntries(rows.map((run) => [run.kind, run]))
    },
    async forgetOld(): Promise<void> {
      await database.query(
        `delete from backup_run where id not in (select id from backup_run order by id desc limit $1)
           and id not in (select max(id::text)::uuid from backup_run where ${isGood} group by kind)`,
        [keptRowsMax],
      )
    },
  }
}
