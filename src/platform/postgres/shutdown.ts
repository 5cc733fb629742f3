/** The signals that end PostgreSQL, the gentlest first. Only the last one can leave processes behind for a moment. */
import { errorCodeOf } from '../thrown.ts'

const steps = [
  // Fast shutdown: ends the sessions, writes a checkpoint and exits.
  { signal: 'SIGINT', timeoutMs: 30_000 },
  // Immediate shutdown: exits at once. The next start restores the commits from the write-ahead log.
  { signal: 'SIGQUIT', timeoutMs: 5_000 },
  { signal: 'SIGKILL', timeoutMs: 5_000 },
] as const

export type ShutdownSignal = (typeof steps)[number]['signal']

/** Ends a server, which need not be a child of this process. */
export async function shutDown(server: {
  signal(name: ShutdownSignal): void
  isGoneWithin(timeoutMs: number): Promise<boolean>
}): Promise<void> {
  for (const { signal, timeoutMs } of steps) {
    try {
      server.signal(signal)
    } catch (error) {
      if (errorCodeOf(error) !== 'ESRCH') throw error
    }
    if (await server.isGoneWithin(timeoutMs)) return
  }
  throw new Error('The PostgreSQL server did not end, even after SIGKILL.')
}
