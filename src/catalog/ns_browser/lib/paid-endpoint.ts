// The vendor's paid endpoint sells minutes to wallets, and counts them itself.
import type { RunContext } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { path } from '#core/path.ts'
import type { ProviderHttp } from '#core/ports.ts'
import type { PaidStatus } from '#core/session.ts'
import { requireIssued } from '../../lib/issued-id.ts'
import { didNotOpen, sessionId } from './session-fields.ts'
import type { Opening } from './vendor.ts'

interface SoldSession {
  readonly sessionId?: string
  readonly status?: string
  readonly connectUrl?: string
  readonly paidMinutes?: number
  readonly expiresAt?: string
  readonly usage?: { readonly minutesPaid?: number; readonly minutesRemaining?: number }
}

interface Naming {
  readonly session_id: string
}

const at = '/browser/session'

export async function buySession({ input, http, clock }: RunContext<Opening>) {
  const { estimatedMinutes, keepAlive, proxies, recording } = input
  if (keepAlive !== undefined || proxies !== undefined || recording !== undefined)
    throw fail('bad_request', {
      message:
        'This provider sells browsers without keepAlive, proxies and recording: leave them out. Nothing was charged.',
    })
  const sold = await http.post(`${at}/create`, { estimatedMinutes })
  requireIssued(sessionId, sold.sessionId)
  const shown = show(sold.sessionId, sold, clock.now())
  if (!shown.alive) throw didNotOpen(sold.status)
  return { ...shown, connectUrl: sold.connectUrl }
}

export async function buyMinutes({ input, http, clock }: RunContext<Naming & Opening>) {
  const { session_id: id, estimatedMinutes } = input
  const sold = await http.post(path`/browser/session/${id}/extend`, {
    additionalMinutes: estimatedMinutes,
  })
  return show(id, { ...(await askStatus(http, id)), ...sold }, clock.now())
}

export async function soldStatus({ input: { session_id: id }, http, clock }: RunContext<Naming>) {
  return show(id, await askStatus(http, id), clock.now())
}

export async function releaseSold({ input: { session_id: id }, http, clock }: RunContext<Naming>) {
  const session = await askStatus(http, id)
  const known = show(id, session, clock.now())
  if (!known.alive) return known
  await http.send({ method: 'DELETE', path: path`/browser/session/${id}`, accept: [404] })
  return show(id, { ...session, status: 'released' }, clock.now())
}

const askStatus = (http: ProviderHttp, id: string): Promise<SoldSession> =>
  http.get(path`/browser/session/${id}/status`)

function show(id: string, session: SoldSession, now: number) {
  const { usage, paidMinutes = usage?.minutesPaid ?? 0, expiresAt } = session
  const leftMs =
    expiresAt === undefined
      ? (usage?.minutesRemaining ?? paidMinutes) * 60_000
      : Date.parse(expiresAt) - now
  const status = readStatus(session.status, leftMs)
  return {
    sessionId: id,
    status,
    alive: status === 'active',
    paidMinutes,
    expiresAt,
    remainingSeconds: status === 'active' ? Math.floor(leftMs / 1_000) : 0,
  }
}

function readStatus(status = 'active', leftMs: number): PaidStatus {
  if (/^(active|running|pending)$/i.test(status)) return leftMs > 0 ? 'active' : 'expired'
  return /expired|timed.?out/i.test(status) || leftMs <= 0 ? 'expired' : 'released'
}
