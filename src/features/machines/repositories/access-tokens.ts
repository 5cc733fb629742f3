// The password in the address of a repository: what its bearer may do, by whose right, and until when. It is signed, so
// nothing is stored. It ends with its repository, and while its account is frozen or its key does not work.
import type { UrlSigner } from '#core/ports.ts'

export const scopes = ['read', 'write'] as const
export type Scope = (typeof scopes)[number]

export interface TokenGrant {
  readonly scope: Scope
  /** The API key that asked for it. Null for a wallet. */
  readonly keyId: string | null
}

export interface AccessTokens {
  /** A token for one repository. Letters, digits and `.`, `-`, `_`, so it needs no escapes in an address. */
  issue(repositoryId: string, grant: TokenGrant, expiresAtMs: number): string
  /** What a token for this repository grants, unless it has expired. */
  read(repositoryId: string, token: string): TokenGrant | undefined
}

const purposeOf = (scope: Scope) => `repository ${scope}` as const
const subjectOf = (repositoryId: string, holder: string) => `${repositoryId} ${holder}`
/** Stands for the key of a wallet. */
const wallet = 'wallet'

export function createAccessTokens({ signer }: { readonly signer: UrlSigner }): AccessTokens {
  return {
    issue(repositoryId, { scope, keyId }, expiresAtMs) {
      const holder = keyId ?? wallet
      const signed = signer.sign(purposeOf(scope), subjectOf(repositoryId, holder), expiresAtMs)
      const query = new URLSearchParams(signed)
      return [scope, holder, query.get('exp'), query.get('sig')].join('.')
    },
    read(repositoryId, token) {
      const [named, holder = '', exp, sig] = token.split('.')
      const scope = scopes.find((each) => each === named)
      if (scope === undefined) return undefined
      const subject = subjectOf(repositoryId, holder)
      if (!signer.accepts(purposeOf(scope), subject, { exp, sig })) return undefined
      return { scope, keyId: holder === wallet ? null : holder }
    },
  }
}

/** The address that `git clone` takes. */
export function cloneAddress(
  { baseUrl, tokens }: { readonly baseUrl: () => string; readonly tokens: AccessTokens },
  { id, expiresAtMs, ...grant }: TokenGrant & { readonly id: string; readonly expiresAtMs: number },
): string {
  const address = new URL(`${baseUrl()}/git/${id}.git`)
  address.username = 't'
  address.password = tokens.issue(id, grant, expiresAtMs)
  return address.href
}

/** The password of an `Authorization: Basic` header. */
export function passwordOf(authorization: string | undefined): string | undefined {
  const [, encoded] = /^basic +([\w+/=-]+) *$/i.exec(authorization ?? '') ?? []
  if (encoded === undefined) return undefined
  const decoded = Buffer.from(encoded, 'base64').toString()
  const colon = decoded.indexOf(':')
  return colon === -1 ? undefined : decoded.slice(colon + 1)
}
