// /api/v1/admin/provider-keys and provider-budgets: vendors' keys that the operator pastes, and how much of a vendor a
// day may use.
import type { FastifyInstance } from 'fastify'
import { untilNoLongerTrusted } from '#accounts/keys/authentication.ts'
import { z } from '#core/action.ts'
import type { Catalog } from '#core/catalog.ts'
import { fail } from '#core/errors.ts'
import { emptySecretSentence, isTooShort, tooShortSentence } from '#core/input/secret-length.ts'
import { centsToMicros, microsToUsd } from '#core/money.ts'
import { credentialNames, type Provider } from '#core/provider.ts'
import type { ProviderBudgets } from '#runner/providers/budgets.ts'
import type { ProviderKeys } from '#runner/providers/provider-keys.ts'
import { addRoute } from '../../doors/add-route.ts'
import { defineRoute, operatorPrefix } from '../../doors/route.ts'
import {
  integer,
  integerOrNull,
  list,
  object,
  text,
  textOrNull,
  truth,
} from '../../doors/shapes.ts'
import type { Operations } from './operations.ts'

const keyCharactersMax = 10_000
const callsMax = 1_000_000_000
const centsMax = 100_000_000

/** `unclear`: the provider answered neither that the key is good nor that it is not. */
export type KeyTest = 'accepted' | 'refused' | 'unclear' | 'untested'

export interface ProviderKeyRoutesDependencies {
  providers: {
    readonly keys: ProviderKeys
    readonly budgets: ProviderBudgets
    /** By one harmless call. */
    readonly testKey: (provider: string, key: string) => Promise<KeyTest>
    /** The setting of the environment that has the provider's key. */
    readonly settingOf: (provider: Provider) => string | undefined
  }
  catalog: Catalog
  followOffers: () => Promise<void>
}

const shownKey = object({
  provider: text,
  title: text,
  mode: text,
  source: {
    enum: ['environment', 'pasted', 'none'],
    description: 'Where its key is from. The environment wins over a pasted key.',
  },
  setting: { ...text, description: 'The setting that a key can be in.' },
  form: textOrNull,
  pasted_at: textOrNull,
  is_readable: {
    ...truth,
    description: 'False: the pasted key was sealed with another PROVIDER_SEALING_KEY.',
  },
})
export const shownKeyTest = {
  enum: ['accepted', 'refused', 'unclear', 'untested'],
  description:
    'What one harmless call showed. `untested`: there is no such call, so ask `tollway doctor providers --live`.',
}
/** A key that may be wrong would take the place of what answers without one. */
const whyNotStored = {
  refused: 'refused this key, so it was not stored. Check it at the provider.',
  unclear:
    'could not be asked whether this key is good, so it was not stored. Try again when it answers.',
  untested: 'has no harmless call that tests a key, so it was not stored.',
} as const
/** A key that is stored. */
const shownStoredTest = { ...shownKeyTest, enum: ['accepted', 'untested'] }
const budget = object({
  provider: text,
  calls_per_day: integerOrNull,
  cost_usd_per_day: textOrNull,
  calls_today: integer,
  cost_usd_today: text,
})

export const listProviderKeys = defineRoute({
  method: 'get',
  path: `${operatorPrefix}/provider-keys`,
  who: 'operator',
  summary: 'Which providers have a key, and where it is from. Keys are never shown.',
  answer: object({ provider_keys: list(shownKey) }),
})
export const setProviderKey = defineRoute({
  method: 'put',
  path: `${operatorPrefix}/provider-keys/{provider}`,
  who: 'operator',
  summary:
    'Paste the key of a provider. It is tested by one harmless call, sealed, and used by all gateways without a restart. Where there is no such call, it is stored only with `"test": false`.',
  body: z.strictObject({
    key: z
      .string()
      .trim()
      .max(keyCharactersMax)
      .refine((key) => key !== '', { error: emptySecretSentence, abort: true })
      .regex(/^[\x20-\x7e]*$/, 'must be printable ASCII characters')
      .refine((key) => !isTooShort(key), tooShortSentence),
    test: z.boolean().default(true).describe('False: the key is stored without a call.'),
  }),
  answer: object({ provider: text, tested: shownStoredTest, is_used: truth }),
  errors: ['bad_request', 'not_found'],
})
export const removeProviderKey = defineRoute({
  method: 'delete',
  path: `${operatorPrefix}/provider-keys/{provider}`,
  who: 'operator',
  summary: 'Forget the pasted key of a provider.',
  once: true,
  answer: object({ provider: text, removed: { const: true } }),
})
export const listProviderBudgets = defineRoute({
  method: 'get',
  path: `${operatorPrefix}/provider-budgets`,
  who: 'operator',
  summary: 'What each provider may use on a day of UTC, and what it has used today.',
  answer: object({ provider_budgets: list(budget) }),
})
export const setProviderBudget = defineRoute({
  method: 'put',
  path: `${operatorPrefix}/provider-budgets/{provider}`,
  who: 'operator',
  summary:
    'Stop the actions of a provider for the rest of the day once its calls, or their known cost, reach a limit.',
  body: z
    .strictObject({
      calls_per_day: z.int().min(0).max(callsMax).optional(),
      cost_cents_per_day: z.number().min(0).max(centsMax).optional(),
    })
    .refine((limits) => Object.values(limits).some((limit) => limit !== undefined), {
      message: 'Send calls_per_day, cost_cents_per_day, or both.',
    }),
  once: true,
  answer: object({ provider: text }),
})
export const removeProviderBudget = defineRoute({
  method: 'delete',
  path: `${operatorPrefix}/provider-budgets/{provider}`,
  who: 'operator',
  summary: 'Remove the budget of a provider.',
  once: true,
  answer: object({ provider: text, removed: { const: true } }),
})

export function addProviderKeyRoutes(
  admin: FastifyInstance,
  {
    providers: { keys, budgets, testKey, settingOf },
    catalog,
    followOffers,
    operations,
  }: ProviderKeyRoutesDependencies & { operations: Operations },
) {
  const settle = async () => {
    budgets.forget()
    await followOffers()
    await untilNoLongerTrusted()
  }
  const find = (id: string) => {
    const service = catalog.services.find(({ provider }) => provider.id === id)
    if (service !== undefined) return service
    throw fail('not_found', {
      message: `There is no provider ${id.slice(0, 100)}. GET ${operatorPrefix}/provider-keys lists all.`,
    })
  }

  addRoute(admin, listProviderKeys, async () => {
    await followOffers()
    const pasted = new Map((await keys.list()).map(({ provider, setAt }) => [provider, setAt]))
    const keyed = catalog.services.filter(({ provider }) => credentialNames(provider).length > 0)
    return {
      provider_keys: keyed.map(({ provider, mode }) => {
        const { id, title } = provider
        const setting = settingOf(provider)
        const source = setting ? 'environment' : pasted.has(id) ? 'pasted' : 'none'
        return {
          provider: id,
          title,
          mode,
          source,
          setting: setting ?? credentialNames(provider)[0],
          form: provider.upstream?.credential?.form ?? null,
          pasted_at: pasted.get(id) ?? null,
          is_readable: !keys.unreadable().has(id),
        }
      }),
    }
  })

  addRoute(admin, setProviderKey, async ({ request, params, body }, reply) => {
    const { provider } = find(params.provider)
    const [setting] = credentialNames(provider)
    if (setting === undefined)
      throw fail('bad_request', { message: `${provider.id} takes no key.` })
    const tested = body.test ? await testKey(provider.id, body.key) : 'untested'
    if (body.test && tested !== 'accepted')
      throw fail('bad_request', {
        message: `${provider.id} ${whyNotStored[tested]} \`"test": false\` stores it all the same.`,
        // The command and the console say in their own words how it is stored all the same.
        data: { tested },
      })
    const stored = body.test ? 'accepted' : 'untested'
    // The body has the key, which must not be in the log of changes.
    const operation = {
      action: 'provider_key.set',
      subject: provider.id,
      details: { test: body.test ? 'accepted' : 'none' },
    }
    const answer = await operations.perform(request, reply, operation, async (client) => {
      await keys.set(provider.id, body.key, client)
      return { provider: provider.id, tested: stored, is_used: settingOf(provider) === undefined }
    })
    await settle()
    return answer
  })

  addRoute(admin, removeProviderKey, async ({ request, params }, reply) => {
    const operation = { action: 'provider_key.remove', subject: params.provider }
    const removed = await operations.perform(request, reply, operation, async (client) => {
      if (await keys.remove(params.provider, client))
        return { provider: params.provider, removed: true }
      throw fail('not_found', {
        message: `No key was pasted for ${params.provider.slice(0, 100)}.`,
      })
    })
    await settle()
    return removed
  })

  addRoute(admin, listProviderBudgets, async () => ({
    provider_budgets: (await budgets.list()).map(
      ({ provider, callsPerDay, costPerDay, calls, cost }) => ({
        provider,
        calls_per_day: callsPerDay,
        cost_usd_per_day: costPerDay === null ? null : microsToUsd(costPerDay),
        calls_today: calls,
        cost_usd_today: microsToUsd(cost),
      }),
    ),
  }))

  addRoute(admin, setProviderBudget, async ({ request, params, body }, reply) => {
    const { provider } = find(params.provider)
    const { calls_per_day: calls, cost_cents_per_day: cents } = body
    const operation = { action: 'provider_budget.set', subject: provider.id }
    const saved = await operations.perform(request, reply, operation, async (client) => {
      const costPerDay = cents === undefined ? null : centsToMicros(cents)
      await budgets.set({ provider: provider.id, callsPerDay: calls ?? null, costPerDay }, client)
      return { provider: provider.id }
    })
    await settle()
    return saved
  })

  addRoute(admin, removeProviderBudget, async ({ request, params }, reply) => {
    const operation = { action: 'provider_budget.remove', subject: params.provider }
    const removed = await operations.perform(request, reply, operation, async (client) => {
      if (await budgets.remove(params.provider, client))
        return { provider: params.provider, removed: true }
      throw fail('not_found', {
        message: `${params.provider.slice(0, 100)} has no budget.`,
      })
    })
    await settle()
    return removed
  })
}
