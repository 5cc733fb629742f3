import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { showExactUsd, showUsd } from '../format/money.ts'

/** Whether amounts are shown with all six places. */
export const Exactness = createContext(false)

/** An amount in dollars: short, or exact if the person asked for it. The exact amount is also its title. */
export function Amount({ usd }: { usd: string }) {
  const isExact = useContext(Exactness)
  return (
    <data value={usd} title={showExactUsd(usd)}>
      {isExact ? showExactUsd(usd) : showUsd(usd)}
    </data>
  )
}
