// A binary heap of events, the next one first.
import type { ScheduledEvent } from './scheduler.ts'

export function createQueue() {
  const heap: ScheduledEvent[] = []
  const at = (index: number) => heap[index] as ScheduledEvent

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
    push(event: ScheduledEvent) {
      heap.push(event)
      rise(heap.length - 1)
    },
    pop(): ScheduledEvent | undefined {
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

const isBefore = (one: ScheduledEvent, other: ScheduledEvent) =>
  one.atMs < other.atMs || (one.atMs === other.atMs && one.order < other.order)
