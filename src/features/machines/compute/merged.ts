// Work that always does all there is to do, such as a copy of a folder: of the requests that come while it runs, one
// more run is enough.

/** Resolves when a run that began after the request has ended. At most one run is under way, and one waits. */
export function mergeRuns(run: () => Promise<void>): () => Promise<void> {
  let underWay: Promise<void> | undefined
  let waiting: Promise<void> | undefined

  function begin(): Promise<void> {
    const running = run().finally(() => {
      if (underWay === running) underWay = undefined
    })
    underWay = running
    return running
  }

  return () => {
    if (waiting !== undefined) return waiting
    if (underWay === undefined) return begin()
    waiting = underWay
      .catch(() => {})
      .then(() => {
        waiting = undefined
        return begin()
      })
    return waiting
  }
}
