import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { type Rounding, showExactUsd, showUsd } from '../format/money.ts'

/** Whether amounts are shown with all six places. */
export const Exactness = createContext(false)

/**
 * An amount in dollars: short and rounded up unless one can spend it, or exact if the person asked for it. The exact
 * amount is also its title.
 */
export function Amount({ usd, rounds = 'up' }: { usd: string; rounds?: Rounding }) {
  const isExact = useContext(Exactness)
  return (
    <data value={usd} title={showExactUsd(usd)}>
      {isExact ? showExactUsd(usd) : showUsd(usd, rounds)}
    </data>
  )
}
