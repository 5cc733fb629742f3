import { Amount } from './amount.tsx'

/**
 * What is left of an income. A cost that no provider reports is not counted as zero: with some unknown, it is a bound.
 */
export function Margin(of: {
  readonly charged_less_known_cost_usd: string
  readonly calls: number
  readonly calls_with_known_cost: number
}) {
  const unknown = of.calls - of.calls_with_known_cost
  if (unknown > 0 && of.calls_with_known_cost === 0) return <>unknown</>
  const amount = <Amount usd={of.charged_less_known_cost_usd} rounds="down" />
  if (unknown === 0) return amount
  return (
    <span title={`The cost of ${unknown.toLocaleString()} calls is unknown.`}>
      at most {amount}
    </span>
  )
}

/** What providers and the operator have told of the cost of calls. With nothing told, it is not zero. */
export const KnownCost = (of: {
  readonly known_cost_usd: string
  readonly calls: number
  readonly calls_with_known_cost: number
}) =>
  of.calls > 0 && of.calls_with_known_cost === 0 ? <>unknown</> : <Amount usd={of.known_cost_usd} />

/** Whether no margin can be told. */
export const isCostUnknown = (of: {
  readonly calls: number
  readonly calls_with_unknown_cost: number
}) => of.calls > 0 && of.calls_with_unknown_cost === of.calls
