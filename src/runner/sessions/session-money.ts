// The calls that hold money for sessions: opened, extended, settled. Only here does use become a charge.

import type { CallError } from '#core/errors.ts'
import { uuidv7 } from '#core/id.ts'
import type { Micros } from '#core/money.ts'
import type { Clock } from '#core/ports.ts'
import type { Ledger } from '#money/ledger/ledger.ts'
import type { HoldOutcome, SettleOutcome } from '#money/ledger/operations.ts'
import { priceOfUse } from './metering.ts'
import type { SessionRow, SessionRows } from './session-rows.ts'

/**
 * A session's call ends with the session, so its row says `infinity`. The ledger wants a time until that is written.
 */
export const callLifetimeMs = 600_000
/** Sessions are limited by their own number, not by that of their calls: a suspended one has none. */
export const callsAtOnceMax = 2_147_483_647

export type SessionMoney = ReturnType<typeof createSessionMoney>

export function createSessionMoney({
  ledger,
  rows,
  clock,
}: {
  ledger: Pick<Ledger, 'holdJob' | 'settle' | 'extend' | 'fit' | 'catchUp'>
  rows: Pick<SessionRows, 'attach' | 'get'>
  clock: Clock
}) {
  return {
    /**
     * Opens the next call of a session and holds this much for it, within the session's ceiling. Null for a wallet,
     * which has paid once and for all.
     */
    async holdNext(
      row: Pick<SessionRow, 'id' | 'accountId' | 'keyId' | 'action' | 'ceiling' | 'settled'>,
      wantedMicros: Micros,
    ): Promise<{ callId: string; outcome: HoldOutcome; heldMicros: Micros } | null> {
      if (row.keyId === null) return null
      const callId = uuidv7(clock.now())
      const left = (row.ceiling ?? Number.POSITIVE_INFINITY) - row.settled
      const micros = Math.max(0, Math.min(wantedMicros, left))
      const { accountId, keyId, action } = row
      const outcome = await ledger.holdJob(
        { callId, accountId, keyId, action, micros, lifetimeMs: callLifetimeMs },
        {
          input: JSON.stringify({ session_id: row.id }),
          atOnceMax: callsAtOnceMax,
          async enqueue(client) {
            if (!(await rows.attach(row.id, callId, client)))
              throw new Error(`Session ${row.id} ended while its next call was opened.`)
          },
        },
      )
      return { callId, outcome, heldMicros: micros }
    },
    /** Resolves to what the call holds then. A call that has ended holds nothing. */
    async extend(
      { callId, accountId }: { callId: string; accountId: string },
      targetMicros: Micros,
    ): Promise<Micros> {
      const held = (await ledger.extend(callId, targetMicros)) ?? 0
      if (held >= targetMicros) return held
      // The rest of the balance may be held by spend leases.
      await ledger.catchUp(accountId)
      return (await ledger.extend(callId, targetMicros)) ?? 0
    },
    /**
     * Lowers the hold where the limits of the key have been lowered. Resolves to what the call holds then. A call that
     * has ended is noticed when it is extended.
     */
    async fit(
      { callId, keyId }: { callId: string; keyId: string | null },
      held: { readonly heldMicros: Micros; readonly dueMicros: Micros },
    ): Promise<Micros> {
      return keyId === null
        ? held.heldMicros
        : ((await ledger.fit(callId, held.dueMicros)) ?? held.heldMicros)
    },
    async settle(row: SessionRow, failure?: CallError): Promise<void> {
      if ((await settle(ledger, row, failure))?.outcome !== 'gone') return
      // A gateway that still meters the session may have lowered the hold since the row was read.
      const now = await rows.get(row.id)
      if (now?.callId === row.callId) await settle(ledger, { ...row, held: now.held }, failure)
    },
  }
}

/**
 * Ends the open call of a session: charges the use of its row, or nothing if the session failed. Repeating it is safe.
 */
async function settle(
  ledger: Pick<Ledger, 'settle'>,
  row: SessionRow,
  failure?: CallError,
): Promise<SettleOutcome | undefined> {
  const { callId, accountId, held, used, settled, tariff } = row
  if (callId === null || held === null) return undefined
  const due = Math.max(0, priceOfUse(tariff, used) - settled)
  return await ledger.settle({
    callId,
    accountId,
    ...(failure === undefined
      ? {
          state: 'settled' as const,
          charged: Math.min(due, held),
          output: JSON.stringify({ session_id: row.id, used_seconds: used }),
        }
      : {
          state: 'voided' as const,
          charged: 0,
          error: failure.code,
          message: failure.message,
        }),
  })
}
