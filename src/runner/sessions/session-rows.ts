// The rows of sessions. Their resources' states are encrypted, because they may hold credentials of a vendor.
import type { ClientBase } from 'pg'
import type { Owner } from '#core/caller.ts'
import type { Micros } from '#core/money.ts'
import type { CloseReason, Usage } from '#core/session.ts'
import type { Database } from '#platform/database/database.ts'
import { openSealedText, sealText } from '#platform/sealed-text.ts'
import type { Tariff } from './metering.ts'

export interface SessionRow {
  readonly id: string
  readonly accountId: string
  readonly keyId: string | null
  readonly action: string
  readonly state: 'opening' | 'open' | 'suspended' | 'closing' | 'closed'
  readonly callId: string | null
  /** What its open call holds. Null without one. */
  readonly held: Micros | null
  readonly gatewayId: number
  readonly machine: string | null
  readonly tariff: Tariff
  readonly perSecond: Usage
  readonly used: Usage
  readonly reserve: Micros
  readonly ceiling: Micros | null
  readonly settled: Micros
  readonly resource: Buffer | null
  readonly closeReason: CloseReason | null
  readonly createdAt: Date
  readonly lastSeenAt: Date
  readonly lastUsedAt: Date
  readonly endedAt: Date | null
  readonly unsavedSince: Date | null
}

export interface NewSession {
  readonly id: string
  readonly accountId: string
  readonly keyId: string | null
  readonly action: string
  readonly machine: string | null
  readonly tariff: Tariff
  readonly reserve: Micros
  readonly ceiling: Micros | null
  readonly nowMs: number
}

/** What a gateway knows of a session that it owns. */
export interface Sighting {
  readonly id: string
  readonly used: Usage
  readonly lastUsedAtMs: number
  /** Since when its files could not be saved. */
  readonly unsavedSinceMs: number | null
}

export interface Census {
  readonly action: string
  readonly open: number
  readonly suspended: number
  /** Closed and settled, with a resource that could not be removed yet. */
  readonly closing: number
}

export type SessionRows = ReturnType<typeof createSessionRows>

const columns = `id, account_id as "accountId", key_id as "keyId", action, state, call_id as "callId",
  (select c.held from call c where c.id = session.call_id and c.state = 'held') as held, gateway_id as "gatewayId",
  machine, tariff, per_second as "perSecond", used, reserve, ceiling, settled, resource, close_reason as "closeReason",
  created_at as "createdAt", last_seen_at as "lastSeenAt", last_used_at as "lastUsedAt", ended_at as "endedAt",
  unsaved_since as "unsavedSince"`

const perRoundMax = 100
/**
 * A machine whose gateway has stopped continues its sessions itself if another gateway starts on it within this time.
 */
const machineReturnsWithinMs = 60_000

interface Place {
  readonly database: Database
  readonly gatewayNumber: number
  /** The name of this machine. */
  readonly machine: string
  /** Encrypts the states of resources. */
  readonly secret: string
}

export function createSessionRows(place: Place) {
  return {
    ...beginnings(place),
    ...changes(place),
    ...endings(place),
    ...ownership(place),
    ...reading(place),
  }
}

const at = (ms: number) => new Date(ms)

/** A session and its calls. */
function beginnings({ database, gatewayNumber, machine }: Place) {
  return {
    /** The open call of a wallet that has paid for a session. */
    async paidCall(
      callId: string,
      client: ClientBase,
    ): Promise<{ readonly accountId: string; readonly held: Micros } | undefined> {
      const { rows } = await client.query<{ accountId: string; held: Micros }>(
        `select account_id as "accountId", held from call where id = $1 and state = 'held' and job`,
        [callId],
      )
      return rows[0]
    },
    /** The input of a wallet's session that is still to be opened. */
    async inputOf({ id }: SessionRow): Promise<unknown> {
      const [call] = await database.query<{ input: string | null }>(
        'select input from call where id = $1',
        [id],
      )
      return call?.input == null ? undefined : JSON.parse(call.input)
    },
    /** The sessions of an action on this machine. A resource that every gateway reaches counts where it is metered. */
    async countHere(action: string): Promise<number> {
      const [row] = await database.query<{ count: number }>(
        `select count(*)::integer as count from session
         where action = $1 and state in ('opening', 'open') and case when machine is null then gateway_id = $2 else machine = $3 end`,
        [action, gatewayNumber, machine],
      )
      return row?.count ?? 0
    },
    /** The sessions of an account and action that are not closed. */
    async countOf(accountId: string, action: string, client: ClientBase): Promise<number> {
      const { rows } = await client.query<{ count: number }>(
        `select count(*)::integer as count from session
         where account_id = $1 and action = $2 and state in ('opening', 'open', 'suspended')`,
        [accountId, action],
      )
      return rows[0]?.count ?? 0
    },
    /** In the transaction that holds the money: neither exists without the other. */
    async insert(session: NewSession, client: ClientBase): Promise<void> {
      const { id, accountId, keyId, action, tariff, reserve, ceiling } = session
      await client.query(
        `insert into session (id, account_id, key_id, action, call_id, gateway_id, machine, tariff, reserve, ceiling, created_at,
           last_seen_at, last_used_at)
         values ($1, $2, $3, $4, $1, $5, $6, $7, $8, $9, $10, $10, $10)
         on conflict (id) do nothing`,
        [
          ...[id, accountId, keyId, action, gatewayNumber, session.machine],
          ...[JSON.stringify(tariff), reserve, ceiling, at(session.nowMs)],
        ],
      )
      await neverExpires(client, id)
    },
    /** The next call of a session. False when the session has ended meanwhile. */
    async attach(id: string, callId: string, client: ClientBase): Promise<boolean> {
      const { rowCount } = await client.query(
        `update session set call_id = $2 where id = $1 and state in ('opening', 'open') and gateway_id = $3
           and (call_id is null or call_id = $2)`,
        [id, callId, gatewayNumber],
      )
      await neverExpires(client, callId)
      return rowCount === 1
    },
  }
}

/** A session that opens, pauses and goes on. */
function changes({ database, gatewayNumber, machine, secret }: Place) {
  return {
    /** The resource is there. False when the session has ended meanwhile. */
    async open(id: string, perSecond: Usage, state: unknown, nowMs: number): Promise<boolean> {
      const opened = await database.query(
        `update session set state = 'open', per_second = $3, resource = $4, last_seen_at = $5, last_used_at = $5
         where id = $1 and gateway_id = $2 and state in ('opening', 'open') returning 1`,
        [
          ...[id, gatewayNumber, JSON.stringify(perSecond)],
          ...[sealText(JSON.stringify(state ?? null), secret), at(nowMs)],
        ],
      )
      return opened.length > 0
    },
    async suspend(id: string, used: Usage, state: unknown, nowMs: number): Promise<boolean> {
      const suspended = await database.query(
        `update session set state = 'suspended', used = $3, resource = $4, last_seen_at = $5, unsaved_since = null
         where id = $1 and gateway_id = $2 and state = 'open' returning 1`,
        [
          ...[id, gatewayNumber, JSON.stringify(used)],
          ...[sealText(JSON.stringify(state ?? null), secret), at(nowMs)],
        ],
      )
      return suspended.length > 0
    },
    /**
     * Takes a suspended session. Undefined when another request was faster, or when another machine has the resource.
     */
    async awaken(id: string): Promise<SessionRow | undefined> {
      const [row] = await database.query<SessionRow>(
        `update session set state = 'opening', gateway_id = $2
         where id = $1 and state = 'suspended' and (machine is null or machine = $3) returning ${columns}`,
        [id, gatewayNumber, machine],
      )
      return row
    },
    /** Puts back a session that could not be continued now. */
    async lullAgain(id: string): Promise<void> {
      await database.query(
        `update session set state = 'suspended' where id = $1 and state = 'opening' and gateway_id = $2`,
        [id, gatewayNumber],
      )
    },
  }
}

/** How a session ends. */
function endings({ database, gatewayNumber }: Place) {
  return {
    /** Stops the meter. Undefined when the session is closed already. The use of the first closing counts. */
    async startClosing(
      id: string,
      reason: CloseReason,
      seen?: { readonly used: Usage; readonly nowMs: number },
    ): Promise<SessionRow | undefined> {
      const [row] = await database.query<SessionRow>(
        `update session set state = 'closing', used = case when state = 'closing' then used else coalesce($3, used) end,
           last_seen_at = case when state = 'closing' then last_seen_at else coalesce($4, last_seen_at) end,
           close_reason = coalesce(close_reason, $2),
           gateway_id = case when state = 'suspended' then $5 else gateway_id end
         where id = $1 and state <> 'closed' returning ${columns}`,
        [id, reason, seen && JSON.stringify(seen.used), seen && at(seen.nowMs), gatewayNumber],
      )
      return row
    },
    /** Nothing is left of the resource. */
    async finishClosing(id: string, nowMs: number): Promise<void> {
      await database.query(
        `update session set state = 'closed', resource = null, ended_at = greatest($2, last_seen_at) where id = $1 and state = 'closing'`,
        [id, at(nowMs)],
      )
    },
  }
}

/** What belongs to this gateway. */
function ownership({ database, gatewayNumber, machine }: Place) {
  return {
    /**
     * Writes the use of open sessions. Resolves to those that this gateway still owns, with the times of their last
     * commands, also at other gateways.
     */
    async see(
      sightings: readonly Sighting[],
      nowMs: number,
    ): Promise<ReadonlyMap<string, { readonly lastUsedAtMs: number }>> {
      const seen = await database.query<{ id: string; lastUsedAt: Date }>(
        `update session s set used = u.used, last_seen_at = $2,
           last_used_at = greatest(s.last_used_at, to_timestamp(u."lastUsedAtMs" / 1000.0)),
           unsaved_since = to_timestamp(u."unsavedSinceMs" / 1000.0)
         from jsonb_to_recordset($1)
           u (id uuid, used jsonb, "lastUsedAtMs" double precision, "unsavedSinceMs" double precision)
         where s.id = u.id and s.state = 'open' and s.gateway_id = $3 returning s.id, s.last_used_at as "lastUsedAt"`,
        [JSON.stringify(sightings), at(nowMs), gatewayNumber],
      )
      return new Map(seen.map(({ id, lastUsedAt }) => [id, { lastUsedAtMs: lastUsedAt.getTime() }]))
    },
    /** A command at a gateway that does not own the session: it is in use until this time at least. */
    async visit(id: string, untilMs: number): Promise<void> {
      await database.query(
        `update session set last_used_at = greatest(last_used_at, $2) where id = $1 and state = 'open'`,
        [id, at(untilMs)],
      )
    },
    /** Sessions of stopped gateways, which belong to this one from now on. */
    takeOver: (nowMs: number) =>
      database.query<SessionRow>(
        `select ${columns} from take_over_sessions($1, $2, $3, $4) session`,
        [gatewayNumber, machine, at(nowMs - machineReturnsWithinMs), perRoundMax],
      ),
    /** Sessions of this gateway that should be open, apart from those that it knows. */
    ownedExcept: (known: readonly string[]) =>
      database.query<SessionRow>(
        `select ${columns} from session
         where gateway_id = $1 and state in ('opening', 'open') and id <> all ($2::uuid[]) limit $3`,
        [gatewayNumber, known, perRoundMax],
      ),
    /** Sessions of this gateway whose resources are still to be removed. */
    toRemove: () =>
      database.query<SessionRow>(
        `select ${columns} from session
         where gateway_id = $1 and state = 'closing' and (machine is null or machine = $2) order by random() limit $3`,
        [gatewayNumber, machine, perRoundMax],
      ),
  }
}

/** Sessions for their owners and for the operator. */
function reading({ database, gatewayNumber, machine, secret }: Place) {
  return {
    async find({ accountId, keyId }: Owner, id: string): Promise<SessionRow | undefined> {
      const [row] = await database.query<SessionRow>(
        `select ${columns} from session where id = $1 and account_id = $2 and ($3::uuid is null or key_id = $3)`,
        [id, accountId, keyId ?? null],
      )
      return row
    },
    async get(id: string): Promise<SessionRow | undefined> {
      const [row] = await database.query<SessionRow>(
        `select ${columns} from session where id = $1`,
        [id],
      )
      return row
    },
    /** Lists sessions, the newest first. Without an owner it lists those of all accounts. */
    list: (
      owner: Partial<Owner>,
      { after, limit, live }: { after?: string | undefined; limit: number; live?: boolean },
    ) =>
      database.query<SessionRow>(
        `select ${columns} from session
         where ($1::uuid is null or account_id = $1) and ($2::uuid is null or key_id = $2) and ($3::uuid is null or id < $3)
           and ($4 is not true or state <> 'closed')
         order by id desc limit $5`,
        [owner.accountId ?? null, owner.keyId ?? null, after ?? null, live ?? null, limit],
      ),
    /** How many sessions each action has here, and how many resources are still to be removed. */
    async census(): Promise<readonly Census[]> {
      return await database.query<Census>(
        `select action, count(*) filter (where state in ('opening', 'open'))::integer as open,
           count(*) filter (where state = 'suspended')::integer as suspended,
           count(*) filter (where state = 'closing')::integer as closing
         from session where state <> 'closed' and case when machine is null then gateway_id = $1 else machine = $2 end
         group by action order by action`,
        [gatewayNumber, machine],
      )
    },
    stateOf({ resource }: SessionRow): unknown {
      const text = resource === null ? undefined : openSealedText(resource, secret)
      return text === undefined ? undefined : JSON.parse(text)
    },
  }
}

/** The session alone decides when its call ends. */
async function neverExpires(client: ClientBase, callId: string) {
  await client.query(`update call set expires_at = 'infinity' where id = $1`, [callId])
}
