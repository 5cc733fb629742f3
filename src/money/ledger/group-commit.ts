// Holds and settlements on their way to the database. Most travel together on one connection. Those whose account is
// locked by another transaction, such as one of another gateway, wait for it on a second connection, so that an account
// that is busy everywhere does not hold up all others.
import { type CommitLaneDependencies, openCommitLane, type Pending } from './commit-lane.ts'
import {
  type Hold,
  type HoldOutcome,
  type Settlement,
  type SettleOutcome,
  settleWaitMsMax,
} from './operations.ts'

/** A larger batch keeps its callers waiting longer than it saves. See `npm run bench batches`. */
const operationsPerBatchMaxDefault = 256
const holdWaitMsMax = 10_000

export interface GroupCommit {
  hold(hold: Hold): Promise<HoldOutcome>
  settle(settlement: Settlement): Promise<SettleOutcome>
  /** Resolves when everything sent so far is answered, then gives the connections back. */
  close(): Promise<void>
}

export async function createGroupCommit({
  operationsPerBatchMax = operationsPerBatchMaxDefault,
  ...rest
}: Omit<CommitLaneDependencies, 'operationsPerBatchMax'> & {
  readonly operationsPerBatchMax?: number
}): Promise<GroupCommit> {
  const dependencies = { ...rest, operationsPerBatchMax }
  const { clock } = dependencies
  const voidHold = ({ callId, accountId }: Hold) => {
    const end = { state: 'voided', charged: 0, error: 'unavailable' } as const
    settle({ callId, accountId, ...end }).catch(() => {})
  }
  const busyLane = await openCommitLane(dependencies, { voidHold })
  const lane = await openCommitLane(dependencies, { busyLane, voidHold })
  /** The operations of an account keep their order: those that come later join those that wait. */
  const laneOf = ({ accountId }: Hold | Settlement) => (busyLane.has(accountId) ? busyLane : lane)

  function wait<Operation, Outcome>(
    add: (pending: Pending<Operation, Outcome>) => void,
    operation: Operation,
    waitMsMax: number,
  ): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      add({ operation, resolve, reject, sent: false, deadlineMs: clock.now() + waitMsMax })
    })
  }
  // A hold on a lease needs no lock.
  const hold = (asked: Hold) =>
    wait((asked.onLease ? lane : laneOf(asked)).addHold, asked, holdWaitMsMax)
  const settle = (asked: Settlement) => wait(laneOf(asked).addSettlement, asked, settleWaitMsMax)

  return {
    hold,
    settle,
    async close() {
      await lane.close()
      await busyLane.close()
    },
  }
}
