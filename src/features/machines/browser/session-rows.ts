// The rows of paid browsers. Time alone ends a session: a row needs no gateway to expire.
import type { ClientBase } from 'pg'
import { rightOf } from '#core/access/open-access.ts'
import type { Caller, Owner } from '#core/caller.ts'
import type { RecordEffect } from '#core/effects/effect.ts'
import { fail } from '#core/errors.ts'
import { uuidv7 } from '#core/id.ts'
import type { Micros } from '#core/money.ts'
import type { Clock } from '#core/ports.ts'
import type { CloseReason, PaidSession, PaidStatus, SessionPage } from '#core/session.ts'
import { browserMinutesMax } from '#core/session.ts'
import type { Database } from '#platform/database/database.ts'
import { endingsPerRound, keptDays, recordingsPerRound } from './limits.ts'
import type { RecordingFailure } from './recording/failures.ts'

export interface NewBrowserSession {
  readonly caller: Caller
  readonly minutes: number
  /** What they cost. */
  readonly charged: Micros
  readonly place: 'here' | 'vendor'
  readonly keepAlive?: boolean
  readonly country?: string | undefined
  readonly isRecorded?: boolean
}

/** `pending` until the recording is a file of the account, or has failed. */
export type RecordingState = 'pending' | 'saved' | 'failed'

/** A file, or why there is none. */
type RecordingEnd = { readonly fileId: string } | { readonly failure: RecordingFailure }

export interface BrowserSession extends PaidSession {
  /** By which the vendor finds it. The id of a browser here. */
  readonly name: string
  readonly accountId: string
  /** The key that has rented it. Null for a wallet. */
  readonly keyId: string | null
  /** All that was paid for its minutes. */
  readonly charged: Micros
  /** Orders the session in lists of sessions. Null: it is in none. */
  readonly cursor: string | null
  readonly gatewayId: number | null
  readonly keepAlive: boolean
  readonly country: string | null
  /** Null for a session that is not recorded. */
  readonly recording: RecordingState | null
  readonly recordingFileId: string | null
  readonly recordingFailure: RecordingFailure | null
  readonly startedAtMs: number
  readonly expiresAtMs: number
  readonly endedAt: Date | null
  /** Null while it is open, and where only its minutes have ended it. */
  readonly closeReason: CloseReason | null
}

interface Row {
  id: string
  name: string
  accountId: string
  keyId: string | null
  cursor: string | null
  charged: Micros
  gatewayId: number | null
  keepAlive: boolean
  country: string | null
  recording: RecordingState | null
  recordingFileId: string | null
  recordingFailure: RecordingFailure | null
  paidMinutes: number
  startedAt: Date
  expiresAt: Date
  endedAt: Date | null
  outcome: PaidStatus | null
  closeReason: CloseReason | null
}

const minuteMs = 60_000
const vendor = 'ns_browser'
const columns = `id, name, account_id as "accountId", key_id as "keyId", cursor, charged, gateway_id as "gatewayId", keep_alive as "keepAlive", country,
  recording, recording_file_id as "recordingFileId", recording_failure as "recordingFailure", paid_minutes as "paidMinutes", started_at as "startedAt", expires_at as "expiresAt",
  ended_at as "endedAt", outcome, close_reason as "closeReason"`

interface Extension {
  readonly minutes: number
  /** What they cost. */
  readonly charged: Micros
}

export type BrowserSessionRows = ReturnType<typeof createBrowserSessionRows>

interface Table {
  readonly database: Database
  readonly clock: Clock
  readonly gatewayNumber: number
  readonly perAccountMax: number
}

export function createBrowserSessionRows(table: Table) {
  return {
    ...beginnings(table),
    ...changes(table),
    ...endings(table),
    ...reading(table),
    ...recordings(table),
  }
}

const nowOf = (clock: Clock) => new Date(clock.now())

function read({ outcome, startedAt, expiresAt, ...row }: Row, clock: Clock): BrowserSession {
  const expiresAtMs = expiresAt.getTime()
  const leftMs = Math.max(0, expiresAtMs - clock.now())
  const status = outcome ?? (leftMs > 0 ? 'active' : 'expired')
  return {
    ...row,
    status,
    expiresAtMs,
    startedAtMs: startedAt.getTime(),
    expiresAt: expiresAt.toISOString(),
    remainingMs: status === 'active' ? leftMs : 0,
  }
}

async function one({ database, clock }: Table, sql: string, values: unknown[]) {
  const [row] = await database.query<Row>(sql, values)
  return row && read(row, clock)
}

const find = (table: Table, id: string) =>
  one(table, `select ${columns} from browser_session where id = $1`, [id])

function beginnings(table: Table) {
  const { database, clock, gatewayNumber, perAccountMax } = table
  return {
    /**
     * Resolves to its name, which is its id here. The vendor is asked for it after that, so until its id is known, its
     * call alone decides when it ends. Exact, because the sessions of an account begin one after another. Throws
     * `too_many_inflight`.
     */
    async begin(session: NewBrowserSession, effect: RecordEffect): Promise<string> {
      const { caller, place, minutes, charged, keepAlive = false, country = null } = session
      const { accountId, keyId } = rightOf(caller)
      const recording = session.isRecorded ? 'pending' : null
      const now = nowOf(clock)
      const cursor = uuidv7(now.getTime())
      const name = place === 'here' ? cursor : `tollway-${cursor}`
      const begun =
        place === 'here'
          ? [name, gatewayNumber, new Date(now.getTime() + minutes * minuteMs)]
          : [null, null, 'infinity']
      await database.transaction(async (client) => {
        await effect(client, { kind: 'browser', subject: name })
        await refuseTooMany(client, accountId, now, perAccountMax)
        await client.query(
          `insert into browser_session (id, gateway_id, expires_at, name, cursor, account_id, key_id, keep_alive, country, recording, paid_minutes, charged, started_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
          [
            ...[...begun, name, cursor, accountId, keyId],
            ...[keepAlive, country, recording, minutes, charged, now],
          ],
        )
      })
      return name
    },
    /** The minutes count from when the browser can be used. Undefined when its call has ended before that. */
    start: (name: string, id: string) =>
      one(
        table,
        `update browser_session set id = $2, started_at = $3::timestamptz,
           expires_at = $3::timestamptz + paid_minutes * interval '1 minute'
         where name = $1 and ended_at is null returning ${columns}`,
        [name, id, nowOf(clock)],
      ),
    /** Removes the row of a browser that did not start. */
    async forget(id: string): Promise<void> {
      await database.query('delete from browser_session where id = $1', [id])
    },
  }
}

function changes(table: Table) {
  const { database, clock, gatewayNumber } = table
  return {
    /** Throws `session_closed`, `bad_request`. */
    async extend(
      id: string,
      { minutes, charged }: Extension,
      effect: RecordEffect,
    ): Promise<BrowserSession> {
      const known = await find(table, id)
      if (known === undefined) throw fail('session_closed')
      const { name } = known
      await database.transaction(async (client) => {
        const details = { minutes, charged }
        const changes = [{ kind: 'browser', subject: name }] as const
        await effect(client, { kind: 'browser_minutes', subject: name, details, changes })
        const { rowCount } = await client.query(
          `update browser_session set paid_minutes = paid_minutes + $2::integer, charged = charged + $5,
             expires_at = expires_at + $2::integer * interval '1 minute'
           where name = $1 and ended_at is null and expires_at > $3 and paid_minutes + $2::integer <= $4`,
          [name, minutes, nowOf(clock), browserMinutesMax, charged],
        )
        if (rowCount === 0) throw refuseExtension(await find(table, id))
      })
      const extended = await find(table, id)
      if (extended === undefined) throw fail('session_closed')
      return extended
    },
    /** Makes this gateway the one that runs it. False while another one that lives does. */
    async claim(id: string): Promise<boolean> {
      const claimed = await database.query(
        `update browser_session set gateway_id = $2
         where id = $1 and (gateway_id = $2 or not gateway_lives(gateway_id)) returning 1`,
        [id, gatewayNumber],
      )
      return claimed.length > 0
    },
  }
}

function refuseExtension(session: BrowserSession | undefined) {
  if (session?.status !== 'active') return fail('session_closed')
  return fail('bad_request', {
    message: `A browser session lasts at most ${browserMinutesMax} minutes in all. Extend it by less, or create another one. Nothing was charged.`,
  })
}

/** At `$1`, for the reason `$2` unless its minutes are over. The first end of a session counts. */
const end = `update browser_session set ended_at = $1,
  outcome = case when expires_at <= $1 then 'expired' else 'released' end,
  close_reason = coalesce(close_reason, case when expires_at <= $1 then 'lifetime' else $2 end)
  where ended_at is null`

/** What is ended by this statement is ended at the vendor too, by a gateway that the vendor is known to. */
const endThere = (statement: string) =>
  `with ended as (${statement} returning name, id)
   select end_at_vendor('${vendor}', name, id) from ended`

function endings({ database, clock }: Table) {
  return {
    /** Of a browser of this machine, or of one that has ended at the vendor. */
    async end(id: string, reason: CloseReason): Promise<void> {
      await database.query(`${end} and id = $3`, [nowOf(clock), reason, id])
    },
    async endAtVendor(id: string, reason: CloseReason): Promise<void> {
      await database.query(endThere(`${end} and id = $3`), [nowOf(clock), reason, id])
    },
    /** Ends sessions of the vendor with minutes that are over, or whose renter has lost the right to them. */
    async endDue(): Promise<void> {
      await database.query(
        endThere(`${end} and name in (
          select name from browser_session where gateway_id is null and id is not null and ended_at is null
            and (expires_at <= $1 or not access_is_good(account_id, key_id))
          order by expires_at limit ${endingsPerRound} for update skip locked)`),
        [nowOf(clock), 'key_ended' satisfies CloseReason],
      )
    },
    async forgetOld(): Promise<void> {
      await database.query(
        `delete from browser_session where coalesce(ended_at, expires_at) < $1::timestamptz - $2 * interval '1 day'`,
        [nowOf(clock), keptDays],
      )
    },
  }
}

function reading(table: Table) {
  const { database, clock } = table
  return {
    find: (id: string) => find(table, id),
    /** Newest first. */
    async listOwned(owner: Owner, { after, limit, live }: SessionPage) {
      const rows = await database.query<Row>(
        `select ${columns} from browser_session
         where account_id = $1 and ($2::uuid is null or key_id = $2) and cursor is not null and id is not null
           and ($3::uuid is null or cursor < $3) and (not $4 or (ended_at is null and expires_at > $5))
         order by cursor desc limit $6`,
        [owner.accountId, owner.keyId ?? null, after ?? null, live, nowOf(clock), limit],
      )
      return rows.map((row) => read(row, clock))
    },
    findOwned: ({ accountId, keyId }: Owner, id: string) =>
      one(
        table,
        `select ${columns} from browser_session
         where id = $1 and account_id = $2 and ($3::uuid is null or key_id = $3)`,
        [id, accountId, keyId ?? null],
      ),
    /** Newest first, for the operator. */
    async listActive(limit: number): Promise<readonly BrowserSession[]> {
      const rows = await database.query<Row>(
        `select ${columns} from browser_session where id is not null and ended_at is null and expires_at > $1
         order by started_at desc limit $2`,
        [nowOf(clock), limit],
      )
      return rows.map((row) => read(row, clock))
    },
  }
}

function recordings({ database, clock, gatewayNumber }: Table) {
  return {
    /** Recordings to finish, of sessions that are over and that no other living gateway runs. The oldest first. */
    recordingsDue: () =>
      database.query<{ id: string; accountId: string; endedAt: Date; isOurs: boolean }>(
        `select id, account_id as "accountId", coalesce(ended_at, expires_at) as "endedAt",
           gateway_id = $2 as "isOurs" from browser_session
         where recording = 'pending' and (ended_at is not null or expires_at <= $1)
           and (gateway_id = $2 or not gateway_lives(gateway_id))
         order by expires_at limit ${recordingsPerRound}`,
        [nowOf(clock), gatewayNumber],
      ),
    async endRecording(id: string, end: RecordingEnd): Promise<void> {
      const values = 'fileId' in end ? ['saved', end.fileId, null] : ['failed', null, end.failure]
      await database.query(
        `update browser_session set recording = $2, recording_file_id = $3, recording_failure = $4
         where id = $1 and recording = 'pending'`,
        [id, ...values],
      )
    },
  }
}

async function refuseTooMany(
  client: ClientBase,
  accountId: string,
  now: Date,
  perAccountMax: number,
) {
  await client.query(`select pg_advisory_xact_lock(hashtext('browser_session'), hashtext($1))`, [
    accountId,
  ])
  const { rows } = await client.query(
    `select count(*)::int as open from browser_session where account_id = $1 and ended_at is null and expires_at > $2`,
    [accountId, now],
  )
  if (rows[0].open < perAccountMax) return
  throw fail('too_many_inflight', {
    message: `Your account has ${perAccountMax} browsers open, the most at once. Release one with release_session. Nothing was charged.`,
  })
}
