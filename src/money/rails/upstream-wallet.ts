// The operator's wallet as a buyer: one key, and a paying wallet on each rail whose settings allow it.

import { membersOf } from '#core/input/members.ts'
import type { Clock, Log } from '#core/ports.ts'
import { createUpstreamWallet, type UpstreamWallet } from '#platform/http/upstream-wallet.ts'
import type { MoneySettings } from '../settings.ts'
import { missingSettings, pickSettings, type RailDefinition } from './definition.ts'

/** Undefined when no wallet is set, or no rail that it could pay on. */
export async function openUpstreamWallet(
  rails: readonly RailDefinition[],
  settings: Partial<MoneySettings>,
  { clock, log }: { clock: Clock; log: Log },
): Promise<UpstreamWallet | undefined> {
  const { UPSTREAM_WALLET_KEY: key } = settings
  if (key === undefined) return undefined
  const values = membersOf(settings)
  const unset = new Map<string, readonly string[]>()
  const wallets = []
  for (const { id, buying, settings: declared } of rails) {
    if (buying === undefined) continue
    unset.set(id, missingSettings(buying.requires, values))
    if (unset.get(id)?.length !== 0) continue
    const wallet = await buying.open({ settings: pickSettings(declared, values), key, clock, log })
    if (wallet !== undefined) wallets.push(wallet)
  }
  return wallets.length === 0 ? undefined : createUpstreamWallet(wallets, unset)
}
