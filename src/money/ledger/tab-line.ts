// A call that ended on a tab, as a line of the journal and of the books.
import type { Hold, Settlement } from './group-commit.ts'

export interface Reservation {
  readonly tab: { readonly id: string }
  readonly hold: Hold
  readonly startedAt: number
}

export function lineOf(
  gatewayNumber: number,
  { tab, hold, startedAt }: Reservation,
  { state, charged, cost, error, message, timeline = 'null' }: Settlement,
): string {
  const call = {
    tab: tab.id,
    gateway: gatewayNumber,
    id: hold.callId,
    account: hold.accountId,
    key: hold.keyId,
    action: hold.action,
    state,
    held: hold.micros,
    charged,
    cost,
    error,
    message,
    started_ms: startedAt,
  }
  return `${JSON.stringify(call).slice(0, -1)},"timeline":${timeline}}`
}
