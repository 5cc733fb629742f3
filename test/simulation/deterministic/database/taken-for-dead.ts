// A gateway that has lost its connections lives, and others take it for dead.
import type { Process } from '../machine/scheduler.ts'
import type { Rows } from './store.ts'

interface GatewaySession {
  readonly process: Process
  readonly isOpen: boolean
}

export interface LivingGateways {
  /** A session by which the gateway lives. */
  open(gatewayNumber: number, session: GatewaySession): void
  /** Notes whether the statement has released leases of a gateway that lives. */
  noteRelease(text: string, rows: Rows): void
  /** Whether one has. */
  wereTakenForDead(): boolean
}

export function createLivingGateways(): LivingGateways {
  const sessions = new Map<number, GatewaySession[]>()
  let takenForDead = false
  return {
    open(gatewayNumber, session) {
      const open = (sessions.get(gatewayNumber) ?? []).filter(({ isOpen }) => isOpen)
      sessions.set(gatewayNumber, [...open, session])
    },
    noteRelease(text, rows) {
      if (!text.startsWith('select release_abandoned_leases(')) return
      if (Number(Object.values(rows[0] ?? {})[0]) === 0) return
      takenForDead ||= [...sessions.values()].some(
        (own) => own.every(({ isOpen }) => !isOpen) && own.some(({ process }) => !process.isDead),
      )
    },
    wereTakenForDead: () => takenForDead,
  }
}
