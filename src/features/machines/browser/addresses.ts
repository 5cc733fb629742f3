// The addresses of a browser. They are signed, so that standard clients need no other credential.

import type { AccessRight } from '#core/access/open-access.ts'
import { readAddress, type SignedQuery, signAddress } from '#core/access/signed-address.ts'
import type { UrlSigner } from '#core/ports.ts'
import { browserMinutesMax } from '#core/session.ts'
import type { BrowserSession } from './session-rows.ts'

type BrowserAccess = keyof typeof purposes

export interface BrowserAddresses {
  /** They end with the key of the one who asks for them. */
  of(
    session: Pick<BrowserSession, 'id' | 'startedAtMs'>,
    keyId: string | null,
  ): {
    readonly connectUrl: string
    /** A page to look on. */
    readonly liveViewUrl: string
  }
  /** Whose address it is. Undefined for one that is invalid or has expired. */
  read(
    access: BrowserAccess,
    id: string,
    query: SignedQuery,
  ): Pick<AccessRight, 'keyId'> | undefined
}

const purposes = { connect: 'browser connection', live: 'browser live view' } as const
/** A session that is created in a second lives a bit longer than its minutes. */
const startMarginMs = 60_000
const longestLifeMs = browserMinutesMax * 60_000 + startMarginMs

export function createBrowserAddresses({
  signer,
  baseUrl,
}: {
  readonly signer: UrlSigner
  readonly baseUrl: () => string
}): BrowserAddresses {
  return {
    of({ id, startedAtMs }, keyId) {
      // An extension must not change an address that is in use. The session's own end limits it more.
      const until = startedAtMs + longestLifeMs
      const at = (access: BrowserAccess) =>
        `${baseUrl()}/api/browsers/${id}/${access}?${signAddress(signer, { purpose: purposes[access], subject: id, keyId }, until)}`
      return { connectUrl: at('connect').replace(/^http/, 'ws'), liveViewUrl: at('live') }
    },
    read: (access, id, query) =>
      readAddress(signer, { purpose: purposes[access], subject: id }, query),
  }
}
