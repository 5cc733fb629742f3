/** PostgreSQL's ways to end, from the kindest. Only the last one can leave processes behind for a moment. */
const steps = [
  // Ends the sessions, writes everything to its place and leaves.
  { signal: 'SIGINT', patienceMs: 30_000 },
  // Leaves at once. What was committed is in its log, from which the next start restores it.
  { signal: 'SIGQUIT', patienceMs: 5_000 },
  { signal: 'SIGKILL', patienceMs: 5_000 },
] as const

export type ShutdownSignal = (typeof steps)[number]['signal']

/** Ends a server, whether it is a child of this process or not. */
export async function shutDown(server: {
  signal(name: ShutdownSignal): void
  isGoneWithin(patienceMs: number): Promise<boolean>
}): Promise<void> {
  for (const { signal, patienceMs } of steps) {
    try {
      server.signal(signal)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
    if (await server.isGoneWithin(patienceMs)) return
  }
  throw new Error('The PostgreSQL server does not end, not even when it is killed.')
}
