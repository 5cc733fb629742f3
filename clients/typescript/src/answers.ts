// The envelope of answers, in the names of this language.

/** An answer with what it cost. */
export interface Answer<Data> {
  readonly data: Data
  /** Rounded up. */
  readonly chargedCents: number
  /** Exact, with six decimal places. */
  readonly chargedUsd: string
  /** Absent without an account. */
  readonly balanceRemainingCents?: number
  readonly balanceRemainingUsd?: string
  readonly transactionId?: string
  /**
   * Whether this is the stored answer of an earlier request with the same idempotency key. It was not charged again.
   */
  readonly replayed: boolean
}

interface Envelope<Data> {
  readonly data: Data
  readonly charged_cents: number
  readonly charged_usd: string
  readonly balance_remaining_cents?: number
  readonly balance_remaining_usd?: string
  readonly transaction_id?: string
}

export async function readAnswer<Data>(response: Response): Promise<Answer<Data>> {
  const envelope: Envelope<Data> = await response.json()
  const { balance_remaining_cents, balance_remaining_usd, transaction_id } = envelope
  return {
    data: envelope.data,
    chargedCents: envelope.charged_cents,
    chargedUsd: envelope.charged_usd,
    ...(balance_remaining_cents === undefined
      ? {}
      : { balanceRemainingCents: balance_remaining_cents }),
    ...(balance_remaining_usd === undefined ? {} : { balanceRemainingUsd: balance_remaining_usd }),
    ...(transaction_id === undefined ? {} : { transactionId: transaction_id }),
    replayed: response.headers.get('idempotency-replayed') === 'true',
  }
}
