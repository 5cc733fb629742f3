// /api/v1/admin/sold-apis: APIs that the operator sells beside the catalog.
import type { FastifyInstance } from 'fastify'
import { untilNoLongerTrusted } from '#accounts/keys/authentication.ts'
import { z } from '#core/action.ts'
import type { Catalog } from '#core/catalog.ts'
import { fail } from '#core/errors.ts'
import type { Clock } from '#core/ports.ts'
import { centsOfAll } from '#features/selling/importing/chosen-rules.ts'
import type { SellPlan } from '#features/selling/importing/plan-import.ts'
import type { PriceSurroundings } from '#features/selling/importing/plan-warnings.ts'
import { type SellRequest, sellRequest } from '#features/selling/importing/sell-request.ts'
import { securityOf } from '#features/selling/provider.ts'
import { originsOf, type SoldApi, soldKinds } from '#features/selling/sold-api.ts'
import type { SoldApis, StoredSoldApi } from '#features/selling/store/sold-apis.ts'
import type { Rails } from '#money/rails/open-rails.ts'
import type { PriceOverrides } from '#runner/pricing/price-overrides.ts'
import type { ProviderKeys } from '#runner/providers/provider-keys.ts'
import { addRoute } from '../../doors/add-route.ts'
import { defineRoute, operatorPrefix } from '../../doors/route.ts'
import {
  anyObject,
  integer,
  list,
  object,
  objectWith,
  text,
  textOrNull,
  truth,
} from '../../doors/shapes.ts'
import type { Operations } from './operations.ts'
import { type KeyTest, shownKeyTest } from './provider-keys.ts'

/** A description is sent as text where no address has it. */
const bodyBytesMax = 32_000_000

export interface SoldApiRoutesDependencies {
  readonly selling: {
    readonly soldApis: SoldApis
    readonly plan: (request: SellRequest, surroundings: PriceSurroundings) => Promise<SellPlan>
    /** Whether the key is accepted by what is not sold yet. */
    readonly testSale: (sold: SoldApi, key: string) => Promise<KeyTest>
    readonly providers: { readonly keys: Pick<ProviderKeys, 'remove' | 'set'> }
  }
  prices: PriceOverrides
  rails: Rails
  catalog: Catalog
  clock: Clock
  /** Sells at this gateway what the database says now. */
  followOffers: () => Promise<void>
}

const shownPlan = object({
  name: text,
  title: text,
  kind: { enum: [...soldKinds] },
  address: text,
  needs_key: truth,
  new_hosts: {
    ...list(text),
    description:
      'Hosts that an earlier revision did not call. A stored key is not sent to them: it is forgotten.',
  },
  digest: { ...text, description: 'Send it to sell exactly this.' },
  actions: list(
    object({
      action: text,
      price: text,
      summary: text,
      change: { enum: ['new', 'changed', 'price', 'same', 'retired', 'removed'] },
      price_before: textOrNull,
      what_changed: {
        ...textOrNull,
        description: 'What differs besides the price, in one line. Null where nothing does.',
      },
      is_deprecated: { ...truth, description: 'Whether the API calls the operation deprecated.' },
    }),
  ),
  left_out: list(objectWith({ where: text, why: text }, { line: integer })),
  rules: { ...list(anyObject), description: 'The price rules that it would be sold by.' },
  rules_before: {
    ...list(anyObject),
    description: 'Those of the sale that it replaces. Empty where it is not sold yet.',
  },
  idle_rules: list(text),
  canary: {
    ...textOrNull,
    description: 'The action that its canary asks. Null: none is known to read only.',
  },
  warnings: {
    ...list(text),
    description:
      'What becomes of the price rules of the sale before, what callers pay where the operator has set a price, and which wallets cannot pay the new prices.',
  },
})

const soldApi = object({
  name: text,
  title: text,
  kind: text,
  address: text,
  mode: textOrNull,
  reason: textOrNull,
  actions: integer,
  left_out: integer,
  private: truth,
  price_cents: {
    type: ['number', 'null'],
    description: 'Of each call that no other price rule is for. Null: no price says it.',
  },
  revision: integer,
  saved_at: text,
  stopped_at: textOrNull,
})

export const listSoldApis = defineRoute({
  method: 'get',
  path: `${operatorPrefix}/sold-apis`,
  who: 'operator',
  summary: 'The APIs that the operator sells beside the catalog.',
  answer: object({ sold_apis: list(soldApi) }),
})
export const planSoldApi = defineRoute({
  method: 'post',
  path: `${operatorPrefix}/sold-apis/preview`,
  who: 'operator',
  summary:
    'What would be sold, at which prices, what is left out, and what would change. Sells nothing.',
  body: sellRequest,
  answer: shownPlan,
})
export const sellApi = defineRoute({
  method: 'put',
  path: `${operatorPrefix}/sold-apis/{name}`,
  who: 'operator',
  summary: 'Sell what a preview has shown. All gateways sell it within a second.',
  body: sellRequest.safeExtend({
    digest: z.string().max(100).describe('Of the preview.'),
  }),
  once: true,
  answer: objectWith({ name: text, revision: integer }, { tested: shownKeyTest }),
  errors: ['bad_request', 'stale_etag'],
})
export const exportSoldApi = defineRoute({
  method: 'get',
  path: `${operatorPrefix}/sold-apis/{name}`,
  who: 'operator',
  summary: 'The import as one file, without keys. Send it as `file` to sell it at another gateway.',
  query: z.strictObject({ revision: z.coerce.number().int().min(1).optional() }),
  answer: anyObject,
})
export const listSoldRevisions = defineRoute({
  method: 'get',
  path: `${operatorPrefix}/sold-apis/{name}/revisions`,
  who: 'operator',
  summary: 'The latest revisions of an import, newest first.',
  answer: object({ revisions: list(object({ revision: integer, saved_at: text })) }),
})
export const stopSelling = defineRoute({
  method: 'delete',
  path: `${operatorPrefix}/sold-apis/{name}`,
  who: 'operator',
  summary:
    'Stop selling an API. Its actions stay as unavailable, with a sentence, unless it is forgotten.',
  query: z.strictObject({ forget: z.enum(['true', 'false']).default('false') }),
  once: true,
  answer: object({ name: text, stopped: { const: true }, forgotten: truth }),
})

export function addSoldApiRoutes(
  admin: FastifyInstance,
  {
    selling: {
      soldApis,
      plan,
      testSale,
      providers: { keys },
    },
    prices,
    rails,
    catalog,
    clock,
    followOffers,
    operations,
  }: SoldApiRoutesDependencies & { operations: Operations },
) {
  const planFor = async (request: SellRequest) =>
    await plan(request, {
      overrides: new Map((await prices.list()).map(({ action, override }) => [action, override])),
      rails: [...rails.open.values()].map(({ terms }) => terms),
    })
  const settle = async () => {
    await followOffers()
    await untilNoLongerTrusted()
  }
  const find = async (name: string): Promise<StoredSoldApi> => {
    const stored = await soldApis.find(name)
    if (stored === undefined)
      throw fail('not_found', {
        message: `No API is sold as ${name.slice(0, 100)}. \`tollway sell list\` lists all.`,
      })
    return stored
  }

  addRoute(admin, listSoldApis, async () => {
    await followOffers()
    return { sold_apis: soldApis.current().map((stored) => showStored(stored, catalog)) }
  })

  /** Origins that were not called before. Undefined for a name that is not sold. */
  const newOrigins = async ({ sold }: SellPlan): Promise<readonly string[] | undefined> => {
    const before = await soldApis.find(sold.name)
    if (before === undefined) return undefined
    const known = originsOf(before.sold)
    return [...originsOf(sold)].filter((origin) => !known.has(origin))
  }

  addRoute(
    admin,
    planSoldApi,
    async ({ body }) => {
      const planned = await planFor(body)
      return showPlan(planned, (await newOrigins(planned)) ?? [])
    },
    { bodyLimit: bodyBytesMax },
  )

  addRoute(
    admin,
    sellApi,
    async ({ request, params: { name }, body }, reply) => {
      const { digest, key, ...asked } = body
      const planned = await planFor({ ...asked, name, ...(key !== undefined && { key }) })
      if (planned.digest !== digest)
        throw fail('stale_etag', {
          message:
            'The API, or what is sold of it, is no longer what the preview has shown. Look at it again, and confirm that.',
        })
      const tested = key === undefined ? undefined : await testOrRefuse(testSale, planned.sold, key)
      const { kind, address } = planned.sold
      const operation = {
        action: 'sold_api.save',
        subject: name,
        details: { kind, address, actions: planned.actions.length },
      }
      const origins = await newOrigins(planned)
      const saved = await operations.perform(request, reply, operation, async (client) => {
        // A key belongs to the hosts for which the operator has given it.
        if (origins === undefined || origins.length > 0) await keys.remove(name, client)
        const revision = await soldApis.save(planned.sold, client)
        if (key !== undefined) await keys.set(name, key, client)
        return { name, revision, ...(tested !== undefined && { tested }) }
      })
      await settle()
      return saved
    },
    { bodyLimit: bodyBytesMax },
  )

  addRoute(admin, exportSoldApi, async ({ params: { name }, query: { revision } }) => {
    if (revision === undefined) return (await find(name)).sold
    const sold = await soldApis.findRevision(name, revision)
    if (sold === undefined)
      throw fail('not_found', { message: `Revision ${revision} of ${name} is not kept.` })
    return sold
  })

  addRoute(admin, listSoldRevisions, async ({ params: { name } }) => ({
    revisions: (await soldApis.revisions(name)).map(({ revision, savedAt }) => ({
      revision,
      saved_at: savedAt,
    })),
  }))

  addRoute(admin, stopSelling, async ({ request, params: { name }, query }, reply) => {
    const forget = query.forget === 'true'
    const { sold } = await find(name)
    const operation = { action: forget ? 'sold_api.forget' : 'sold_api.stop', subject: name }
    const stopped = await operations.perform(request, reply, operation, async (client) => {
      if (forget) {
        await soldApis.remove(name, client)
        await keys.remove(name, client)
      } else await soldApis.save({ ...sold, stopped: new Date(clock.now()).toISOString() }, client)
      return { name, stopped: true, forgotten: forget }
    })
    await settle()
    return stopped
  })
}

function showPlan(
  { sold, digest, actions, leftOut, rulesBefore, idleRules, canary, warnings }: SellPlan,
  newHosts: readonly string[],
) {
  const deprecated = new Set(
    sold.api.operations.flatMap((each) => (each.deprecated ? [`${sold.name}/${each.name}`] : [])),
  )
  return {
    name: sold.name,
    title: sold.api.title,
    kind: sold.kind,
    address: sold.address,
    needs_key: securityOf(sold) !== 'none',
    new_hosts: newHosts,
    digest,
    actions: actions.map(({ priceBefore, whatChanged, ...action }) => ({
      ...action,
      price_before: priceBefore ?? null,
      what_changed: whatChanged ?? null,
      is_deprecated: deprecated.has(action.action),
    })),
    left_out: leftOut,
    rules: sold.rules,
    rules_before: rulesBefore,
    idle_rules: idleRules,
    canary: canary ?? null,
    warnings,
  }
}

function showStored({ sold, revision, savedAt }: StoredSoldApi, catalog: Catalog) {
  const service = catalog.services.find(({ provider }) => provider.id === sold.name)
  const known = new Set(service?.provider.actions.map((action) => action.name))
  // A price rule leaves an operation out without a line in what was imported.
  const withoutPrice =
    service === undefined ? [] : sold.api.operations.filter((each) => !known.has(each.name))
  return {
    name: sold.name,
    title: sold.api.title,
    kind: sold.kind,
    address: sold.address,
    mode: service?.mode ?? null,
    reason: service?.reason ?? null,
    actions: service?.provider.actions.filter(({ ended }) => !ended).length ?? 0,
    left_out: sold.api.leftOut.length + withoutPrice.length,
    private: sold.private,
    price_cents: centsOfAll(sold.rules),
    revision,
    saved_at: savedAt,
    stopped_at: sold.stopped ?? null,
  }
}

/** A key that the API refuses sells nothing. */
async function testOrRefuse(
  testSale: (sold: SoldApi, key: string) => Promise<KeyTest>,
  sold: SoldApi,
  key: string,
): Promise<KeyTest> {
  if (securityOf(sold) === 'none')
    throw fail('bad_request', {
      message: `${sold.name} asks for no key, so nothing was sold. Say where the key goes: \`"credential": {"kind": "bearer"}\`, or \`"credential": {"kind": "header", "name": "NAME"}\`.`,
    })
  const tested = await testSale(sold, key)
  if (tested !== 'refused') return tested
  throw fail('bad_request', {
    message: `${sold.name} refused this key, so nothing was sold. Check the key, or leave it out and give it later.`,
  })
}
