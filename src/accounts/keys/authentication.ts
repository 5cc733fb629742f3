// Authenticates API keys. A valid key is trusted for a moment without another look at the database. A change that takes
// a right from a key is answered only after this moment: from then on no gateway grants the right, however many share
// the database.
import { setTimeout as delay } from 'node:timers/promises'
import type { AccountCaller } from '#core/caller.ts'
import { fail } from '#core/errors.ts'
import type { Log } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'
import type { ApiKeyHash } from './api-key.ts'
import { createKeyLookup, type KeyRow } from './key-lookup.ts'

/** Resolves to the caller of the key. Throws `invalid_token` and `account_frozen`. */
export type Authenticate = (hash: ApiKeyHash) => Promise<AccountCaller>

/** How long a valid key is trusted without another look, and so are the operator's prices. */
export const trustedMs = 250
/** Timers may fire a little early. */
const timerMarginMs = 25
const trustedKeysMax = 10_000

/** Resolves once no gateway trusts what it read about a key or a price before now. */
export const untilNoLongerTrusted = () => delay(trustedMs + timerMarginMs)

export function createAuthentication(dependencies: { database: Database; log: Log }): Authenticate {
  const find = createKeyLookup(dependencies)
  const trusted = new Map<ApiKeyHash, { caller: AccountCaller; untilMs: number }>()

  function trust(hash: ApiKeyHash, caller: AccountCaller, untilMs: number) {
    const [oldest] = trusted.keys()
    if (trusted.size >= trustedKeysMax && oldest !== undefined) trusted.delete(oldest)
    trusted.delete(hash)
    trusted.set(hash, { caller, untilMs })
  }

  return async (hash) => {
    // Trust counts from before the database looks, by a clock that is never set back.
    const askedAtMs = performance.now()
    const known = trusted.get(hash)
    if (known !== undefined && askedAtMs < known.untilMs) return known.caller
    const key = await find(hash)
    if (key === undefined) throw fail('invalid_token')
    if (key.isFrozen) throw fail('account_frozen')
    const caller = callerOf(key)
    trust(hash, caller, askedAtMs + Math.min(trustedMs, key.leftMs ?? trustedMs))
    return caller
  }
}

function callerOf({ accountId, id: keyId, isLimited, limits, ...key }: KeyRow): AccountCaller {
  const { models, requestsPerMinute, tokensPerMinute, storesResponses, priceGroup } = key
  return {
    kind: 'account',
    accountId,
    keyId,
    isLimited,
    ...(isLimited ? { limits } : {}),
    ...(models === null ? {} : { models }),
    ...(requestsPerMinute === null ? {} : { requestsPerMinute }),
    ...(tokensPerMinute === null ? {} : { tokensPerMinute }),
    ...(storesResponses === false ? { storesResponses } : {}),
    ...(priceGroup === null ? {} : { priceGroup }),
  }
}
