// What a key opens besides the answers to its own requests, and how the end of the key reaches it. Anything that admits
// by something other than the key itself (a signed address, a token, a socket) is a door, and every door is listed
// here.
import type { Caller } from '../caller.ts'
import { type CallError, fail } from '../errors.ts'

/** The right on which something open rests: an account, and the key that opened it. `keyId` is null for a wallet. */
export interface AccessRight {
  readonly accountId: string
  readonly keyId: string | null
}

/** What the end of a right does to each door, within a second and at every gateway. */
export const doors = {
  request:
    'A stream that the key admitted breaks off, and a request that waits is refused. A paid call is answered.',
  'file upload': 'The upload under way breaks off, and its address is refused.',
  'file download': 'The download under way breaks off, and its address is refused.',
  'browser connection': 'The WebSocket is closed, and its address is refused.',
  'browser live view': 'The pictures end, and their address is refused.',
  'rented browser': 'The browser that the key has rented is released. Its minutes were paid.',
  session: 'The session is closed: what it used is charged, and the rest of its hold is released.',
  sandbox: 'The sandbox is terminated. Its time was paid.',
  repository: 'The fetch or push under way breaks off, and the clone address is refused.',
} as const

export type Door = keyof typeof doors

/** What an address can be signed for, and the door that it opens. Null: no key stands behind it. */
export const signedPurposes = {
  'file upload': 'file upload',
  'file download': 'file download',
  'browser connection': 'browser connection',
  'browser live view': 'browser live view',
  'repository read': 'repository',
  'repository write': 'repository',
  // Only wallets get such an address: a key reads its jobs itself.
  'job status': null,
  'job wake': null,
  // A challenge is answered with a passkey, which is a key of its own.
  passkey: null,
} as const satisfies Readonly<Record<string, Door | null>>

export type SignedPurpose = keyof typeof signedPurposes

/** Why a right has ended: its account was frozen, or its key was revoked or has expired. */
export type AccessEnd = 'frozen' | 'ended'

export interface OpenAccess {
  /** False while the account is frozen, and once the key was revoked or has expired. */
  isGood(right: AccessRight): Promise<boolean>
  /** Why the right has ended. Undefined while it holds. */
  whyEnded(right: AccessRight): Promise<AccessEnd | undefined>
  /**
   * Registers something that is open. `end` is called once, within a second of the end of the right. Returns how to
   * leave, which may be called again.
   */
  enter(door: Door, right: AccessRight, end: (why: AccessEnd) => void): () => void
}

/** The right of a caller. */
export const rightOf = (caller: Caller): AccessRight => ({
  accountId: caller.accountId,
  keyId: caller.kind === 'account' ? caller.keyId : null,
})

/** The error of what would begin by a right that has ended. */
export const refusalOf = (why: AccessEnd, message?: string): CallError =>
  why === 'frozen' ? fail('account_frozen') : fail('invalid_token', { message })

/**
 * For work that goes on after the request of its caller was answered: asked before each part of it begins. Throws
 * `invalid_token`, `account_frozen`.
 */
export async function requireAccess(
  access: Pick<OpenAccess, 'whyEnded'>,
  caller: Caller,
): Promise<void> {
  const why = await access.whyEnded(rightOf(caller))
  if (why !== undefined) throw refusalOf(why)
}
