import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { columnPlaces, columnUsd, type Rounding, showExactUsd, showUsd } from '../format/money.ts'

/** Whether amounts are shown with all six places. */
export const Exactness = createContext(false)

/** Whether amounts stand in a table. There they share one unit, and their points stand under each other. */
export const InTable = createContext(false)

/**
 * An amount in dollars: short and rounded up unless one can spend it, or exact if the person asked for it. The exact
 * amount is also its title.
 */
export function Amount({ usd, rounds = 'up' }: { usd: string; rounds?: Rounding }) {
  const isExact = useContext(Exactness)
  const isInTable = useContext(InTable)
  const exact = showExactUsd(usd)
  const short = isInTable ? columnUsd(usd, rounds) : showUsd(usd, rounds)
  const places = short.length - short.indexOf('.') - 1
  return (
    <data
      value={usd}
      title={exact}
      class={isInTable && !isExact ? `lacks-${columnPlaces - places}` : undefined}
    >
      {isExact ? exact : short}
    </data>
  )
}
