// A waiting line in which parties take turns, so that a party with many requests does not hold up the others. Pure.

export interface Turns<Item> {
  readonly size: number
  add(party: object, item: Item): void
  /** Takes the first item of the next party; that party then goes to the end of the line. Undefined when none waits. */
  next(): Item | undefined
  /** Does nothing when the item no longer waits. */
  remove(party: object, item: Item): void
}

export function createTurns<Item>(): Turns<Item> {
  /** In the order of the parties' turns. No queue is empty. */
  const queues = new Map<object, readonly Item[]>()
  let size = 0

  return {
    get size() {
      return size
    },
    add(party, item) {
      queues.set(party, [...(queues.get(party) ?? []), item])
      size += 1
    },
    next() {
      for (const [party, [item, ...rest]] of queues) {
        queues.delete(party)
        if (rest.length > 0) queues.set(party, rest)
        size -= 1
        return item
      }
      return undefined
    },
    remove(party, item) {
      const queue = queues.get(party) ?? []
      const rest = queue.filter((other) => other !== item)
      if (rest.length === 0) queues.delete(party)
      else queues.set(party, rest)
      size -= queue.length - rest.length
    },
  }
}
