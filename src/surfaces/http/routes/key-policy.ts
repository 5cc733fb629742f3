// The limits of a key, as callers, the operator and the consent page write them.
import type { KeyPolicy } from '#accounts/keys/keys.ts'
import { z } from '#core/action.ts'
import { type Catalog, findAny, splitId } from '#core/catalog.ts'
import { fail } from '#core/errors.ts'
import { visibleName } from '#core/input/hidden-characters.ts'
import { nearestName } from '#core/input/nearest-name.ts'
import { modelActions } from '#core/model-router.ts'
import { centsToMicros } from '#core/money.ts'

const cents = z.int().min(0).max(100_000_000)
const limits = {
  max_cents_per_call: cents,
  max_cents_per_day: cents,
  max_cents_per_month: cents,
  actions: z
    .array(
      z.string().regex(/^[a-z0-9_]+\/([A-Za-z0-9_-]+|\*)$/, 'must be service/action or service/*'),
    )
    .min(1)
    .max(100),
  models: z
    .array(
      z
        .string()
        .max(200)
        .regex(/^[\w~.:@/-]*\*?$/, 'must be the name of a model or tier, or its beginning and *'),
    )
    .min(1)
    .max(100)
    .describe('Language models and tiers. A trailing * matches any ending.'),
  perMinute: z.int().min(1).max(1_000_000_000),
  expires_at: z.iso.datetime({ offset: true }),
}

/** Null means unlimited, as in responses. */
export const keyPolicy = z.strictObject({
  name: z.string().max(100).nullish(),
  max_cents_per_call: limits.max_cents_per_call.nullish(),
  max_cents_per_day: limits.max_cents_per_day.nullish(),
  max_cents_per_month: limits.max_cents_per_month.nullish(),
  actions: limits.actions.nullish(),
  models: limits.models.nullish(),
  requests_per_minute: limits.perMinute.nullish(),
  tokens_per_minute: limits.perMinute.nullish(),
  expires_at: limits.expires_at.nullish(),
  store_responses: z.boolean().nullish(),
})

/**
 * Absent limits stay absent, so that a change leaves them as they are. Throws `bad_request` for an action that the
 * gateway does not know: a key that lists a misspelt name can do nothing.
 */
export type ReadPolicy = (wanted: z.output<typeof keyPolicy>) => KeyPolicy

export function createPolicyReader(
  catalog: Catalog,
  /** The names of models and tiers now. */
  modelNames: () => ReadonlySet<string>,
): ReadPolicy {
  const known = () =>
    new Set([
      ...Object.values(modelActions),
      wholeService(splitId(modelActions.chat)[0]),
      ...catalog.services.map(({ provider }) => wholeService(provider.id)),
      ...catalog.entries.map(({ id }) => id),
    ])

  function refuseUnknown(name: string): void {
    if (findAny(catalog, name) !== undefined) return
    const names = known()
    if (names.has(name)) return
    const meant = nearestName(name, names)
    const hint = meant === undefined ? '' : ` Did you mean ${meant}?`
    throw fail('bad_request', {
      message: `actions: there is no action ${name.slice(0, 100)}.${hint} GET /api/run lists all actions.`,
    })
  }

  function refuseUnknownModel(name: string): void {
    if (name.endsWith('*')) return
    const sold = modelNames()
    if (sold.has(name)) return
    const meant = nearestName(name, sold)
    const hint = meant === undefined ? '' : ` Did you mean ${meant}?`
    throw fail('bad_request', {
      message: `models: there is no model ${name.slice(0, 100)}.${hint} GET /api/llm/v1/pricing lists all models and tiers.`,
    })
  }

  return (wanted) => {
    wanted.actions?.forEach(refuseUnknown)
    wanted.models?.forEach(refuseUnknownModel)
    return policyOf(wanted)
  }
}

const wholeService = (service: string) => `${service}/*`

function policyOf(wanted: z.output<typeof keyPolicy>): KeyPolicy {
  return {
    name: wanted.name === undefined ? undefined : visibleName(wanted.name),
    callMicrosMax: toMicros(wanted.max_cents_per_call),
    dayMicrosMax: toMicros(wanted.max_cents_per_day),
    monthMicrosMax: toMicros(wanted.max_cents_per_month),
    actions: wanted.actions,
    models: wanted.models,
    requestsPerMinute: wanted.requests_per_minute,
    tokensPerMinute: wanted.tokens_per_minute,
    expiresAt: wanted.expires_at
      ? new Date(wanted.expires_at)
      : (wanted.expires_at as null | undefined),
    storesResponses: wanted.store_responses,
  }
}

function toMicros(amountCents: number | null | undefined) {
  return typeof amountCents === 'number' ? centsToMicros(amountCents) : amountCents
}
