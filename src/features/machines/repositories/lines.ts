// A waiting line for each account. A line without visitors is forgotten.
import { createTurnstile, type Turnstile } from '#platform/turnstile.ts'

export interface Lines {
  /** As `Turnstile.enter`, in the line of this name. */
  enter(name: string, signal: AbortSignal): Promise<() => void>
}

export function createLines(limits: {
  readonly insideMax: number
  readonly waitingMax: number
}): Lines {
  const lines = new Map<string, { readonly turnstile: Turnstile; visitors: number }>()
  return {
    async enter(name, signal) {
      const line = lines.get(name) ?? { turnstile: createTurnstile(limits), visitors: 0 }
      lines.set(name, line)
      line.visitors += 1
      const forget = () => {
        line.visitors -= 1
        if (line.visitors === 0) lines.delete(name)
      }
      try {
        const leave = await line.turnstile.enter(signal)
        return () => {
          leave()
          forget()
        }
      } catch (thrown) {
        forget()
        throw thrown
      }
    },
  }
}
