// Keeps the extractions of this machine in the database: their results, and when a gateway last worked on them.
import type { Database } from '#platform/database/database.ts'
import type { ExtractionWish } from '../../extraction/extractor.ts'

export interface StoredExtraction {
  readonly wish: ExtractionJob
  readonly state: 'processing' | 'completed' | 'failed'
  readonly expiresAt: Date
  readonly results: readonly { readonly place: number; readonly result: object }[]
}

export interface ExtractionJob extends ExtractionWish {
  readonly urls: readonly string[]
  readonly basis?: boolean | undefined
}

export interface ExtractionStore {
  create(id: string, job: ExtractionJob): Promise<void>
  find(id: string): Promise<StoredExtraction | undefined>
  save(id: string, place: number, result: object): Promise<void>
  end(id: string, state: 'completed' | 'failed'): Promise<void>
  /** True when no gateway has worked on the extraction for a while. The caller then takes it over. */
  takeOver(id: string): Promise<boolean>
}

/** Longer than the slowest page takes. */
const silenceSecondsMax = 300
const lifetimeHours = 24

export function createExtractionStore(database: Database): ExtractionStore {
  return {
    async create(id, job) {
      await database.query(
        `with old as (delete from own_extraction where created_at < now() - $3 * interval '1 hour')
         insert into own_extraction (id, input) values ($1, $2)`,
        [id, JSON.stringify(job), lifetimeHours],
      )
    },
    async find(id) {
      const [found] = await database.query<Omit<StoredExtraction, 'results'>>(
        `select input as wish, state, created_at + $2 * interval '1 hour' as "expiresAt"
         from own_extraction where id = $1`,
        [id, lifetimeHours],
      )
      if (found === undefined) return undefined
      const results = await database.query<{ place: number; result: object }>(
        'select place, result from own_extraction_result where extraction_id = $1 order by place',
        [id],
      )
      return { ...found, results }
    },
    async save(id, place, result) {
      await database.query(
        `with heard as (update own_extraction set heard_of_at = now() where id = $1)
         insert into own_extraction_result (extraction_id, place, result) values ($1, $2, $3)
         on conflict do nothing`,
        [id, place, JSON.stringify(result)],
      )
    },
    async end(id, state) {
      await database.query('update own_extraction set state = $2 where id = $1', [id, state])
    },
    async takeOver(id) {
      const taken = await database.query(
        `update own_extraction set heard_of_at = now() where id = $1 and state = 'processing'
         and heard_of_at < now() - $2 * interval '1 second' returning 1`,
        [id, silenceSecondsMax],
      )
      return taken.length > 0
    },
  }
}
