// /api/v1/admin/backups: when the data was last backed up.
import type { FastifyInstance } from 'fastify'
import { addRoute } from '../../doors/add-route.ts'
import { defineRoute, operatorPrefix } from '../../doors/route.ts'
import { object, textOrNull } from '../../doors/shapes.ts'

export interface BackupRoutesDependencies {
  readonly backups: {
    /** The embedded one is backed up by `tollway backup`. */
    readonly database: 'embedded' | 'external'
    readonly last: () => Promise<{ readonly at: Date; readonly file?: string } | undefined>
  }
}

export const readBackups = defineRoute({
  method: 'get',
  path: `${operatorPrefix}/backups`,
  who: 'operator',
  summary: 'When the data was last backed up.',
  answer: object({
    database: {
      enum: ['embedded', 'external'],
      description: 'external: of DATABASE_URL. What pg_dump makes of it cannot be seen.',
    },
    last_backup_at: {
      ...textOrNull,
      description: 'Of `tollway backup`, or of the last part of the log that PostgreSQL archived.',
    },
    file: textOrNull,
  }),
})

export function addBackupRoute(admin: FastifyInstance, { backups }: BackupRoutesDependencies) {
  addRoute(admin, readBackups, async () => {
    const last = await backups.last()
    return {
      database: backups.database,
      last_backup_at: last?.at.toISOString() ?? null,
      file: last?.file ?? null,
    }
  })
}
