// Vendors' keys that the operator has pasted, sealed in the database. A gateway uses a changed key within a second.
import type { ClientBase } from 'pg'
import type { Log } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'
import { openSealedText, sealText } from '#platform/sealed-text.ts'

export interface ProviderKeys {
  /** By the ids of the providers, as this gateway knows them. */
  current(): ReadonlyMap<string, string>
  /** Sealed with another secret than that of this gateway. */
  unreadable(): ReadonlySet<string>
  /** Resolves to whether `current` has changed. */
  follow(): Promise<boolean>
  list(): Promise<readonly { readonly provider: string; readonly setAt: Date }[]>
  /** In the transaction of the caller. */
  set(provider: string, key: string, client: ClientBase): Promise<void>
  /** Resolves to false where there is none. */
  remove(provider: string, client: ClientBase): Promise<boolean>
}

interface Row {
  readonly provider: string
  readonly revision: number
  readonly sealed: Buffer
}

const readRevisions = {
  name: 'provider-key-revisions',
  text: 'select provider, revision from provider_key order by provider',
}

/** A key that was sealed for one provider is not opened for another. */
const bound = (provider: string, key: string) => `${provider}\n${key}`

export function createProviderKeys({
  database,
  secret,
  log,
}: {
  readonly database: Database
  readonly secret: string
  readonly log: Log
}): ProviderKeys {
  let revisions = ''
  let keys: ReadonlyMap<string, string> = new Map()
  let unreadable: ReadonlySet<string> = new Set()

  function open({ provider, sealed }: Row): string | undefined {
    const text = openSealedText(sealed, secret)
    const prefix = bound(provider, '')
    return text?.startsWith(prefix) ? text.slice(prefix.length) : undefined
  }

  return {
    current: () => keys,
    unreadable: () => unreadable,
    async follow() {
      const found = JSON.stringify(await database.queryTogether(readRevisions))
      if (found === revisions) return false
      const rows = await database.query<Row>(
        'select provider, revision, sealed from provider_key order by provider',
      )
      const opened = rows.map((row) => [row.provider, open(row)] as const)
      keys = new Map(opened.flatMap(([id, key]) => (key === undefined ? [] : [[id, key] as const])))
      unreadable = new Set(opened.flatMap(([id, key]) => (key === undefined ? [id] : [])))
      for (const provider of unreadable)
        log.error(
          { provider },
          'The stored key of a provider cannot be opened. Give all gateways the same PROVIDER_SEALING_KEY, or paste the key again.',
        )
      revisions = JSON.stringify(rows.map(({ provider, revision }) => ({ provider, revision })))
      return true
    },
    list: () =>
      database.query('select provider, set_at as "setAt" from provider_key order by provider'),
    async set(provider, key, client) {
      await client.query(
        `insert into provider_key (provider, sealed) values ($1, $2)
         on conflict (provider) do update set sealed = excluded.sealed, set_at = now(),
           revision = nextval(pg_get_serial_sequence('provider_key', 'revision'))`,
        [provider, sealText(bound(provider, key), secret)],
      )
    },
    async remove(provider, client) {
      const { rowCount } = await client.query('delete from provider_key where provider = $1', [
        provider,
      ])
      return rowCount === 1
    },
  }
}
