// What is told of the gas wallet, apart from the wallet itself: a gateway without rails loads no code of chains.

/** What the wallet can still pay for, at the price of gas at this moment. */
export interface GasReserve {
  readonly address: string
  /** In the smallest unit of the chain's coin. */
  readonly balance: bigint
  /** How many expensive settlements or refunds it pays for. */
  readonly transactionsLeft: number
}

/** Below this number of transactions the operator is warned. */
export const transactionsLeftLow = 100
