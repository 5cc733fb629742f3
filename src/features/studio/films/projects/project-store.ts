// Keeps film projects with their compositions.
import type { Caller } from '#core/caller.ts'
import type { Effect, RecordEffect } from '#core/effects/effect.ts'
import { fail } from '#core/errors.ts'
import { isUuid, uuidv7 } from '#core/id.ts'
import type { Clock } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'
import { keptDays, projectsPerAccountMax } from '../limits.ts'
import { insertWithin, keyOf, ownerValues } from './owned-rows.ts'

export interface StoredProject {
  readonly id: string
  readonly name: string
  readonly format: object
  /** Null before the first save. */
  readonly composition: object | null
  /** Version of the composition. Null before the first save. */
  readonly etag: string | null
}

export interface ProjectStore {
  /** Resolves to the project's id. Throws `bad_request` when the caller has too many. */
  create(
    caller: Caller,
    project: Pick<StoredProject, 'name' | 'format'>,
    effect: RecordEffect,
  ): Promise<string>
  /** Throws `not_found`. */
  find(caller: Caller, id: string): Promise<StoredProject>
  /**
   * Replaces the composition and resolves to its new etag. Throws `not_found`, `stale_etag` if `ifMatch` is not the
   * etag, and `unavailable` while another call that makes one of its media may still be undone.
   */
  save(
    caller: Caller,
    id: string,
    saved: {
      readonly composition: object
      readonly mediaIds: readonly string[]
      readonly ifMatch: string | undefined
    },
    effect: RecordEffect,
  ): Promise<string>
  /** Whether another call that makes the project, its composition or one of these media may still be undone. */
  isBeingMade(id: string, mediaIds: readonly string[], callId: string | undefined): Promise<boolean>
  forgetOld(): Promise<void>
}

const gone = () =>
  fail('not_found', {
    message:
      'Your account has no film project with this id. Create one with create_project. Nothing was charged.',
  })

const compositionOf = (id: string, details: object, mediaIds: readonly string[]): Effect => ({
  kind: 'composition',
  subject: id,
  details,
  changes: [{ kind: 'film_project', subject: id }, ...mediaIds.map(mediumOf)],
})

const mediumOf = (subject: string) => ({ kind: 'film_media', subject }) as const

export function createProjectStore(dependencies: {
  readonly database: Database
  readonly clock: Clock
}): ProjectStore {
  const { database, clock } = dependencies

  async function find(caller: Caller, id: string): Promise<StoredProject> {
    const [project] = isUuid(id)
      ? await database.query<Omit<StoredProject, 'etag'> & { readonly version: number }>(
          `select id, name, format, composition, version from film_project
           where id = $3 and account_id = $1 and ($2::uuid is null or key_id = $2)`,
          [...ownerValues(caller), id],
        )
      : []
    if (project === undefined) throw gone()
    const { version, ...rest } = project
    return { ...rest, etag: version === 0 ? null : String(version) }
  }

  return {
    find,
    async create(caller, { name, format }, effect) {
      const id = uuidv7(clock.now())
      const limit = {
        table: 'film_project',
        most: projectsPerAccountMax,
        what: 'projects',
      } as const
      const made = { kind: 'film_project', subject: id, effect } as const
      await insertWithin(database, { ...limit, ...made, caller }, (client) =>
        client.query(
          'insert into film_project (id, account_id, key_id, name, format) values ($1, $2, $3, $4, $5)',
          [id, caller.accountId, keyOf(caller), name, JSON.stringify(format)],
        ),
      )
      return id
    },
    async save(caller, id, { composition, mediaIds, ifMatch }, effect) {
      if (!isUuid(id)) throw gone()
      const version = await database.transaction(async (client) => {
        const { rows } = await client.query<{ version: number; before: object | null }>(
          `update film_project p
           set composition = $4, version = p.version + 1, saved_at = now()
           from (select id, composition from film_project where id = $3 for update) b
           where p.id = b.id and account_id = $1 and ($2::uuid is null or key_id = $2)
             and ($5::text is null or version::text = $5)
           returning version, b.composition as before`,
          [...ownerValues(caller), id, JSON.stringify(composition), ifMatch ?? null],
        )
        const [saved] = rows
        if (saved === undefined) return undefined
        await effect(client, compositionOf(id, saved, mediaIds))
        return saved.version
      })
      if (version !== undefined) return String(version)
      // Not inside the transaction: many at once would wait for each other's connections.
      const { etag } = await find(caller, id)
      throw fail('stale_etag', { data: { etag } })
    },
    async isBeingMade(id, mediaIds, callId) {
      const things = [
        ...(['film_project', 'composition'] as const).map((kind) => ({ kind, subject: id })),
        ...mediaIds.map(mediumOf),
      ]
      const [row] = await database.query<{ isOpen: boolean | null }>(
        `select bool_or(effect_is_open(kind, subject, $2)) as "isOpen"
         from jsonb_to_recordset($1) thing (kind text, subject text)`,
        [JSON.stringify(things), callId ?? null],
      )
      return row?.isOpen === true
    },
    async forgetOld() {
      await database.query(
        `delete from film_project where saved_at < now() - $1 * interval '1 day'`,
        [keptDays],
      )
    },
  }
}
