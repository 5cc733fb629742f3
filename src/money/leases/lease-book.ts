// The leases of this gateway in memory, and the calls under way on them. It only remembers: the rules are in
// `lease.ts`, and `lease-writer.ts` tells the database.
import { uuidv7 } from '#core/id.ts'
import type { Micros } from '#core/money.ts'
import type { Clock } from '#core/ports.ts'
import type { Hold } from '../ledger/operations.ts'
import type { EndedCall, OpenCall } from './ended-calls.ts'
import {
  free,
  idleMs,
  isOver,
  type Lease,
  leaseName,
  needsTurn,
  openLease,
  reserve,
  retire,
} from './lease.ts'

/** A lease with what is to go into its next turns. */
export interface Entry {
  lease: Lease
  readonly name: string
  readonly ended: EndedCall[]
  /** Whether a turn is on its way. */
  isAsking: boolean
  /** Resolved by the turn that gives back everything spare, with whether there was something to give. */
  recalled: PromiseWithResolvers<boolean> | undefined
}

export interface LeaseBook {
  /**
   * Reserves the call's worst case on its lease, if there is one and it fits. The second call of a name within a moment
   * opens a lease for those that follow.
   */
  reserve(hold: Hold): { readonly isReserved: boolean; readonly entry?: Entry }
  /** Takes a call off its lease, except for its charge. Undefined where it is on none. */
  free(
    callId: string,
    charged: Micros,
  ): { readonly entry: Entry; readonly call: OpenCall } | undefined
  /** All leases, those that had a turn lately last. */
  entries(): ReadonlySet<Entry>
  /** Puts a lease behind the others. */
  moveBack(entry: Entry): void
  /** It takes no more calls. */
  retire(entry: Entry): void
  /** The database has it no more. */
  forget(entry: Entry): void
  needsTurn(entry: Entry): boolean
  /** Retires leases that are idle or past their day. */
  sweep(): void
}

const accountsRememberedMax = 10_000

export function createLeaseBook(clock: Clock): LeaseBook {
  const all = new Set<Entry>()
  const current = new Map<string, Entry>()
  const openCalls = new Map<string, { entry: Entry; call: OpenCall }>()
  /** When the calls of a name without a lease were last seen. */
  const seen = createRecent(clock)

  function open(name: string, hold: Hold): Entry {
    const lease = openLease(uuidv7(clock.now()), hold, clock.now())
    const entry: Entry = { lease, name, ended: [], isAsking: false, recalled: undefined }
    current.set(name, entry)
    all.add(entry)
    return entry
  }

  function retireEntry(entry: Entry) {
    entry.lease = retire(entry.lease)
    if (current.get(entry.name) === entry) current.delete(entry.name)
  }

  return {
    reserve(hold) {
      const name = leaseName(hold)
      const entry = current.get(name)
      if (entry === undefined) {
        if (seen.isRecent(name)) return { isReserved: false, entry: open(name, hold) }
        seen.mark(name)
        return { isReserved: false }
      }
      const startedAtMs = clock.now()
      const { lease, isReserved } = reserve(entry.lease, hold, startedAtMs)
      entry.lease = lease
      if (lease.isClosing) retireEntry(entry)
      if (isReserved)
        openCalls.set(hold.callId, { entry, call: { leaseId: lease.id, hold, startedAtMs } })
      return { isReserved, entry }
    },
    free(callId, charged) {
      const found = openCalls.get(callId)
      if (found === undefined) return undefined
      openCalls.delete(callId)
      const { entry, call } = found
      entry.lease = free(entry.lease, call.hold.micros, charged)
      return found
    },
    entries: () => all,
    moveBack(entry) {
      all.delete(entry)
      all.add(entry)
    },
    retire: retireEntry,
    forget(entry) {
      retireEntry(entry)
      all.delete(entry)
      // All that it held has been given back.
      entry.recalled?.resolve(true)
    },
    // A lease has one turn on its way at a time: two with the same number would be one to the database.
    needsTurn: ({ lease, ended, recalled, isAsking }) =>
      !isAsking &&
      needsTurn(lease, { ended: ended.length, isRecalled: recalled !== undefined }, clock.now()),
    sweep() {
      for (const entry of all) if (isOver(entry.lease, clock.now())) retireEntry(entry)
      seen.sweep()
    },
  }
}

/** Names that something happened to within the last moment. */
export function createRecent(clock: Clock) {
  const at = new Map<string, number>()
  const isRecent = (name: string) => {
    const markedAtMs = at.get(name)
    return markedAtMs !== undefined && clock.now() - markedAtMs < idleMs
  }
  return {
    isRecent,
    /** Beyond a limit, further names are not remembered. */
    mark(name: string) {
      if (at.has(name) || at.size < accountsRememberedMax) at.set(name, clock.now())
    },
    sweep() {
      for (const name of at.keys()) if (!isRecent(name)) at.delete(name)
    },
  }
}
