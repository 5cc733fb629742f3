// The tables of the simulated database, with an undo log. Rows are never changed, only replaced.

export interface Balance {
  readonly accountId: string
  readonly available: number
  readonly held: number
  readonly inFlight: number
}

export interface ApiKey {
  readonly id: string
  readonly accountId: string
  readonly callMicrosMax: number | null
  readonly dayMicrosMax: number | null
  readonly monthMicrosMax: number | null
}

export interface CallRow {
  readonly id: string
  readonly accountId: string
  readonly keyId: string | null
  readonly paymentId: string | null
  readonly action: string
  readonly inference: boolean
  readonly state: 'held' | 'settled' | 'voided'
  readonly idempotencyKey: string | null
  readonly digest: string | null
  readonly held: number
  readonly charged: number
  readonly cost: number | null
  readonly availableAfter: number | null
  readonly error: string | null
  readonly message: string | null
  readonly output: string | null
  readonly timeline: unknown
  readonly gatewayId: number
  readonly onLease: boolean
  readonly job: boolean
  readonly withinFreeCalls: boolean
  readonly input: string | null
  readonly startedAtMs: number | null
  readonly atWork: boolean
  readonly createdAtMs: number
  readonly expiresAtMs: number
  readonly endedAtMs: number | null
  readonly cancelled: 'unbegun' | 'begun' | null
}

export interface Transfer {
  readonly id: string
  readonly callId: string | null
  readonly debit: string
  readonly credit: string
  readonly amount: number
  readonly kind: string
}

export interface LeaseRow {
  readonly id: string
  readonly gatewayId: number
  readonly accountId: string
  readonly keyId: string | null
  readonly action: string
  readonly inference: boolean
  readonly day: string
  readonly held: number
  readonly reserved: number | null
  readonly places: number
  readonly turn: number
  readonly granted: number
  readonly grantedPlaces: number
}

export interface InferenceDay {
  readonly accountId: string
  readonly day: string
  readonly spent: number
  readonly held: number
}

export interface KeySpend {
  readonly keyId: string
  readonly period: Period
  readonly starts: string
  readonly micros: number
}

export interface UnchargedDay {
  readonly accountId: string
  readonly day: string
  readonly keyId: string
  readonly micros: number
}

export interface GatewayProcess {
  readonly number: number
  readonly missingSinceMs: number | null
}

export interface Checkpoint {
  readonly callId: string
  readonly name: string
  readonly value: string
}

export interface QueuedTry {
  readonly id: string
  readonly callId: string
  readonly savedBefore: number
  readonly isExhausted: boolean
  readonly tries: number
  readonly startAfterMs: number
  /** The worker has it until then, unless it is heard of again. Null: it waits. */
  readonly takenUntilMs: number | null
}

export type Period = 'day' | 'month'

type Undo = () => void

export interface Table<Row> {
  get(key: string): Row | undefined
  put(key: string, row: Row): void
  delete(key: string): void
  values(): Iterable<Row>
}

export type Tables = ReturnType<typeof createTables>

export function createTables() {
  const undos: Undo[] = []

  function createTable<Row>(check: (row: Row) => void = () => {}): Table<Row> {
    const rows = new Map<string, Row>()
    const replace = (key: string, row: Row | undefined) => {
      const before = rows.get(key)
      undos.push(() => (before === undefined ? rows.delete(key) : rows.set(key, before)))
      if (row === undefined) rows.delete(key)
      else rows.set(key, row)
    }
    return {
      get: (key) => rows.get(key),
      put(key, row) {
        check(row)
        replace(key, row)
      },
      delete: (key) => replace(key, undefined),
      values: () => rows.values(),
    }
  }

  return {
    balance: createTable<Balance>(({ available, held, inFlight }) => {
      notNegative('balance_available_check', available)
      notNegative('balance_held_check', held)
      notNegative('balance_in_flight_check', inFlight)
    }),
    apiKey: createTable<ApiKey>(),
    call: createTable<CallRow>(({ charged, held }) => {
      notNegative('call_held_check', held)
      notNegative('call_charged_check', Math.min(charged, held - charged))
    }),
    /** The ids of calls by account and idempotency key. */
    callOfKey: createTable<string>(),
    transfer: createTable<Transfer>(),
    /** The kinds of transfers of which a call has one at most. */
    transferOnce: createTable<true>(),
    lease: createTable<LeaseRow>(({ held, places }) => {
      notNegative('lease_held_check', held)
      notNegative('lease_places_check', places)
    }),
    inferenceDay: createTable<InferenceDay>(({ spent, held }) => {
      notNegative('inference_day_spent_check', spent)
      notNegative('inference_day_held_check', held)
    }),
    keySpend: createTable<KeySpend>(({ micros }) => notNegative('key_spend_micros_check', micros)),
    unchargedDay: createTable<UnchargedDay>(),
    gatewayProcess: createTable<GatewayProcess>(),
    checkpoint: createTable<Checkpoint>(),
    queue: createTable<QueuedTry>(),
    /** How many changes have been made. */
    mark: () => undos.length,
    rollBack(mark: number) {
      while (undos.length > mark) undos.pop()?.()
    },
  }
}

/** What the server reports: see `pg.DatabaseError`. */
export class ReportedError extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

function notNegative(constraint: string, value: number) {
  if (value < 0) throw new ReportedError('23514', `violates check constraint "${constraint}"`)
}

const dayMs = 86_400_000
export const utcDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
export const dayStartsMs = (day: string): number => Date.parse(day)
export const dayEndsMs = (day: string): number => dayStartsMs(day) + dayMs
export const periodStart = (period: Period, day: string): string =>
  period === 'day' ? day : `${day.slice(0, 7)}-01`

export const house = {
  revenue: '00000000-0000-7000-8000-000000000001',
  credit: '00000000-0000-7000-8000-000000000002',
} as const
