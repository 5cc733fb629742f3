/** Lets so many through at once; the others wait their turn, and when too many wait, newcomers are turned away. */
export interface Turnstile {
  /** Resolves to the function that gives the place back. Rejects when the queue is full or the signal aborts. */
  enter(signal: AbortSignal): Promise<() => void>
}

export function createTurnstile(limits: {
  readonly insideMax: number
  readonly waitingMax: number
}): Turnstile {
  let inside = 0
  const waiting = new Set<() => void>()

  function leave() {
    inside -= 1
    const [next] = waiting
    next?.()
  }

  function place(): () => void {
    inside += 1
    let left = false
    return () => {
      if (!left) leave()
      left = true
    }
  }

  return {
    enter(signal) {
      if (signal.aborted) return Promise.reject(signal.reason)
      if (inside < limits.insideMax) return Promise.resolve(place())
      if (waiting.size >= limits.waitingMax)
        return Promise.reject(new Error('Too many pages are waiting for a browser.'))
      return new Promise((resolve, reject) => {
        const onAbort = () => {
          waiting.delete(onTurn)
          reject(signal.reason)
        }
        const onTurn = () => {
          waiting.delete(onTurn)
          signal.removeEventListener('abort', onAbort)
          resolve(place())
        }
        waiting.add(onTurn)
        signal.addEventListener('abort', onAbort, { once: true })
      })
    },
  }
}
