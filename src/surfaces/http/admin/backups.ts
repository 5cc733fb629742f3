// /api/v1/admin/backups: when the data was last backed up, and the backups that the gateway makes by itself.
import type { FastifyInstance } from 'fastify'
import type { ClientBase } from 'pg'
import { z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { addRoute } from '../../doors/add-route.ts'
import { defineRoute, operatorPrefix } from '../../doors/route.ts'
import { integer, integerOrNull, list, object, text, textOrNull } from '../../doors/shapes.ts'
import type { Operations } from './operations.ts'

interface Plan {
  readonly everyHours: number
  readonly kept: number
}

type Kind = 'backup' | 'restore-test'

interface Run {
  readonly kind: Kind
  readonly askedBy: 'operator' | 'schedule'
  readonly file: string
  readonly startedAt: Date
  readonly endedAt: Date | null
  readonly problem: string | null
  readonly bytes: number | null
  readonly accounts: number | null
  readonly postings: number | null
}

export interface BackupRoutesDependencies {
  readonly backups: {
    readonly last: () => Promise<{ readonly at: Date; readonly file?: string } | undefined>
    /** Those that the gateway makes. Undefined: the database is that of DATABASE_URL. */
    readonly made:
      | {
          readonly folder: string
          plan(): Promise<Plan>
          setPlan(plan: Plan, client: ClientBase): Promise<void>
          list(): Promise<
            readonly { readonly file: string; readonly bytes: number; readonly at: Date }[]
          >
          latest(): Promise<Readonly<Partial<Record<Kind, Run>>>>
          latestGood(): Promise<Readonly<Partial<Record<Kind, Run>>>>
          begin(kind: Kind): Promise<Run>
        }
      | undefined
  }
}

const everyHoursMax = 744
const keptMax = 100

const run = {
  kind: { enum: ['backup', 'restore-test'] },
  state: { enum: ['running', 'succeeded', 'failed'] },
  asked_by: { enum: ['operator', 'schedule'] },
  file: text,
  started_at: text,
  ended_at: textOrNull,
  problem: { ...textOrNull, description: 'Why it failed, and what to do.' },
  bytes: { ...integerOrNull, description: 'The size of the backup.' },
  accounts: { ...integerOrNull, description: 'Of a test: the accounts in the restored books.' },
  postings: { ...integerOrNull, description: 'Of a test: the postings in the restored books.' },
}
const shownRun = object(run)
const runOrNull = { ...shownRun, type: ['object', 'null'] }
const plan = {
  every_hours: { ...integer, description: '0: backups are made only when the operator asks.' },
  kept: { ...integer, description: 'How many backups are kept.' },
}

const readBackups = defineRoute({
  method: 'get',
  path: `${operatorPrefix}/backups`,
  who: 'operator',
  summary: 'When the data was last backed up, the schedule, and what became of the last backup.',
  answer: object({
    database: {
      enum: ['embedded', 'external'],
      description: 'external: of DATABASE_URL. What pg_dump makes of it cannot be seen.',
    },
    last_backup_at: {
      ...textOrNull,
      description:
        'Of the gateway or `tollway backup`, or of the last part of the log that PostgreSQL archived.',
    },
    file: textOrNull,
    folder: { ...textOrNull, description: 'Where the gateway puts backups. Null: it makes none.' },
    schedule: { ...object(plan), type: ['object', 'null'] },
    last_run: runOrNull,
    last_restore_test: runOrNull,
    last_good_run: { ...runOrNull, description: 'The newest backup that has succeeded.' },
    last_good_restore_test: {
      ...runOrNull,
      description: 'The newest test of a restore that has succeeded.',
    },
    backups: list(object({ file: text, bytes: integer, made_at: text })),
  }),
})
const makeBackup = defineRoute({
  method: 'post',
  path: `${operatorPrefix}/backups`,
  who: 'operator',
  summary:
    'Begin a backup of the embedded database and the data folder, and then a test that it can be restored. While one runs, the answer is that one.',
  status: 202,
  answer: shownRun,
  errors: ['bad_request'],
})
const testRestore = defineRoute({
  method: 'post',
  path: `${operatorPrefix}/backups/restore-tests`,
  who: 'operator',
  summary:
    'Begin a test that the newest backup can be restored: its database is started apart from the one in use, its books are checked, and it is removed.',
  status: 202,
  answer: shownRun,
  errors: ['bad_request', 'not_found'],
})
const planBackups = defineRoute({
  method: 'put',
  path: `${operatorPrefix}/backups/schedule`,
  who: 'operator',
  summary: 'Set how often the gateway makes backups, and how many are kept.',
  body: z.strictObject({
    every_hours: z.int().min(0).max(everyHoursMax).describe('0: only when you ask.'),
    kept: z.int().min(1).max(keptMax).describe('Older ones are removed after the next backup.'),
  }),
  once: true,
  answer: object(plan),
  errors: ['bad_request'],
})

export const backupRoutes = [readBackups, makeBackup, testRestore, planBackups] as const

export function addBackupRoutes(
  admin: FastifyInstance,
  { backups, operations }: BackupRoutesDependencies & { operations: Operations },
) {
  const { last, made } = backups

  function ownBackups() {
    if (made !== undefined) return made
    throw fail('bad_request', {
      message:
        'The database is that of DATABASE_URL. Back it up with pg_dump, as docs/operate/backup.md shows.',
    })
  }

  addRoute(admin, readBackups, async () => {
    const [found, schedule, latest, good, files] = await Promise.all([
      last(),
      made?.plan(),
      made?.latest(),
      made?.latestGood(),
      made?.list(),
    ])
    return {
      database: made === undefined ? 'external' : 'embedded',
      last_backup_at: found?.at.toISOString() ?? null,
      file: found?.file ?? null,
      folder: made?.folder ?? null,
      schedule: schedule === undefined ? null : showPlan(schedule),
      last_run: showIfAny(latest?.backup),
      last_restore_test: showIfAny(latest?.['restore-test']),
      last_good_run: showIfAny(good?.backup),
      last_good_restore_test: showIfAny(good?.['restore-test']),
      backups: (files ?? []).map(({ file, bytes, at }) => ({ file, bytes, made_at: at })),
    }
  })
  addRoute(admin, makeBackup, async ({ request }) => {
    const own = ownBackups()
    await operations.announce(request, { action: 'backup.make' })
    return show(await own.begin('backup'))
  })
  addRoute(admin, testRestore, async ({ request }) => {
    const own = ownBackups()
    await operations.announce(request, { action: 'backup.test_restore' })
    return show(await own.begin('restore-test'))
  })
  addRoute(admin, planBackups, async ({ request, body }, reply) => {
    const own = ownBackups()
    const chosen = { everyHours: body.every_hours, kept: body.kept }
    return await operations.perform(
      request,
      reply,
      { action: 'backup.schedule' },
      async (client) => {
        await own.setPlan(chosen, client)
        return showPlan(chosen)
      },
    )
  })
}

const showPlan = ({ everyHours, kept }: Plan) => ({ every_hours: everyHours, kept })

const showIfAny = (of: Run | undefined) => (of === undefined ? null : show(of))

const show = ({ kind, askedBy, file, startedAt, endedAt, ...result }: Run) => ({
  kind,
  state: endedAt === null ? 'running' : result.problem === null ? 'succeeded' : 'failed',
  asked_by: askedBy,
  file,
  started_at: startedAt,
  ended_at: endedAt,
  problem: result.problem,
  bytes: result.bytes,
  accounts: result.accounts,
  postings: result.postings,
})
