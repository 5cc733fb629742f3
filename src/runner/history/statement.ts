// The statement of an account: its calls and all other changes of its balance. Its amounts add up to the balance.
import type { Owner } from '#core/caller.ts'
import { uuidv7Floor } from '#core/id.ts'
import type { Micros } from '#core/money.ts'
import type { Ledger } from '#money/ledger/ledger.ts'
import type { Database } from '#platform/database/database.ts'
import { type CallRecord, callColumns, type ToldCost, toldCost } from './calls.ts'

export type StatementKind = 'call' | 'credit' | 'credit_expired' | 'debit' | 'topup'

export type StatementRow = CallRow | EntryRow

export type CallRow = CallRecord & ToldCost & { readonly kind: 'call'; readonly accountId: string }

export interface EntryRow {
  readonly kind: Exclude<StatementKind, 'call'>
  readonly id: string
  readonly accountId: string
  /** Negative for a debit, and for credit that expired. */
  readonly amount: Micros
  readonly reason: string | null
  /** The call of the wallet that paid a top-up. */
  readonly callId: string | null
  readonly createdAt: Date
}

export interface StatementFilter {
  readonly kind?: StatementKind | undefined
  /** `service/action`, or `service/*`. */
  readonly action?: string | undefined
  readonly state?: CallRecord['state'] | undefined
  readonly keyId?: string | undefined
  /** Bounds of the amount, whether it was taken or added. */
  readonly least?: Micros | undefined
  readonly most?: Micros | undefined
  /** Whether nothing was held for the call, though not as one of its day's free ones. Other changes are never free. */
  readonly isFree?: boolean | undefined
  /** Whether it is one of the free calls of a day. Other changes never are. */
  readonly isWithinFreeCalls?: boolean | undefined
  /** Only calls of actions that are sold: no top-ups. */
  readonly isSold?: boolean | undefined
  /** With what the calls have cost the operator. */
  readonly withCosts?: boolean | undefined
  readonly from?: Date | undefined
  readonly until?: Date | undefined
  /** The id of the last row on the page before. */
  readonly after?: string | undefined
  readonly limit: number
}

export interface StatementSum {
  readonly rows: number
  /** What the calls were charged. */
  readonly charged: Micros
  /** What the rows have done to the balances. */
  readonly change: Micros
}

/** An account, one of its keys, or neither. */
export interface StatementOwner {
  readonly accountId?: string | undefined
  readonly keyId?: string | undefined
}

export interface Statement {
  /** Newest first. Without an account: rows of all accounts. */
  list(owner: StatementOwner, filter: StatementFilter): Promise<StatementRow[]>
  /** Whether more rows than this fit the filter. */
  exceeds(owner: StatementOwner, filter: StatementFilter, rowsMax: number): Promise<boolean>
  /** How many rows fit the filter, and the sums of their amounts. Undefined where they are more than `rowsMax`. */
  sum(
    owner: StatementOwner,
    filter: StatementFilter,
    rowsMax: number,
  ): Promise<StatementSum | undefined>
  /** A row that is not a call. */
  findEntry(owner: Owner | undefined, id: string): Promise<EntryRow | undefined>
}

/** Gateways take the time in call ids from their own clocks, which differ from the database's by less than this. */
const clockSkewMsMax = 600_000

const entryAmount = `case when t.kind in ('debit', 'credit_expired') then -t.amount else t.amount end`

const entryColumns = `e.id, e.account_id as "accountId", t.kind, ${entryAmount} as amount, t.reason, t.call_id as "callId", t.created_at as "createdAt"`

const entryTables = 'statement_entry e join transfer t on t.id = e.transfer_id'

const noRows = { rows: 0, amount: 0 }

type Conditions = ReturnType<typeof createConditions>

/** The conditions of one query with their values. Conditions without a value are left out, so that indexes apply. */
function createConditions() {
  const texts: string[] = []
  const values: unknown[] = []
  return {
    values,
    and(text: (place: string) => string, value: unknown) {
      if (value === undefined) return
      values.push(value)
      texts.push(text(`$${values.length}`))
    },
    get text() {
      return texts.length === 0 ? '' : `where ${texts.join(' and ')}`
    },
  }
}

export function createStatement({
  database,
  ledger,
}: {
  database: Database
  ledger: Pick<Ledger, 'catchUp'>
}): Statement {
  return {
    async list(owner, filter) {
      if (owner.accountId !== undefined) await ledger.catchUp(owner.accountId)
      const [calls, entries] = await Promise.all([
        hasCalls(filter) ? listCalls(database, owner, filter) : [],
        hasEntries(owner, filter) ? listEntries(database, owner, filter) : [],
      ])
      return [...calls, ...entries].sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, filter.limit)
    },
    async exceeds(owner, filter, rowsMax) {
      const limit = `limit ${rowsMax + 1}`
      const count = async (found: string, { values }: Conditions) => {
        const [row] = await database.query<{ rows: number }>(
          `select count(*) as rows from (${found}) found`,
          values,
        )
        return row?.rows ?? 0
      }
      const ofCalls = callsWhere(owner, filter)
      const calls = hasCalls(filter) ? await count(selectCalls('1', ofCalls, limit), ofCalls) : 0
      if (calls > rowsMax || !hasEntries(owner, filter)) return calls > rowsMax
      const ofEntries = entriesWhere(owner, filter)
      const entries = await count(
        `select 1 from ${entryTables} ${ofEntries.text} ${limit}`,
        ofEntries,
      )
      return calls + entries > rowsMax
    },
    async sum(owner, filter, rowsMax) {
      if (owner.accountId !== undefined) await ledger.catchUp(owner.accountId)
      const limit = `limit ${rowsMax + 1}`
      const add = async (found: string, { values }: Conditions) => {
        const [row] = await database.query<{ rows: number; amount: Micros }>(
          `select count(*) as rows, coalesce(sum(amount), 0)::bigint as amount from (${found}) found`,
          values,
        )
        return row ?? noRows
      }
      const ofCalls = callsWhere(owner, filter)
      const ofEntries = entriesWhere(owner, filter)
      const [calls, entries] = await Promise.all([
        hasCalls(filter) ? add(selectCalls('charged as amount', ofCalls, limit), ofCalls) : noRows,
        hasEntries(owner, filter)
          ? add(
              `select ${entryAmount} as amount from ${entryTables} ${ofEntries.text} ${limit}`,
              ofEntries,
            )
          : noRows,
      ])
      const rows = calls.rows + entries.rows
      if (rows > rowsMax) return undefined
      return { rows, charged: calls.amount, change: entries.amount - calls.amount }
    },
    async findEntry(owner, id) {
      if (owner?.keyId !== undefined) return undefined
      const where = createConditions()
      where.and((place) => `e.id = ${place}`, id)
      where.and((place) => `e.account_id = ${place}`, owner?.accountId)
      const [entry] = await database.query<EntryRow>(
        `select ${entryColumns} from ${entryTables} ${where.text}`,
        where.values,
      )
      return entry
    },
  }
}

const hasCalls = ({ kind }: StatementFilter) => kind === undefined || kind === 'call'

/** A limited key sees its own calls only. Only calls have a key or an action, or can fail. */
const hasEntries = (
  owner: StatementOwner,
  { kind, action, keyId, state, isFree, isWithinFreeCalls }: StatementFilter,
) =>
  kind !== 'call' &&
  isFree !== true &&
  isWithinFreeCalls !== true &&
  owner.keyId === undefined &&
  keyId === undefined &&
  action === undefined &&
  (state === undefined || state === 'settled')

async function listCalls(
  database: Database,
  owner: StatementOwner,
  filter: StatementFilter,
): Promise<CallRow[]> {
  const where = callsWhere(owner, filter)
  const columns = `${callColumns}, 'call' as kind, account_id as "accountId"`
  const newest = `order by id desc limit ${filter.limit}`
  const selected = `${selectCalls(columns, where, newest)} ${newest}`
  return await database.query<CallRow>(
    filter.withCosts
      ? `select l.*, ${toldCost('l.id')} from (${selected}) l order by l.id desc`
      : selected,
    where.values,
  )
}

/** Ended calls and open ones have indexes of their own. `rest` ends both selections. */
const selectCalls = (columns: string, { text }: Conditions, rest: string) =>
  ["state <> 'held'", "state = 'held'"]
    .map((part) => `${text === '' ? 'where' : `${text} and`} ${part}`)
    .map((where) => `(select ${columns} from call ${where} ${rest})`)
    .join(' union all ')

function callsWhere(owner: StatementOwner, filter: StatementFilter): Conditions {
  const { action, state, keyId, least, most, isFree, isSold, from, until, after } = filter
  const where = createConditions()
  where.and((place) => `account_id = ${place}`, owner.accountId)
  where.and((place) => `key_id = ${place}`, owner.keyId)
  if (action?.endsWith('/*'))
    where.and((place) => `starts_with(action, ${place})`, action.slice(0, -1))
  else where.and((place) => `action = ${place}`, action)
  where.and((place) => `state = ${place}`, state)
  where.and((place) => `key_id = ${place}`, keyId)
  where.and((place) => `charged >= ${place}`, least)
  where.and((place) => `charged <= ${place}`, most)
  where.and((place) => `(held = 0 and not within_free_calls) = ${place}`, isFree)
  where.and((place) => `within_free_calls = ${place}`, filter.isWithinFreeCalls)
  where.and((place) => `(action <> 'topups') = ${place}`, isSold)
  where.and((place) => `created_at >= ${place}`, from)
  where.and((place) => `created_at < ${place}`, until)
  where.and((place) => `id < ${place}`, after)
  where.and((place) => `id >= ${place}`, from && uuidv7Floor(from.getTime() - clockSkewMsMax))
  where.and((place) => `id < ${place}`, until && uuidv7Floor(until.getTime() + clockSkewMsMax))
  return where
}

async function listEntries(
  database: Database,
  owner: StatementOwner,
  filter: StatementFilter,
): Promise<EntryRow[]> {
  const where = entriesWhere(owner, filter)
  return await database.query(
    `select ${entryColumns} from ${entryTables} ${where.text} order by e.id desc limit ${filter.limit}`,
    where.values,
  )
}

function entriesWhere(
  owner: StatementOwner,
  { kind, least, most, from, until, after }: StatementFilter,
): Conditions {
  const where = createConditions()
  where.and((place) => `e.account_id = ${place}`, owner.accountId)
  where.and((place) => `t.kind = ${place}`, kind)
  where.and((place) => `t.amount >= ${place}`, least)
  where.and((place) => `t.amount <= ${place}`, most)
  where.and((place) => `t.created_at >= ${place}`, from)
  where.and((place) => `t.created_at < ${place}`, until)
  where.and((place) => `e.id < ${place}`, after)
  return where
}
