// What the parts of one run share.
import type { Server } from '../database/server.ts'
import type { Store } from '../database/store.ts'
import type { Disk } from '../machine/disk.ts'
import type { FaultKind, Faults } from '../machine/faults.ts'
import type { Random } from '../machine/random.ts'
import type { Process, Scheduler } from '../machine/scheduler.ts'
import type { Gateway } from './gateway.ts'
import type { createPromises } from './promises.ts'

export interface Scenario {
  readonly seed: number
  readonly callers: number
  readonly calls: number
  readonly gateways: number
  readonly faultsMost: number
  /** The queue of jobs is simulated in the model only. */
  readonly hasJobs: boolean
  readonly without: readonly FaultKind[]
}

export interface Host {
  readonly name: string
  process: Process
  gateway: Gateway | undefined
  /** Requests that it has not answered. */
  readonly asked: Set<{ lose(): void }>
}

export interface World {
  readonly scenario: Scenario
  readonly store: Store
  readonly scheduler: Scheduler
  readonly faults: Faults
  readonly server: Server
  readonly disk: Disk
  readonly random: Random
  /** For what happens to others. It never dies. */
  readonly process: Process
  readonly promises: ReturnType<typeof createPromises>
  /** The parts of jobs, with when they were saved, as far as gateways know. */
  readonly savedParts: Map<string, Map<string, number>>
  readonly nextNumber: () => number
  readonly trace: (text: string) => void
  readonly violate: (text: string) => void
  readonly startsAtMs: number
  hosts: readonly Host[]
  failedOver: boolean
  isOver: boolean
}
