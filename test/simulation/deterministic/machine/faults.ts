// What goes wrong, and how often: each seed has its own mix, so that rare combinations come up too.
import type { WriteFault } from './disk.ts'
import type { Random } from './random.ts'

export const faultKinds = [
  'kill',
  'stop',
  'stall',
  'clock jump',
  'kill after a reply',
  'database crash',
  'database crash after a reply',
  'database crash after a commit',
  'failover',
  'statement refused',
  'connection lost before',
  'connection lost after',
  'slow network',
  'short write',
  'full disk',
  'killed in a write',
  'vendor fails',
  'vendor is slow',
  'reply lost',
  'account locked',
] as const
export type FaultKind = (typeof faultKinds)[number]

export type StatementFault = 'refused' | 'lost before' | 'lost after' | undefined

/** How often a fault of a kind happens where it can. */
const likelihoods: Readonly<Record<FaultKind, number>> = {
  kill: 0.2,
  stop: 0.1,
  stall: 0.3,
  'clock jump': 0.3,
  'kill after a reply': 0.08,
  'database crash': 0.2,
  'database crash after a reply': 0.05,
  'database crash after a commit': 0.12,
  failover: 0.08,
  'statement refused': 0.03,
  'connection lost before': 0.04,
  'connection lost after': 0.05,
  'slow network': 0.1,
  'short write': 0.2,
  'full disk': 0.2,
  'killed in a write': 0.1,
  'vendor fails': 0.2,
  'vendor is slow': 0.2,
  'reply lost': 0.15,
  'account locked': 0.1,
}

export interface Faults {
  /** Whether a fault of this kind happens here and now. */
  happens(kind: FaultKind): boolean
  latencyMs(): number
  ofStatement(): StatementFault
  ofWrite(): WriteFault | undefined
  /** From now on nothing goes wrong. */
  end(): void
  /** The faults that have happened, in order. */
  happened(): readonly FaultKind[]
}

export interface FaultMix {
  /** Kinds that do not happen. */
  readonly without: ReadonlySet<FaultKind>
  /** How many happen at most. */
  readonly most: number
}

export function createFaults(random: Random, { without, most }: FaultMix): Faults {
  const happened: FaultKind[] = []
  // A third of the kinds, or two thirds, or all of them.
  const share = random.pick([0.34, 0.67, 1])
  const enabled = new Set(faultKinds.filter(() => random.chance(share)))
  let isOver = false

  function happens(kind: FaultKind): boolean {
    const comesUp = random.chance(likelihoods[kind]) && enabled.has(kind)
    if (!comesUp || isOver || happened.length >= most || without.has(kind)) return false
    happened.push(kind)
    return true
  }

  return {
    happens,
    latencyMs: () => (happens('slow network') ? random.between(5, 1_500) : random.between(0.2, 3)),
    ofStatement() {
      if (happens('statement refused')) return 'refused'
      if (happens('connection lost before')) return 'lost before'
      return happens('connection lost after') ? 'lost after' : undefined
    },
    ofWrite() {
      if (happens('short write')) return 'short'
      if (happens('full disk')) return 'full'
      return happens('killed in a write') ? 'killed' : undefined
    },
    end() {
      isOver = true
    },
    happened: () => happened,
  }
}
