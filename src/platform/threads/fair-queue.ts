// A queue in which owners take turns, so that one with much work delays others by one task each at most.

export interface FairQueue<Item> {
  readonly size: number
  /** How many items of the owner wait. */
  waitingOf(owner: string): number
  push(owner: string, item: Item): void
  /** The next item, of the owner whose turn it is. Owners that may not go are passed over, and keep their turn. */
  shift(mayGo?: (owner: string, next: Item) => boolean): Item | undefined
  /** Takes an item out before its turn. Returns whether it was waiting. */
  remove(owner: string, item: Item): boolean
  /** Takes out the newest item of the owner who has the most. */
  popOfLargest(): Item | undefined
  /** The most that one owner has waiting. */
  readonly largest: number
  clear(): readonly Item[]
}

export function createFairQueue<Item>(): FairQueue<Item> {
  const owners = new Map<string, Item[]>()
  let size = 0

  function largestOwner(): [string, Item[]] | undefined {
    let found: [string, Item[]] | undefined
    for (const entry of owners) if (entry[1].length > (found?.[1].length ?? 0)) found = entry
    return found
  }

  function forgetIfEmpty(owner: string, items: readonly Item[]): void {
    if (items.length === 0) owners.delete(owner)
  }

  return {
    get size() {
      return size
    },
    get largest() {
      return largestOwner()?.[1].length ?? 0
    },
    waitingOf: (owner) => owners.get(owner)?.length ?? 0,
    push(owner, item) {
      const items = owners.get(owner) ?? []
      items.push(item)
      owners.set(owner, items)
      size += 1
    },
    shift(mayGo = () => true) {
      for (const [owner, items] of owners) {
        const [item] = items
        if (item === undefined || !mayGo(owner, item)) continue
        items.shift()
        size -= 1
        // The owner goes behind all others.
        owners.delete(owner)
        if (items.length > 0) owners.set(owner, items)
        return item
      }
      return undefined
    },
    remove(owner, item) {
      const items = owners.get(owner) ?? []
      const place = items.indexOf(item)
      if (place < 0) return false
      items.splice(place, 1)
      size -= 1
      forgetIfEmpty(owner, items)
      return true
    },
    popOfLargest() {
      const largest = largestOwner()
      if (largest === undefined) return undefined
      const [owner, items] = largest
      size -= 1
      const item = items.pop()
      forgetIfEmpty(owner, items)
      return item
    },
    clear() {
      const left = [...owners.values()].flat()
      owners.clear()
      size = 0
      return left
    },
  }
}
