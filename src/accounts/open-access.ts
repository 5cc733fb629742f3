// What keys have opened at this gateway. Whether the keys still hold is read from the database several times a second,
// so a revocation at any gateway ends what is open at all of them. While the database is away, nothing new is admitted.
import type { AccessEnd, AccessRight, Door, OpenAccess } from '#core/access/open-access.ts'
import type { Log } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'
import { runEvery } from '#platform/recurring.ts'

/** Requests that end sooner are never looked up. */
const lookIntervalMs = 250
const rightsPerStatementMax = 5_000

interface Entry {
  readonly door: Door
  readonly right: AccessRight
  readonly end: (why: AccessEnd) => void
}

export function createOpenAccess({
  database,
  log,
}: {
  readonly database: Database
  readonly log: Log
}): OpenAccess & { close(): Promise<void> } {
  /** By right. */
  const open = new Map<string, Set<Entry>>()

  function leave(entry: Entry) {
    const name = nameOf(entry.right)
    const others = open.get(name)
    others?.delete(entry)
    if (others?.size === 0) open.delete(name)
  }

  function endAll(ended: EndedRight) {
    const { name } = ended
    const entries = open.get(name) ?? []
    open.delete(name)
    for (const { door, end } of entries) {
      try {
        end(whyOf(ended))
      } catch (error) {
        log.error({ err: error, door }, 'Something that a key had opened was not ended.')
      }
    }
  }

  async function look() {
    const names = [...open.keys()]
    for (let from = 0; from < names.length; from += rightsPerStatementMax) {
      const asked = names.slice(from, from + rightsPerStatementMax)
      for (const ended of await findEnded(database, asked)) endAll(ended)
    }
  }

  const looking = runEvery(lookIntervalMs, look, (error) =>
    log.debug({ err: error }, 'What keys have opened will be checked again.'),
  )

  return {
    async isGood({ accountId, keyId }) {
      const [row] = await database.query<{ isGood: boolean }>(
        'select access_is_good($1, $2) as "isGood"',
        [accountId, keyId],
      )
      return row?.isGood === true
    },
    async whyEnded(right) {
      const [ended] = await findEnded(database, [nameOf(right)])
      return ended && whyOf(ended)
    },
    enter(door, right, end) {
      const entry = { door, right, end }
      const name = nameOf(right)
      const known = open.get(name)
      if (known === undefined) open.set(name, new Set([entry]))
      else known.add(entry)
      return () => leave(entry)
    },
    close: looking.close,
  }
}

const nameOf = ({ accountId, keyId }: AccessRight) => `${accountId} ${keyId ?? ''}`

interface EndedRight {
  readonly name: string
  /** The key itself is valid. */
  readonly isFrozen: boolean
}

const whyOf = ({ isFrozen }: EndedRight): AccessEnd => (isFrozen ? 'frozen' : 'ended')

/** The rights that do not hold any more. */
async function findEnded(database: Database, names: readonly string[]): Promise<EndedRight[]> {
  const rights = names.map((name) => name.split(' '))
  return await database.query<EndedRight>(
    `select r.account_id || ' ' || coalesce(key_id::text, '') as name,
       exists (
         select from account a where a.id = r.account_id and a.frozen_at is not null and (key_id is null or exists (
           select from api_key k where k.id = key_id and k.account_id = a.id and key_is_valid(k)))) as "isFrozen"
     from unnest($1::uuid[], $2::uuid[]) r (account_id, key_id) where not access_is_good(r.account_id, key_id)`,
    [rights.map(([accountId]) => accountId), rights.map(([, keyId]) => keyId || null)],
  )
}
