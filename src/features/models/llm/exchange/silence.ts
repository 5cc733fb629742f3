// Reports when an upstream has been silent for too long. Time in which this process was too busy to listen, and bytes
// that wait to be read, do not count as silence.

/** Silence is counted in slices. A slice that ends late shows that this process was too busy to listen. */
const slices = 8
/** Late slices that are not counted. After that they count, so that a busy process gives up eventually. */
const lateSlicesMax = 24

export interface Silence {
  /** Restarts the count with another limit. */
  limit(silenceMs: number): void
  /** Restarts the count. */
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
  /** Timers run before sockets are read, so bytes that have arrived are read first. */
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
