// What the rooms keep in the database, in the order in which they build on each other.
import path from 'node:path'
import type { Schema } from '#platform/database/schema.ts'
import functions from './schema-functions.json' with { type: 'json' }

/** The rooms with a folder `schema`. */
export const roomsWithTables = [
  'accounts',
  'money',
  'runner',
  'features/web/reading',
  'features/storage/files',
  'features/studio/films',
  'features/storage/mail',
  'features/machines/repositories',
  'features/machines/browser',
  'features/machines/compute',
  'features/web/site-index',
  'features/knowledge/people',
  'features/models/llm',
  'features/models/batches',
  'platform/secrets',
  'platform/neighbours',
  'features/selling',
  'features/knowledge/plans',
  'platform/backups',
] as const

/**
 * Gateways with functions of this version and later run side by side. A test compares the signatures of that version
 * with the current ones; only a release for which all gateways must be stopped raises it.
 */
export const functionsFrom = 40

export const schema: Schema = {
  folders: roomsWithTables.map((room) => path.join(import.meta.dirname, '..', room, 'schema')),
  functionsVersion: functions.version,
  functionsFrom,
}
