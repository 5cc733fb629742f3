/** Who pays for a call. Wallets join this union with keyless payment. */
export interface Caller {
  readonly kind: 'account'
  readonly accountId: string
  /** The API key that the call came with. */
  readonly keyId: string
}
