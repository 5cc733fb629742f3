// The addresses of a browser. They are signed, so that standard clients need no other credential.

import type { UrlSigner } from '#core/ports.ts'
import { browserMinutesMax } from '#core/session.ts'
import type { BrowserSession } from './session-rows.ts'

type BrowserAccess = keyof typeof purposes

export interface BrowserAddresses {
  of(session: Pick<BrowserSession, 'id' | 'startedAtMs'>): {
    readonly connectUrl: string
    /** A page to look on. */
    readonly liveViewUrl: string
  }
  accepts(access: BrowserAccess, id: string, query: { exp?: unknown; sig?: unknown }): boolean
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
    of({ id, startedAtMs }) {
      // An extension must not change an address that is in use. The session's own end limits it more.
      const until = startedAtMs + longestLifeMs
      const at = (access: BrowserAccess) =>
        `${baseUrl()}/api/browsers/${id}/${access}?${signer.sign(purposes[access], id, until)}`
      return { connectUrl: at('connect').replace(/^http/, 'ws'), liveViewUrl: at('live') }
    },
    accepts: (access, id, query) => signer.accepts(purposes[access], id, query),
  }
}
