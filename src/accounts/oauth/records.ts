// The memory of the authorization server, shared by all gateways. Codes and tokens are known by their hash only.
import { createHash } from 'node:crypto'
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider'
import type { Database } from '#platform/database/database.ts'
import { untilNoLongerTrusted } from '../keys/authentication.ts'

export interface OAuthRecords {
  adapterOf(kind: string): Adapter
  /** Clients that registered themselves and that no person has let in yet. */
  countUnusedClients(): Promise<number>
  /** A person has let the client in, so that it is remembered for longer. */
  keepClient(clientId: string, days: number): Promise<void>
  /** Also revokes the keys of clients that can have no more tokens. */
  forgetOld(): Promise<void>
}

interface Row {
  readonly payload: AdapterPayload
  readonly consumedAt: number | null
}

/** These stand for secrets: their payload is stored without them. */
const idFields = ['jti', 'uid'] as const

export function createOAuthRecords(database: Database): OAuthRecords {
  return {
    adapterOf: (kind) => (kind === 'Session' ? noSessions : createAdapter(database, kind)),
    async countUnusedClients() {
      const [row] = await database.query<{ count: number }>(
        `select count(*)::integer as count from oauth_record r where r.kind = 'Client' and r.expires_at > now()
           and not exists (select 1 from api_key k where k.client_id = r.payload->>'client_id')`,
      )
      return row?.count ?? 0
    },
    async keepClient(clientId, days) {
      await database.query(
        `update oauth_record set expires_at = greatest(expires_at, now() + $2 * interval '1 day')
         where hash = $1 and kind = 'Client'`,
        [hashOf(clientId), days],
      )
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

function createAdapter(database: Database, kind: string): Adapter {
  return {
    async upsert(id, payload, expiresIn) {
      await database.query(
        `insert into oauth_record (hash, kind, payload, key_id, grant_id, expires_at)
         values ($1, $2, $3, $4, $5, now() + $6 * interval '1 second')
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
      const used = await database.query<{ grantId: string | null }>(
        `update oauth_record set consumed_at = now() where hash = $1 and kind = $2 and consumed_at is null
         returning grant_id as "grantId"`,
        [hashOf(id), kind],
      )
      // Another gateway was faster: the same code or token came twice at once.
      if (used.length === 0) {
        await endGrantOf(database, id)
        throw new errors.InvalidGrant('already used')
      }
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
