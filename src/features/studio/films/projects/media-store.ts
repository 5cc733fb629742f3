// Keeps what is known of imported media. Their bytes are in the caller's files.
import type { Caller } from '#core/caller.ts'
import type { RecordEffect } from '#core/effects/effect.ts'
import { fail } from '#core/errors.ts'
import { isUuid, uuidv7 } from '#core/id.ts'
import type { Clock } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'
import type { ProbedMedia } from '../composition/media.ts'
import { keptDays, mediaPerAccountMax } from '../limits.ts'
import { insertWithin, keyOf, ownerValues } from './owned-rows.ts'

export interface StoredMedia {
  readonly id: string
  readonly fileId: string
  readonly filename: string
  readonly contentType: string
  readonly probe: ProbedMedia
}

export interface MediaStore {
  /** Throws `bad_request` when the caller has too much. */
  add(caller: Caller, media: Omit<StoredMedia, 'id'>, effect: RecordEffect): Promise<StoredMedia>
  /** Throws `not_found`. */
  find(caller: Caller, id: string): Promise<StoredMedia>
  /** The caller's media among `ids`. */
  findAll(caller: Caller, ids: readonly string[]): Promise<ReadonlyMap<string, StoredMedia>>
  forgetOld(): Promise<void>
}

export function createMediaStore(dependencies: {
  readonly database: Database
  readonly clock: Clock
}): MediaStore {
  const { database, clock } = dependencies

  async function findAll(caller: Caller, ids: readonly string[]) {
    const rows = await database.query<StoredMedia>(
      `select id, file_id as "fileId", filename, content_type as "contentType", probe from film_media
       where id = any($3::uuid[]) and account_id = $1 and ($2::uuid is null or key_id = $2)`,
      [...ownerValues(caller), ids.filter(isUuid)],
    )
    return new Map(rows.map((media) => [media.id, media]))
  }

  return {
    async add(caller, media, effect) {
      const id = uuidv7(clock.now())
      const limit = { table: 'film_media', most: mediaPerAccountMax, what: 'media' } as const
      const changes = [{ kind: 'file', subject: media.fileId }] as const
      const made = { kind: 'film_media', subject: id, changes, effect } as const
      await insertWithin(database, { ...limit, ...made, caller }, (client) =>
        client.query(
          `insert into film_media (id, account_id, key_id, file_id, filename, content_type, probe)
           values ($1, $2, $3, $4, $5, $6, $7)`,
          [
            ...[id, caller.accountId, keyOf(caller)],
            ...[media.fileId, media.filename, media.contentType, JSON.stringify(media.probe)],
          ],
        ),
      )
      return { id, ...media }
    },
    async find(caller, id) {
      const media = (await findAll(caller, [id])).get(id)
      if (media !== undefined) return media
      throw fail('not_found', {
        message:
          'Your account has no media with this id. Import a file with upload first. Nothing was charged.',
      })
    },
    findAll,
    async forgetOld() {
      await database.query(
        `delete from film_media where created_at < now() - $1 * interval '1 day'`,
        [keptDays],
      )
    },
  }
}
