// Numbers that look random and follow from a seed.

export interface Random {
  /** From 0 up to, not including, 1. */
  next(): number
  /** A whole number from 0 up to, not including, `below`. */
  below(below: number): number
  between(least: number, most: number): number
  chance(probability: number): boolean
  pick<Item>(items: readonly Item[]): Item
  /** Another sequence, which what is drawn from this one later does not change. */
  fork(): Random
}

/** Mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (bound: number) => Math.floor(next() * bound)
  return {
    next,
    below,
    between: (least, most) => least + next() * (most - least),
    chance: (probability) => probability > 0 && next() < probability,
    pick(items) {
      if (items.length === 0) throw new Error('There is nothing to pick from.')
      return items[below(items.length)] as (typeof items)[number]
    },
    fork: () => createRandom(below(4_294_967_296)),
  }
}
