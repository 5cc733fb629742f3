// Documents in the database that every gateway keeps in memory. A gateway reads again which ones have changed whenever
// it reads its prices again. `table` and `<table>_revision` have the columns that the queries name.
import type { ClientBase } from 'pg'
import type { Log } from '#core/ports.ts'
import type { Database } from './database.ts'

/**
 * The revision of what is saved now: a time, in microseconds. Callers read it, and a number that counts would tell them
 * how much others save. It is unique, because caches know a document by it alone.
 */
const newRevision = '(extract(epoch from clock_timestamp()) * 1000000)::bigint'

/** Earlier revisions that are kept of each. */
const revisionsMax = 20

export interface StoredDocument<Document> {
  readonly name: string
  readonly document: Document
  readonly revision: number
  readonly savedAt: Date
}

export interface DocumentRevision {
  readonly revision: number
  readonly savedAt: Date
}

export interface VersionedDocuments<Document> {
  /** As this gateway has read them. */
  current(): readonly StoredDocument<Document>[]
  /** Brings `current` up to date. Resolves to whether it differs. */
  follow(): Promise<boolean>
  /** From the database, in the transaction of `client` and locked if it is given. */
  find(name: string, client?: ClientBase): Promise<StoredDocument<Document> | undefined>
  /** Newest first. */
  revisions(name: string): Promise<readonly DocumentRevision[]>
  findRevision(name: string, revision: number): Promise<Document | undefined>
  /** In the transaction of the caller. Resolves to the new revision. */
  save(name: string, document: Document, client: ClientBase): Promise<number>
  /** Forgets it with its revisions. Resolves to false where there is none. */
  remove(name: string, client: ClientBase): Promise<boolean>
}

interface Row {
  readonly name: string
  readonly revision: number
  readonly document: unknown
  readonly savedAt: Date
}

const columns = 'name, revision, document, saved_at as "savedAt"'

export function createVersionedDocuments<Document>({
  table,
  what,
  readDocument,
  database,
  log,
}: {
  /** A name of the code, and never of a caller. */
  readonly table: string
  /** A document in words: `sold API`. */
  readonly what: string
  /** Throws for what this version cannot read. */
  readonly readDocument: (document: unknown) => Document
  readonly database: Database
  readonly log: Log
}): VersionedDocuments<Document> {
  let known: ReadonlyMap<string, StoredDocument<Document>> = new Map()
  /** Documents that this version cannot read. They are not tried again. */
  const unreadable = new Set<number>()
  const readRevisions = {
    name: `${table}-revisions`,
    text: `select name, revision from ${table} order by name`,
  }

  const read = ({ document, ...row }: Row): StoredDocument<Document> => ({
    ...row,
    document: readDocument(document),
  })

  async function follow() {
    const rows = await database.queryTogether<Pick<Row, 'name' | 'revision'>>(readRevisions)
    const changed = rows.filter(
      ({ name, revision }) => known.get(name)?.revision !== revision && !unreadable.has(revision),
    )
    const names = new Set(rows.map(({ name }) => name))
    const isGone = [...known.keys()].some((name) => !names.has(name))
    if (changed.length === 0 && !isGone) return false
    const documents = await database.query<Row>(
      `select ${columns} from ${table} where name = any($1)`,
      [changed.map(({ name }) => name)],
    )
    const next = new Map([...known].filter(([name]) => names.has(name)))
    for (const row of documents) {
      try {
        next.set(row.name, read(row))
      } catch (error) {
        unreadable.add(row.revision)
        log.error({ err: error, name: row.name }, `A ${what} cannot be read, and is not sold.`)
      }
    }
    known = next
    return true
  }

  return {
    current: () => [...known.values()],
    follow,
    async find(name, client) {
      const text = `select ${columns} from ${table} where name = $1`
      const [row] =
        client === undefined
          ? await database.query<Row>(text, [name])
          : (await client.query<Row>(`${text} for update`, [name])).rows
      return row && read(row)
    },
    revisions: (name) =>
      database.query(
        `select revision, saved_at as "savedAt" from ${table}_revision
         where name = $1 order by revision desc`,
        [name],
      ),
    async findRevision(name, revision) {
      const [row] = await database.query<Pick<Row, 'document'>>(
        `select document from ${table}_revision where name = $1 and revision = $2`,
        [name, revision],
      )
      return row && readDocument(row.document)
    },
    async save(name, document, client) {
      const { rows } = await client.query<{ revision: number }>(
        `insert into ${table} (name, document, revision) values ($1, $2, ${newRevision})
         on conflict (name) do update set document = excluded.document, saved_at = now(),
           revision = greatest(excluded.revision, ${table}.revision + 1)
         returning revision`,
        [name, JSON.stringify(document)],
      )
      const revision = rows[0]?.revision ?? 0
      await client.query(
        `insert into ${table}_revision (name, revision, document, saved_at)
         select name, revision, document, saved_at from ${table} where name = $1`,
        [name],
      )
      await client.query(
        `delete from ${table}_revision where name = $1 and revision not in
           (select revision from ${table}_revision where name = $1 order by revision desc limit $2)`,
        [name, revisionsMax],
      )
      return revision
    },
    async remove(name, client) {
      const { rowCount } = await client.query(`delete from ${table} where name = $1`, [name])
      await client.query(`delete from ${table}_revision where name = $1`, [name])
      return rowCount === 1
    },
  }
}
