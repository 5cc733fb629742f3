// What the internal calls of one search may cost. Every call takes its quote before it is made, so the price of the
// search covers all of them in every case.
import type { Micros } from '#core/money.ts'

export interface Purse {
  left(): Micros
  /** False, and nothing taken, if too little is left. */
  take(micros: Micros): boolean
  giveBack(micros: Micros): void
  /**
   * So many purses, which take all that is left: of equal size, the first ones larger by a cent where the cents do not
   * divide; or of a cent each beside the `first`.
   */
  share(count: number, cent: Micros, how?: 'equal' | 'first'): readonly Purse[]
}

export function createPurse(total: Micros): Purse {
  let left = total
  return {
    left: () => left,
    take(micros) {
      if (micros > left) return false
      left -= micros
      return true
    },
    giveBack(micros) {
      left += micros
    },
    share(count, cent, how = 'equal') {
      const cents = Math.floor(left / cent)
      const shares = Array.from({ length: count }, (_, at) => {
        const equal = Math.floor(cents / count) + (at < cents % count ? 1 : 0)
        const most = at === 0 ? cents - count + 1 : 1
        const own = how === 'first' && cents >= count ? most : equal
        return createPurse(own * cent)
      })
      for (const purse of shares) left -= purse.left()
      return shares
    },
  }
}

/** A call was not made, because its lane cannot pay for it. */
export class OverShareError extends Error {}
