// Rented browsers among the sessions of their owner: their minutes are paid ahead.
import type { Clock } from '#core/ports.ts'
import type { SessionMeter, SessionSummary } from '#core/session.ts'
import type { BrowserSession, BrowserSessionRows } from './session-rows.ts'

export function createMinuteMeter({
  rows,
  end,
  clock,
}: {
  readonly rows: Pick<BrowserSessionRows, 'listOwned' | 'findOwned'>
  /** Ends a session, here or at the vendor. */
  readonly end: (id: string) => Promise<unknown>
  readonly clock: Clock
}): SessionMeter {
  const summarize = (session: BrowserSession) => describe(session, clock.now())
  const find: SessionMeter['find'] = async (owner, id) => {
    const session = await rows.findOwned(owner, id)
    return session && summarize(session)
  }
  return {
    noCommands:
      'A browser runs no commands: connect to connectUrl, which ns_browser/session_status gives, with Playwright or Puppeteer.',
    list: async (owner, page) => (await rows.listOwned(owner, page)).map(summarize),
    find,
    async close(owner, id) {
      const session = await rows.findOwned(owner, id)
      if (session?.status === 'active') await end(id)
      return await find(owner, id)
    },
  }
}

const minuteMs = 60_000

function describe(session: BrowserSession, nowMs: number): SessionSummary {
  const { id, cursor, status, charged, paidMinutes, startedAtMs, expiresAtMs, endedAt } = session
  const isOpen = status === 'active'
  // Rows from before their reason was kept: the minutes of a vendor's session were cut when it was closed.
  const isWhole = status === 'expired' && expiresAtMs >= startedAtMs + paidMinutes * minuteMs
  const endMs = Math.min(endedAt?.getTime() ?? nowMs, expiresAtMs)
  return {
    id,
    cursor: cursor ?? id,
    action: 'ns_browser/create_session',
    status: isOpen ? 'open' : 'closed',
    closeReason: isOpen ? null : (session.closeReason ?? (isWhole ? 'lifetime' : 'closed')),
    cost: charged,
    charged,
    held: 0,
    used: { browser: Math.max(0, Math.floor((endMs - startedAtMs) / 1_000)) },
    createdAt: new Date(startedAtMs),
    lastUsedAt: null,
    endedAt: isOpen ? null : new Date(endMs),
    unsavedSince: null,
  }
}
