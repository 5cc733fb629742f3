// Keeps what became of the renders of a project. Their jobs are the runner's.
import type { Database } from '#platform/database/database.ts'

export interface StoredRender {
  readonly id: string
  readonly intent: 'preview' | 'final'
  readonly status: 'rendering' | 'complete' | 'failed'
  readonly fileId: string | null
  readonly durationSec: number | null
  readonly error: string | null
  readonly createdAt: Date
}

export interface RenderStore {
  /** Repeating it changes nothing: a job may be run again. */
  begin(id: string, projectId: string, intent: StoredRender['intent']): Promise<void>
  complete(id: string, film: { fileId: string; durationSec: number }): Promise<void>
  fail(id: string, error: string): Promise<void>
  /** The newest first. */
  list(projectId: string): Promise<readonly StoredRender[]>
}

const listedMax = 20

/** Longer than a render's job lives with all its tries. One that has not ended by then was stopped. */
const lifetimeMinutes = 180

export function createRenderStore({ database }: { readonly database: Database }): RenderStore {
  return {
    async begin(id, projectId, intent) {
      await database.query(
        'insert into film_render (id, project_id, intent) values ($1, $2, $3) on conflict do nothing',
        [id, projectId, intent],
      )
    },
    async complete(id, { fileId, durationSec }) {
      await database.query(
        'update film_render set ended_at = now(), file_id = $2, duration_sec = $3 where id = $1',
        [id, fileId, durationSec],
      )
    },
    async fail(id, error) {
      await database.query(
        'update film_render set ended_at = now(), error = $2 where id = $1 and ended_at is null',
        [id, error],
      )
    },
    async list(projectId) {
      const rows = await database.query<
        Omit<StoredRender, 'status'> & { readonly hasEnded: boolean; readonly isStopped: boolean }
      >(
        `select id, intent, file_id as "fileId", duration_sec as "durationSec", error, created_at as "createdAt",
           ended_at is not null as "hasEnded", created_at < now() - $2 * interval '1 minute' as "isStopped"
         from film_render where project_id = $1 order by created_at desc, id desc limit $3`,
        [projectId, lifetimeMinutes, listedMax],
      )
      return rows.map(({ hasEnded, isStopped, ...render }) => {
        if (render.fileId !== null) return { ...render, status: 'complete' }
        if (!hasEnded && !isStopped) return { ...render, status: 'rendering' }
        return { ...render, status: 'failed', error: render.error ?? 'The render was stopped.' }
      })
    },
  }
}
