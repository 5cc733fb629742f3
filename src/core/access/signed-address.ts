// Signed addresses that end with the key that asked for them: the signature covers the id of the key.

import type { UrlSigner } from '../ports.ts'
import type { SignedPurpose } from './open-access.ts'

/** The query of a signed address. */
export interface SignedQuery {
  readonly exp?: unknown
  readonly sig?: unknown
  /** The key that asked for the address. Absent for a wallet. */
  readonly key?: unknown
}

const subjectFor = (subject: string, keyId: string | null) =>
  keyId === null ? subject : `${subject} ${keyId}`

export function signAddress(
  signer: UrlSigner,
  { purpose, subject, keyId }: { purpose: SignedPurpose; subject: string; keyId: string | null },
  expiresAtMs: number,
): string {
  const signed = signer.sign(purpose, subjectFor(subject, keyId), expiresAtMs)
  return keyId === null ? signed : `key=${keyId}&${signed}`
}

/** Whose address it is. Undefined for one that is invalid or has expired. */
export function readAddress(
  signer: UrlSigner,
  { purpose, subject }: { purpose: SignedPurpose; subject: string },
  query: SignedQuery,
): { readonly keyId: string | null } | undefined {
  const keyId = typeof query.key === 'string' ? query.key : null
  return signer.accepts(purpose, subjectFor(subject, keyId), query) ? { keyId } : undefined
}
