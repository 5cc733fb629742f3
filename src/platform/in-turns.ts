// Long work on the main thread, done in parts. The event loop takes a turn between them, so that other callers are
// answered meanwhile.
import { setImmediate as nextTurn } from 'node:timers/promises'

/** `itemsPerTurn`: as many as take some ten milliseconds. */
export async function inTurns<Item>(
  items: Iterable<Item>,
  itemsPerTurn: number,
  work: (item: Item, at: number) => void,
): Promise<void> {
  let at = 0
  for (const item of items) {
    if (at > 0 && at % itemsPerTurn === 0) await nextTurn()
    work(item, at)
    at += 1
  }
}
