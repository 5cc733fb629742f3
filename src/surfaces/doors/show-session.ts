import type { SessionSummary } from '#core/session.ts'
import { showAmount } from './input.ts'

/** A session as its owner sees it. */
export function showSession(session: SessionSummary) {
  const { closeReason, status, unsavedSince } = session
  return {
    session_id: session.id,
    action: session.action,
    status,
    ...(closeReason === null ? {} : { close_reason: closeReason }),
    ...showAmount('cost', session.cost, 'up'),
    ...showAmount('charged', session.charged, 'up'),
    ...showAmount('held', session.held, 'up'),
    used_seconds: session.used,
    created_at: session.createdAt,
    last_used_at: session.lastUsedAt,
    ended_at: session.endedAt,
    ...(status === 'open' && unsavedSince !== null && { files_unsaved_since: unsavedSince }),
  }
}
