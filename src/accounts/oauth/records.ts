// The memory of the authorization server, shared by all gateways. Codes and tokens are known by their hash only.
import { createHash } from 'node:crypto'
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider'
import type { ClientBase } from 'pg'
import { CallError } from '#core/errors.ts'
import { uuidv7 } from '#core/id.ts'
import type { Clock } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'
import { untilNoLongerTrusted } from '../keys/authentication.ts'
import type { KeyOwner, KeyPolicy, Keys } from '../keys/keys.ts'
import { connectionDays } from './endpoints.ts'

export interface OAuthRecords {
  adapterOf(kind: string): Adapter
  /** Forgets the oldest clients that no person has let in, beyond a number of them and of bytes. */
  makeRoomForClient(): Promise<void>
  /**
   * Remembers a key for a client that a person has let in. It is made when the client exchanges its code. Resolves to
   * its id.
   */
  announceKey(announced: AnnouncedKey): Promise<string>
  /** Also revokes the keys of clients that can have no more tokens. */
  forgetOld(): Promise<void>
}

interface AnnouncedKey {
  readonly owner: KeyOwner
  readonly policy: KeyPolicy
  readonly clientId: string
}

interface Row {
  readonly payload: AdapterPayload
  readonly consumedAt: number | null
}

interface Dependencies {
  readonly database: Database
  readonly keys: Keys
  readonly clock: Clock
}

const unusedClientsMax = 10_000
const unusedBytesMax = 10_000_000
const announcedKind = 'AnnouncedKey'
/** Longer than the code lives for which the key was announced. */
const announcedSeconds = 900

/** These stand for secrets: their payload is stored without them. */
const idFields = ['jti', 'uid'] as const

export function createOAuthRecords(dependencies: Dependencies): OAuthRecords {
  const { database, clock } = dependencies
  return {
    adapterOf: (kind) => (kind === 'Session' ? noSessions : createAdapter(dependencies, kind)),
    async makeRoomForClient() {
      await database.query(
        `delete from oauth_record using (
           select hash, row_number() over newest as place, sum(octet_length(payload::text)) over newest as bytes
           from oauth_record r where r.kind = 'Client' and r.expires_at <= now() + $3 * interval '1 second'
             and not exists (select 1 from api_key k where k.client_id = r.payload->>'client_id')
           window newest as (order by r.expires_at desc, r.hash)
         ) unused where oauth_record.hash = unused.hash and (unused.place >= $1 or unused.bytes >= $2)`,
        [unusedClientsMax, unusedBytesMax, unusedClientSeconds],
      )
    },
    async announceKey(announced) {
      const keyId = uuidv7(clock.now())
      await database.query(
        `insert into oauth_record (hash, kind, payload, expires_at)
         values ($1, $2, $3, now() + $4 * interval '1 second')`,
        [hashOf(keyId), announcedKind, JSON.stringify(announced), announcedSeconds],
      )
      return keyId
    },
    async forgetOld() {
      await database.query('delete from oauth_record where expires_at < now()')
      await database.query(
        `update api_key k set revoked_at = now() where k.client_id is not null and k.revoked_at is null
           and k.created_at < now() - interval '1 hour'
           and not exists (select 1 from oauth_record r where r.key_id = k.id and r.kind <> 'Grant')`,
      )
    },
  }
}

const withoutSessionsAndDevices = {
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
}

/** People sign in with the gateway, so the library keeps no sessions of its own. */
const noSessions: Adapter = {
  ...withoutSessionsAndDevices,
  upsert: async () => undefined,
  find: async () => undefined,
  consume: async () => undefined,
  destroy: async () => undefined,
  revokeByGrantId: async () => undefined,
}

function createAdapter(dependencies: Dependencies, kind: string): Adapter {
  const { database } = dependencies
  return {
    async upsert(id, payload, expiresIn) {
      await database.query(
        `insert into oauth_record (hash, kind, payload, key_id, grant_id, expires_at)
         values ($1, $2, $3, (select id from api_key where id = $4::uuid), $5, now() + $6 * interval '1 second')
         on conflict (hash) do update set payload = excluded.payload, expires_at = excluded.expires_at`,
        [
          hashOf(id),
          kind,
          JSON.stringify(withoutIds(payload)),
          payload.accountId ?? null,
          payload.grantId ?? null,
          expiresIn ?? unusedClientSeconds,
        ],
      )
    },
    async find(id) {
      const [row] = await database.query<Row>(
        `select r.payload, extract(epoch from r.consumed_at)::double precision as "consumedAt"
         from oauth_record r left join api_key k on k.id = r.key_id
         where r.hash = $1 and r.kind = $2 and r.expires_at > now() and (r.key_id is null or key_is_valid(k))`,
        [hashOf(id), kind],
      )
      return row && withIds(row, id, kind)
    },
    ...withoutSessionsAndDevices,
    async consume(id) {
      const isUsed = await database.transaction((client) =>
        useUp({ ...dependencies, client }, hashOf(id), kind),
      )
      if (isUsed) return
      // Another gateway was faster: the same code or token came twice at once.
      await endGrantOf(database, id)
      throw new errors.InvalidGrant('already used')
    },
    async destroy(id) {
      if (kind === 'Grant') await endGrantOf(database, id)
      const ended = await database.query(
        'delete from oauth_record where hash = $1 and kind = $2 returning 1',
        [hashOf(id), kind],
      )
      if (kind === 'AccessToken' && ended.length > 0) await untilNoLongerTrusted()
    },
    async revokeByGrantId(grantId) {
      await database.query('delete from oauth_record where grant_id = $1 and kind = $2', [
        grantId,
        kind,
      ])
    },
  }
}

/** Marks a code or token as used. The first use of a code makes the key. False when it was used before. */
async function useUp(
  { keys, client }: Pick<Dependencies, 'keys'> & { client: ClientBase },
  hash: Buffer,
  kind: string,
): Promise<boolean> {
  const { rows } = await client.query<{ keyId: string; grantId: string }>(
    `update oauth_record set consumed_at = now() where hash = $1 and kind = $2 and consumed_at is null
     returning payload->>'accountId' as "keyId", grant_id as "grantId"`,
    [hash, kind],
  )
  const [used] = rows
  if (used !== undefined && kind === 'AuthorizationCode') await makeKey(keys, client, used)
  return used !== undefined
}

/** Makes the key that was announced for a code. A code of an earlier version of the gateway has its key already. */
async function makeKey(
  keys: Keys,
  client: ClientBase,
  { keyId, grantId }: { keyId: string; grantId: string },
) {
  const { rows } = await client.query<{ payload: AnnouncedKey }>(
    'delete from oauth_record where hash = $1 and kind = $2 returning payload',
    [hashOf(keyId), announcedKind],
  )
  const [announced] = rows
  if (announced === undefined) return
  const { owner, policy, clientId } = announced.payload
  const expiresAt = policy.expiresAt && new Date(policy.expiresAt)
  const connection = { clientId, keyId, outer: client }
  await keys.connect(owner, { ...policy, expiresAt }, connection).catch((thrown: unknown) => {
    if (thrown instanceof CallError && thrown.status < 500)
      throw new errors.InvalidGrant(thrown.message)
    throw thrown
  })
  await client.query('update oauth_record set key_id = $1 where grant_id = $2 or hash = $3', [
    keyId,
    grantId,
    hashOf(grantId),
  ])
  // A person has let the client in, so it is remembered for longer.
  await client.query(
    `update oauth_record set expires_at = greatest(expires_at, now() + $2 * interval '1 day')
     where hash = $1 and kind = 'Client'`,
    [hashOf(clientId), connectionDays],
  )
}

/** Ends the key of a grant, and with it every code and token. Resolves once no gateway accepts them. */
async function endGrantOf(database: Database, id: string) {
  await database.query(
    `update api_key set revoked_at = coalesce(revoked_at, now())
     where id = (select key_id from oauth_record where hash = $1) and client_id is not null`,
    [hashOf(id)],
  )
  await untilNoLongerTrusted()
}

/** The library stores clients for ever. Those that no person lets in are forgotten after a day. */
const unusedClientSeconds = 86_400

function withoutIds(payload: AdapterPayload): object {
  const { jti: _jti, uid: _uid, ...rest } = payload
  return rest
}

function withIds({ payload, consumedAt }: Row, id: string, kind: string): AdapterPayload {
  const ids = kind === 'Client' ? {} : Object.fromEntries(idFields.map((field) => [field, id]))
  return { ...payload, ...ids, ...(consumedAt === null ? {} : { consumed: consumedAt }) }
}

const hashOf = (id: string) => createHash('sha256').update(id).digest()
