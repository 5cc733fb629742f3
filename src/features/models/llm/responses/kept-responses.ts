// Responses that are kept, so that their callers can read and continue them. They belong to an account, and those of a
// limited key to that key.
import type { ClientBase } from 'pg'
import type { Owner } from '#core/caller.ts'
import { fail } from '#core/errors.ts'
import type { Clock } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'
import type { ChatFields } from '../conversation/fields.ts'

/** How long a response is kept. */
const keptDays = 30
/** What one response may take, its input included. */
const responseBytesMax = 40_000_000
/** What all responses of an account may take. */
const accountBytesMax = 2_000_000_000
/** How many responses may follow one another. */
const chainLengthMax = 2_000
/** The items of a chain that are read for one request. */
const chainBytesMax = 20_000_000
const rowsPerSweep = 500
const dayMs = 24 * 60 * 60_000

export interface NewResponse {
  /** The id of its call. */
  readonly id: string
  readonly accountId: string
  readonly keyId: string
  readonly previous: string | undefined
  readonly items: readonly ChatFields[]
  /** Of a response in the background: what it is until it has ended. */
  readonly background?: ChatFields | undefined
  /** Absent: it has not ended. */
  readonly response?: ChatFields | undefined
}

export interface KeptResponse {
  readonly id: string
  readonly items: readonly ChatFields[]
  readonly background: ChatFields | undefined
  readonly response: ChatFields | undefined
}

export interface KeptResponses {
  /** Throws `file_quota_exceeded` if the account keeps as much as it may. */
  requireRoom(accountId: string): Promise<void>
  /** Throws `payload_too_large` or `file_quota_exceeded`. Changes nothing if it is there already. */
  add(response: NewResponse): Promise<void>
  /** It is charged. Before that it is not shown, unless the ledger says that it is charged. */
  charged(id: string): Promise<void>
  /** Adds what a response in the background has become. */
  finish(id: string, response: ChatFields): Promise<void>
  find(owner: Owner, id: string): Promise<KeptResponse | undefined>
  /** The response and those before it, oldest first. Undefined if one of them is missing. */
  chain(owner: Owner, id: string): Promise<readonly KeptResponse[] | undefined>
  /** Whether there was one. */
  remove(owner: Owner, id: string): Promise<boolean>
  forgetOld(): Promise<void>
}

interface Row {
  readonly id: string
  readonly items: string
  readonly background: string | null
  readonly response: string | null
}

const read = ({ id, items, background, response }: Row): KeptResponse => ({
  id,
  items: JSON.parse(items),
  background: background === null ? undefined : JSON.parse(background),
  response: response === null ? undefined : JSON.parse(response),
})

const full = () =>
  fail('file_quota_exceeded', {
    message:
      'Your account keeps as many responses as it may. Delete some at DELETE /api/llm/v1/responses/{id}, or send store: false.',
  })

const isOwned = 'account_id = $2 and ($3::uuid is null or key_id = $3)'
/** A gateway may be killed before it has charged a response, or before it has noted that. */
const isCharged = `(k.is_charged or exists (select from call where call.id = k.id and call.state = 'settled'))`

export function createKeptResponses({
  database,
  clock,
}: {
  database: Database
  clock: Clock
}): KeptResponses {
  const owned = ({ accountId, keyId }: Owner) => [accountId, keyId ?? null]

  return {
    async requireRoom(accountId) {
      const [usage] = await database.query<{ bytes: number }>(
        'select bytes from kept_response_usage where account_id = $1',
        [accountId],
      )
      if (usage !== undefined && usage.bytes >= accountBytesMax) throw full()
    },
    async add({ id, accountId, keyId, previous, items, background, response }) {
      const text = (value: unknown) => (value === undefined ? null : JSON.stringify(value))
      const texts = [JSON.stringify(items), text(background), text(response)]
      const bytes = sizeOf(texts)
      const values = [
        id,
        accountId,
        keyId,
        previous ?? null,
        ...texts,
        bytes,
        new Date(clock.now()),
      ]
      await database.transaction(async (client) => {
        const { rows } = await client.query(
          `insert into kept_response (id, account_id, key_id, previous, items, background, response, bytes, created_at, is_charged)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $6::text is not null) on conflict (id) do nothing returning id`,
          values,
        )
        if (rows.length > 0) await count(client, accountId, bytes)
      })
    },
    async charged(id) {
      await database.query('update kept_response set is_charged = true where id = $1', [id])
    },
    async finish(id, response) {
      const text = JSON.stringify(response)
      const bytes = sizeOf([text])
      await database.transaction(async (client) => {
        // A worker that was taken for dead may have written it before.
        const { rows } = await client.query<{ account_id: string; before: number }>(
          `update kept_response k set response = $2, bytes = k.bytes - coalesce(octet_length(k.response), 0) + $3
           from (select id, coalesce(octet_length(response), 0)::bigint as before from kept_response where id = $1 for update) was
           where k.id = was.id returning k.account_id, was.before`,
          [id, text, bytes],
        )
        const [row] = rows
        if (row !== undefined) await count(client, row.account_id, bytes - row.before)
      })
    },
    async find(owner, id) {
      const [row] = await database.query<Row>(
        `select id, items, background, response from kept_response k where id = $1 and ${isOwned} and ${isCharged}`,
        [id, ...owned(owner)],
      )
      return row === undefined ? undefined : read(row)
    },
    async chain(owner, id) {
      const rows = await database.query<Row & { previous: string | null; total: number }>(
        `with recursive chain as (
           select k.*, 1 as place, k.bytes as total from kept_response k where id = $1 and ${isOwned} and ${isCharged}
           union all
           select k.*, chain.place + 1, chain.total + k.bytes from chain join kept_response k on k.id = chain.previous
           where k.account_id = $2 and ${isCharged} and chain.place <= $4 and chain.total <= $5
         )
         select id, items, background, response, previous, total::bigint from chain order by place desc`,
        [id, ...owned(owner), chainLengthMax, chainBytesMax],
      )
      const [oldest] = rows
      if (oldest === undefined) return undefined
      if (rows.length > chainLengthMax || oldest.total > chainBytesMax) throw tooLong()
      return oldest.previous === null ? rows.map(read) : undefined
    },
    async remove(owner, id) {
      return await database.transaction(async (client) => {
        const { rows } = await client.query<{ account_id: string; bytes: number }>(
          `delete from kept_response where id = $1 and ${isOwned} returning account_id, bytes`,
          [id, ...owned(owner)],
        )
        const [row] = rows
        if (row !== undefined) await count(client, row.account_id, -row.bytes)
        return row !== undefined
      })
    },
    async forgetOld() {
      const before = new Date(clock.now() - keptDays * dayMs)
      await database.query(
        `with gone as (
           delete from kept_response where id in (
             select id from kept_response where created_at < $1 order by created_at limit $2 for update skip locked
           ) returning account_id, bytes
         ), freed as (select account_id, sum(bytes) as bytes from gone group by account_id)
         update kept_response_usage u set bytes = greatest(0, u.bytes - freed.bytes)
         from freed where u.account_id = freed.account_id`,
        [before, rowsPerSweep],
      )
    },
  }
}

function sizeOf(texts: readonly (string | null)[]): number {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text ?? ''), 0)
  if (bytes <= responseBytesMax) return bytes
  throw fail('payload_too_large', {
    message: `A response of more than ${responseBytesMax / 1_000_000} MB with its input cannot be kept. Send store: false.`,
  })
}

const tooLong = () =>
  fail('bad_request', {
    message: `The responses before this one are more than ${chainLengthMax}, or larger than ${chainBytesMax / 1_000_000} MB. Send the input that still matters, without previous_response_id.`,
    data: { param: 'previous_response_id' },
  })

/** Adds to what the account keeps. Throws if that is more than it may keep. */
async function count(client: ClientBase, accountId: string, bytes: number): Promise<void> {
  const { rows } = await client.query(
    `insert into kept_response_usage as u (account_id, bytes) values ($1, greatest(0, $2::bigint))
     on conflict (account_id) do update set bytes = greatest(0, u.bytes + $2)
     where $2 <= 0 or u.bytes + $2 <= $3 returning bytes`,
    [accountId, bytes, accountBytesMax],
  )
  if (rows.length === 0) throw full()
}
