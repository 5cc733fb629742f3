// Tells when an upstream has been silent for too long. Silence is what this process could have heard and did not: time in
// which it was busy or did not run, and bytes that wait to be read, are not held against the upstream.

/** A silence is counted in so many slices. One that ends late says that this process did not get to listen. */
const slices = 8
/** Late slices are not counted, but no more often than this, so that a busy process gives up in the end. */
const lateSlicesMax = 24

export interface Silence {
  /** Begins to count anew, to another limit. */
  limit(silenceMs: number): void
  /** Begins to count anew. */
  heard(): void
  stop(): void
}

export function watchSilence(silenceMs: number, onSilence: (silenceMs: number) => void): Silence {
  let limitMs = silenceMs
  let counted = 0
  let late = 0
  let turn = 0
  let startedAt = performance.now()
  let timer = setTimeout(onSlice, limitMs / slices)

  function begin() {
    counted = 0
    late = 0
    turn += 1
    startedAt = performance.now()
  }
  function onSlice() {
    const now = performance.now()
    const isLate = now - startedAt > (2 * limitMs) / slices
    startedAt = now
    if (isLate && late < lateSlicesMax) late += 1
    else counted += 1
    if (counted < slices) timer.refresh()
    else lookOnce(turn)
  }
  /** Timers run before sockets are read: what has arrived by now is read first. */
  function lookOnce(began: number) {
    setImmediate(() => {
      if (began === turn) onSilence(limitMs)
    })
  }

  return {
    limit(nextMs) {
      begin()
      limitMs = nextMs
      clearTimeout(timer)
      timer = setTimeout(onSlice, limitMs / slices)
    },
    heard() {
      begin()
      timer.refresh()
    },
    stop() {
      turn += 1
      clearTimeout(timer)
    },
  }
}
