/** Who pays for a call. What a caller owns (calls, jobs, files) belongs to its account. */
export type Caller = AccountCaller | WalletCaller | AnonymousCaller

/** Pays from a balance. */
export interface AccountCaller {
  readonly kind: 'account'
  readonly accountId: string
  /** The API key that the call came with. */
  readonly keyId: string
  /** The key has a limit, a list of actions or an end: it owns its own calls only, and manages no keys. */
  readonly isLimited: boolean
  /** What they are, as a text that changes when they do. Absent where there are none, and where they are not known. */
  readonly limits?: string | undefined
}

/** Pays each call from a wallet, and owns it by the wallet. */
export interface WalletCaller {
  readonly kind: 'wallet'
  readonly accountId: string
}

/** Whose calls and ids a caller may read: those of an account, or of one key of it. */
export interface Owner {
  readonly accountId: string
  /** Where only the calls of this key count. */
  readonly keyId?: string | undefined
}

/** What the caller may read: everything of the account, but for a limited key only what is its own. */
export function ownerOf(caller: Caller): Owner {
  const { accountId } = caller
  return caller.kind === 'account' && caller.isLimited
    ? { accountId, keyId: caller.keyId }
    : { accountId }
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
