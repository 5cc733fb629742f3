import { expect } from 'vitest'
import { uuidv7 } from '#core/id.ts'
import type { Ledger } from '#money/ledger/ledger.ts'
import type { Hold, Settlement } from '#money/ledger/operations.ts'
import { systemClock } from '#platform/clock.ts'
import type { Database } from '#platform/database/database.ts'

/** Chats of one account, which may use a lease: held at their worst case, charged what they came to. */
export function createChats(
  ledger: Ledger,
  payer: { readonly accountId: string; readonly keyId: string },
  common: Partial<Hold> = {},
) {
  const { accountId, keyId } = payer
  return {
    async hold(micros: number, more: Partial<Hold> = {}) {
      const callId = uuidv7(systemClock.now())
      const outcome = await ledger.hold({
        callId,
        accountId,
        keyId,
        micros,
        action: 'llm/chat',
        inference: true,
        lifetimeMs: 60_000,
        mayUseLease: true,
        ...common,
        ...more,
      })
      return { callId, ...outcome }
    },
    settle: (callId: string, charged: number, more: Partial<Settlement> = {}) =>
      ledger.settle({
        callId,
        accountId,
        charged,
        state: charged > 0 ? 'settled' : 'voided',
        timeline: '{}',
        ...more,
      }),
  }
}

type Chats = Pick<ReturnType<typeof createChats>, 'hold' | 'settle'>

/** Sends free chats until one of them runs on a lease instead of being held by itself. */
export async function warm(database: Database, { hold, settle }: Chats, worst = 10): Promise<void> {
  await expect
    .poll(
      async () => {
        const { callId } = await hold(worst)
        const held = await database.query('select 1 from call where id = $1', [callId])
        await settle(callId, 0)
        return held.length
      },
      { interval: 30 },
    )
    .toBe(0)
}
