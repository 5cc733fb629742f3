// What a simulated server keeps its data in: the model of the ledger's SQL, or a real PostgreSQL.

export type Rows = readonly object[]

export interface Store {
  /** Runs one statement. What it throws has changed nothing. */
  run(text: string, values: readonly unknown[], nowMs: number): Rows | Promise<Rows>
  /** The present state, to roll back to. */
  mark(): number | Promise<number>
  rollBack(mark: number): void | Promise<void>
  /** Whether a gateway process has its lock. */
  setConnected(gatewayNumber: number, isConnected: boolean): void | Promise<void>
  /** Problems with the books. */
  problems(isLast?: boolean): readonly string[] | Promise<readonly string[]>
  /** What is left of work: held calls and leases. */
  open(): Promise<readonly string[]> | readonly string[]
  /** The calls with what they were charged. */
  calls(): Promise<readonly StoredCharge[]> | readonly StoredCharge[]
  /** All that counts, a line each. */
  state(): Promise<readonly string[]> | readonly string[]
  addAccount(account: NewAccount): void | Promise<void>
}

export interface StoredCharge {
  readonly id: string
  readonly accountId: string
  readonly state: string
  readonly charged: number
  readonly idempotencyKey: string | null
  readonly output: string | null
}

export interface NewAccount {
  readonly accountId: string
  readonly micros: number
  readonly keys: readonly {
    readonly id: string
    readonly callMicrosMax: number | null
    readonly dayMicrosMax: number | null
  }[]
}

/** Commits of these statements may be on the disk later than their answer. */
export function isAsynchronous(text: string, values: readonly unknown[]): boolean {
  return text.includes('lease_commit_turns(') && values[5] !== true
}
