// Asks the hooks of plugins about calls, and tells them how calls have ended.

import type { AccountCaller, WalletCaller } from '#core/caller.ts'
import type { CallHooks, ProposedCall, ReportedCall } from '#core/calls/call-hooks.ts'
import type { CatalogEntry } from '#core/catalog.ts'
import { CallError, fail } from '#core/errors.ts'
import type { Log } from '#core/ports.ts'
import type { Quote } from '#core/price.ts'
import type { Ledger } from '#money/ledger/ledger.ts'
import type { Database } from '#platform/database/database.ts'

export interface NamedHooks {
  readonly plugin: string
  readonly hooks: CallHooks
}

export interface CallRules {
  /** Throws the refusal of the first rule that refuses, and `unavailable` where a rule fails. */
  permit(call: ProposedCall): Promise<void>
  /** A call has ended. The hooks are told in the background. */
  ended(call: ReportedCall): void
  /** The same for a call whose row says the rest. */
  endedAs(callId: string): void
}

export function createCallRules(dependencies: {
  hooks: readonly NamedHooks[]
  database: Pick<Database, 'query'>
  log: Log
}): CallRules {
  const { database, log } = dependencies
  const asked = dependencies.hooks.filter(({ hooks }) => hooks.beforeCall !== undefined)
  const told = dependencies.hooks.filter(({ hooks }) => hooks.afterCall !== undefined)

  async function ask({ plugin, hooks }: NamedHooks, call: ProposedCall) {
    try {
      return await hooks.beforeCall?.(call)
    } catch (error) {
      log.error({ err: error, plugin }, 'A rule of a plugin failed, so a call was refused.')
      throw fail('unavailable', {
        message: 'A rule of this gateway could not be checked. Nothing was charged. Try again.',
      })
    }
  }

  async function tell(call: ReportedCall) {
    for (const { plugin, hooks } of told) {
      try {
        await hooks.afterCall?.(call)
      } catch (error) {
        log.error({ err: error, plugin, callId: call.transactionId }, 'A hook after a call failed.')
      }
    }
  }

  async function tellFromRow(callId: string) {
    const [call] = await database.query<ReportedCall>(
      `select id as "transactionId", account_id as "accountId", key_id as "keyId", action, state,
         charged as "chargedMicros" from call where id = $1 and state <> 'held'`,
      [callId],
    )
    if (call !== undefined) await tell({ ...call, keyId: call.keyId ?? undefined })
  }

  return {
    async permit(call) {
      for (const { plugin, hooks } of asked) {
        const refusal = await ask({ plugin, hooks }, call)
        if (refusal !== undefined) throw fail(refusal.code, { message: refusal.message })
      }
    },
    ended(call) {
      if (told.length > 0) void tell(call)
    },
    endedAs(callId) {
      if (told.length === 0) return
      tellFromRow(callId).catch((error) =>
        log.error({ err: error, callId }, 'The hooks after a call could not be told.'),
      )
    },
  }
}

/** The ledger, which tells the rules of each call that it ends. */
export const tellingLedger = (ledger: Ledger, rules: CallRules): Ledger => ({
  ...ledger,
  async settle(settlement) {
    const settled = await ledger.settle(settlement)
    if (settled.outcome === 'done') rules.endedAs(settlement.callId)
    return settled
  },
})

/** The refusal of a rule, for a quote that tells it instead of throwing it. */
export async function refusalOfRules(
  rules: Pick<CallRules, 'permit'>,
  call: ProposedCall,
): Promise<CallError | undefined> {
  try {
    await rules.permit(call)
    return undefined
  } catch (thrown) {
    if (thrown instanceof CallError) return thrown
    throw thrown
  }
}

export const proposalOf = (
  caller: AccountCaller | WalletCaller,
  { id, action }: Pick<CatalogEntry, 'id' | 'action'>,
  { input, quote }: { readonly input: unknown; readonly quote: Quote },
): ProposedCall => ({
  payer: caller.kind,
  accountId: caller.accountId,
  keyId: caller.kind === 'account' ? caller.keyId : undefined,
  action: id,
  quote,
  orders: (action.orders?.(input) ?? []).map((ordered) => ordered.id),
})
