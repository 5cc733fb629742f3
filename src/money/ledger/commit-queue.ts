// The operations that wait for the database, and the decisions about them: what the next batch is, how large it may be,
// and what to do after a failure. No I/O, no clock, no promises.

/** An operation that waits. */
export interface Waiting {
  /** When its caller stops waiting. */
  readonly deadlineMs: number
  /** Whether a batch with it was sent, so that the database may have it although no reply came. */
  sent: boolean
}

export interface Batch<Hold, Settlement> {
  readonly settlements: readonly Settlement[]
  readonly holds: readonly Hold[]
}

export interface CommitQueue<Hold, Settlement> {
  addHold(hold: Hold): void
  addSettlement(settlement: Settlement): void
  isEmpty(): boolean
  /**
   * Takes the next batch: settlements first, since they free what holds may need; each kind in order. Marks it as sent.
   */
  next(): Batch<Hold, Settlement>
  /** The database answered a batch: the next may be twice as large. */
  answered(): void
  /**
   * The database was in trouble: the batch goes behind the others, so that one which always fails does not keep them
   * from trying, and the next is half as large, since part of it may fit. Returns how often this has happened in a row.
   */
  later(batch: Batch<Hold, Settlement>): number
  /** Takes everything. */
  clear(): Batch<Hold, Settlement>
  /**
   * Takes the holds whose callers have waited long enough, and names such settlements, which stay: none is ever given
   * up.
   */
  expire(nowMs: number): Batch<Hold, Settlement>
}

export function createCommitQueue<Hold extends Waiting, Settlement extends Waiting>(
  operationsPerBatchMax: number,
): CommitQueue<Hold, Settlement> {
  let holds: Hold[] = []
  const settlements: Settlement[] = []
  let failures = 0
  let operationsPerBatch = operationsPerBatchMax

  return {
    addHold: (hold) => void holds.push(hold),
    addSettlement: (settlement) => void settlements.push(settlement),
    isEmpty: () => holds.length + settlements.length === 0,
    next() {
      const settling = settlements.splice(0, operationsPerBatch)
      const holding = holds.splice(0, operationsPerBatch - settling.length)
      for (const waiting of [...settling, ...holding]) waiting.sent = true
      return { settlements: settling, holds: holding }
    },
    answered() {
      failures = 0
      operationsPerBatch = Math.min(2 * operationsPerBatch, operationsPerBatchMax)
    },
    later(batch) {
      settlements.push(...batch.settlements)
      holds.push(...batch.holds)
      failures += 1
      operationsPerBatch = Math.ceil(sizeOf(batch) / 2)
      return failures
    },
    clear: () => ({ settlements: settlements.splice(0), holds: holds.splice(0) }),
    expire(nowMs) {
      const isLate = ({ deadlineMs }: Waiting) => deadlineMs <= nowMs
      const late = { settlements: settlements.filter(isLate), holds: holds.filter(isLate) }
      holds = holds.filter((hold) => !isLate(hold))
      return late
    },
  }
}

/**
 * The batches that show which operation spoils a batch for all: each operation alone, in the order of the batch. None
 * when it was alone already.
 */
export function apart<Hold, Settlement>({
  settlements,
  holds,
}: Batch<Hold, Settlement>): readonly Batch<Hold, Settlement>[] {
  if (settlements.length + holds.length === 1) return []
  return [
    ...settlements.map((settlement) => ({ settlements: [settlement], holds: [] })),
    ...holds.map((hold) => ({ settlements: [], holds: [hold] })),
  ]
}

const sizeOf = ({ settlements, holds }: Batch<unknown, unknown>) =>
  settlements.length + holds.length
