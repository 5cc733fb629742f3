// What an operator reads who is about to sell at a loss.

interface Loss {
  /** `service/action`. Absent where it is known which one is meant. */
  readonly action?: string
  /** `callers pay 3¢` */
  readonly paid: string
  /** `you have declared that it costs you 4¢` */
  readonly cost: string
  /** What else the operator can do: `correct the cost`. */
  readonly otherwise: string
}

export const lossSentence = ({ action, paid, cost, otherwise }: Loss): string =>
  `You would lose money${action === undefined ? '' : ` with each call of ${action}`}: ${paid}, and ${cost}. Raise the price, or ${otherwise}.`

export const confirmsLoss = 'send confirm_below_cost: true to sell at this price all the same'
