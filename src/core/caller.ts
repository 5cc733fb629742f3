/** Who pays for a call. What a caller owns (calls, jobs, files) belongs to its account. */
export type Caller = AccountCaller | WalletCaller | AnonymousCaller

/** Pays from a balance. */
export interface AccountCaller {
  readonly kind: 'account'
  readonly accountId: string
  /** The API key that the call came with. */
  readonly keyId: string
  /** The key has limits of its own or a list of actions, which only the ledger can hold it to. */
  readonly isLimited?: boolean
}

/** Pays each call from a wallet, and owns it by the wallet. */
export interface WalletCaller {
  readonly kind: 'wallet'
  readonly accountId: string
}

/** Nobody in particular, for what is free and open. Owns nothing. */
export interface AnonymousCaller {
  readonly kind: 'anonymous'
  /** Of no account. */
  readonly accountId: '00000000-0000-7000-8000-000000000000'
}

export const anonymous: AnonymousCaller = {
  kind: 'anonymous',
  accountId: '00000000-0000-7000-8000-000000000000',
}
