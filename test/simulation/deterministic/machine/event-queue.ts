// A binary heap of events, the next one first.

/** Of events at the same time, the one of the lower order is the next. */
interface Event {
  readonly atMs: number
  readonly order: number
}

export function createQueue<Queued extends Event>() {
  const heap: Queued[] = []
  const at = (index: number) => heap[index] as Queued

  function swap(one: number, other: number) {
    const kept = at(one)
    heap[one] = at(other)
    heap[other] = kept
  }

  function rise(index: number) {
    for (let child = index; child > 0; ) {
      const parent = (child - 1) >> 1
      if (!isBefore(at(child), at(parent))) return
      swap(child, parent)
      child = parent
    }
  }

  function sink() {
    for (let parent = 0; ; ) {
      let least = parent
      for (const child of [2 * parent + 1, 2 * parent + 2])
        if (child < heap.length && isBefore(at(child), at(least))) least = child
      if (least === parent) return
      swap(parent, least)
      parent = least
    }
  }

  return {
    push(event: Queued) {
      heap.push(event)
      rise(heap.length - 1)
    },
    pop(): Queued | undefined {
      const first = heap[0]
      const last = heap.pop()
      if (last !== undefined && heap.length > 0) {
        heap[0] = last
        sink()
      }
      return first
    },
  }
}

const isBefore = (one: Event, other: Event) =>
  one.atMs < other.atMs || (one.atMs === other.atMs && one.order < other.order)
