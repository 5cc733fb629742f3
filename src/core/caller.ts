/** Who pays for a call. Calls, jobs and files belong to the caller's account. */
export type Caller = AccountCaller | WalletCaller | AnonymousCaller

/** Pays from a balance. */
export interface AccountCaller {
  readonly kind: 'account'
  readonly accountId: string
  /** The API key that the call came with. */
  readonly keyId: string
  /** The key has limits, a list of actions or an expiry. It can read only its own calls and cannot manage keys. */
  readonly isLimited: boolean
  /** A text that changes whenever the key's limits do. Absent if there are none, or if they are not known. */
  readonly limits?: string | undefined
  /** Language models and tiers that the key may use. A trailing * matches any ending. Absent: all. */
  readonly models?: readonly string[] | undefined
  /** Calls that the key may begin per minute, and tokens that its chats may use. Absent: any number. */
  readonly requestsPerMinute?: number | undefined
  readonly tokensPerMinute?: number | undefined
  /** False: no response of a language model that the key asks for is kept. */
  readonly storesResponses?: false | undefined
  /** The group of the account, if it has prices of its own. */
  readonly priceGroup?: string | undefined
}

/** Pays each call from a wallet. The wallet's account owns the call. */
export interface WalletCaller {
  readonly kind: 'wallet'
  readonly accountId: string
}

export const priceGroupOf = (caller: Caller | undefined): string | undefined =>
  caller?.kind === 'account' ? caller.priceGroup : undefined

/** The owner of calls and ids: an account, or one of its keys. */
export interface Owner {
  readonly accountId: string
  /** Narrows it to the calls of this key. */
  readonly keyId?: string | undefined
}

/** What the caller may read: everything of the account, or for a limited key only its own calls. */
export function ownerOf(caller: Caller): Owner {
  const { accountId } = caller
  return caller.kind === 'account' && caller.isLimited
    ? { accountId, keyId: caller.keyId }
    : { accountId }
}

/** A caller without a credential, for open actions. Owns nothing. */
export interface AnonymousCaller {
  readonly kind: 'anonymous'
  readonly accountId: '00000000-0000-7000-8000-000000000000'
}

export const anonymous: AnonymousCaller = {
  kind: 'anonymous',
  accountId: '00000000-0000-7000-8000-000000000000',
}
