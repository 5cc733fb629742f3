/** Limits how many visitors are inside at once. The others wait in order; when too many wait, new ones are refused. */
export interface Turnstile {
  /**
   * Resolves to the function that gives the places back: one, unless the visitor needs more. Rejects when the signal
   * aborts, or when the queue is full.
   */
  enter(signal: AbortSignal, places?: number): Promise<() => void>
}

interface Visitor {
  readonly places: number
  readonly admit: () => void
}

export function createTurnstile(limits: {
  readonly insideMax: number
  readonly waitingMax: number
}): Turnstile {
  let inside = 0
  const waiting = new Set<Visitor>()

  /** In order, so that a visitor who needs many places is not overtaken for ever. */
  function admitNext() {
    for (const visitor of waiting) {
      if (inside + visitor.places > limits.insideMax) return
      waiting.delete(visitor)
      visitor.admit()
    }
  }

  function place(places: number): () => void {
    inside += places
    let left = false
    return () => {
      if (left) return
      left = true
      inside -= places
      admitNext()
    }
  }

  return {
    enter(signal, wanted = 1) {
      const places = Math.min(wanted, limits.insideMax)
      if (signal.aborted) return Promise.reject(signal.reason)
      if (waiting.size === 0 && inside + places <= limits.insideMax)
        return Promise.resolve(place(places))
      if (waiting.size >= limits.waitingMax)
        return Promise.reject(new Error('Too many are waiting in line already.'))
      return new Promise((resolve, reject) => {
        const onAbort = () => {
          waiting.delete(visitor)
          reject(signal.reason)
          admitNext()
        }
        const visitor: Visitor = {
          places,
          admit() {
            signal.removeEventListener('abort', onAbort)
            resolve(place(places))
          },
        }
        waiting.add(visitor)
        signal.addEventListener('abort', onAbort, { once: true })
      })
    },
  }
}
