// /api/v1/admin/providers, /prices, /reading and /models: what is sold, and the health of its providers.
import type { FastifyInstance } from 'fastify'
import { type Catalog, describeCatalog } from '#core/catalog.ts'
import { describePrice } from '#core/pricing/describe-price.ts'
import { overrideKindOf } from '#core/pricing/override.ts'
import type { QuotaReport, VendorQuotas } from '#core/provider.ts'
import type { Models } from '#features/models/llm/routing/models.ts'
import type { Memory } from '#features/web/reading/ladder/memory.ts'
import type { HealthReport } from '#runner/history/health.ts'
import type { UsageSums } from '#runner/history/usage.ts'
import { addRoute } from '../../doors/add-route.ts'
import { defineRoute, operatorPrefix } from '../../doors/route.ts'
import { integer, list, object, objectWith, text, truth } from '../../doors/shapes.ts'
import { listedPrice } from '../routes/catalog-answers.ts'
import { showHealth, shownHealth } from '../routes/health.ts'
import { showsPrices } from '../server.ts'
import { operatedProvider, readHost } from './answers.ts'
import { showDurations, showRevenue } from './books.ts'
import type { Operations } from './operations.ts'

const dayMs = 86_400_000
const daysShown = 30
const servicesMax = 1_000

export interface CatalogRoutesDependencies {
  catalog: Catalog
  usage: UsageSums
  report: HealthReport
  models: Models
  readingMemory: Memory
  vendorQuotas: VendorQuotas
}

export const listPrices = defineRoute({
  method: 'get',
  path: `${operatorPrefix}/prices`,
  who: 'operator',
  summary: 'The price of each action.',
  answer: object({ prices: list(listedPrice) }),
})
export const listProviders = defineRoute({
  method: 'get',
  path: `${operatorPrefix}/providers`,
  who: 'operator',
  summary:
    'The providers with their mode, their open circuit breakers, and what their calls of the last 30 days brought and cost.',
  answer: object({ providers: list(operatedProvider) }),
})
export const listActionHealth = defineRoute({
  method: 'get',
  path: `${operatorPrefix}/actions`,
  who: 'operator',
  summary: 'How well each action does: its calls and errors of the last day.',
  answer: object({
    actions: list(
      shownHealth({
        calls: integer,
        failed_calls: integer,
        errors: list(object({ error: text, calls: integer })),
      }),
    ),
  }),
})
export const listReadHosts = defineRoute({
  method: 'get',
  path: `${operatorPrefix}/reading/hosts`,
  who: 'operator',
  summary: 'What page reading remembers of hosts.',
  answer: object({ hosts: list(readHost) }),
})
export const refreshModels = defineRoute({
  method: 'post',
  path: `${operatorPrefix}/models/refresh`,
  who: 'operator',
  summary: 'Read the prices of language models again.',
  answer: objectWith({ ok: truth, version: text }, { problem: text }),
})

export function addAdminCatalogRoutes(
  admin: FastifyInstance,
  {
    catalog,
    usage,
    report,
    models,
    readingMemory,
    vendorQuotas,
    operations,
  }: CatalogRoutesDependencies & { operations: Operations },
) {
  addRoute(admin, listProviders, async () => {
    const [used, quotas] = await Promise.all([readProviderUsage(usage), vendorQuotas.read()])
    return { providers: describeProviders(catalog, used, quotas) }
  })
  addRoute(admin, listActionHealth, async () => ({
    actions: (await report.actions()).map(({ calls, failedCalls, errors, ...health }) => ({
      ...showHealth(health),
      calls,
      failed_calls: failedCalls,
      errors,
    })),
  }))
  const prices = () => ({
    prices: catalog.entries.map(({ id, action }) => ({
      id,
      ...describePrice(action),
      is_replaceable: overrideKindOf(action.price) !== undefined,
      override_kind: overrideKindOf(action.price) ?? null,
    })),
  })
  addRoute(admin, listPrices, prices, showsPrices)
  addRoute(admin, listReadHosts, async () => ({ hosts: await readingMemory.recent() }))
  addRoute(admin, refreshModels, async ({ request }) => {
    await operations.announce(request, { action: 'models.refresh' })
    const problem = await models.refresh()
    const { version } = models.current()
    return { ok: problem === undefined, version, ...(problem === undefined ? {} : { problem }) }
  })
}

/** What the calls of each service brought and cost. */
async function readProviderUsage(usage: UsageSums): Promise<ReadonlyMap<string, object>> {
  const until = new Date()
  const time = { from: new Date(until.getTime() - daysShown * dayMs), until }
  const [{ rows }, durations] = await Promise.all([
    usage.ofActions({ ...time, timeZone: 'UTC', by: ['service'], limit: servicesMax }),
    usage.durations('service', time),
  ])
  const took = new Map(durations.map((each) => [each.name, each]))
  return new Map(
    rows.map(({ service = '', ...row }) => [
      service,
      { ...showRevenue(row), ...showDurations(took.get(service)) },
    ]),
  )
}

/** The services with their open circuit breakers, each of which suspends an address that failed too often. */
function describeProviders(
  catalog: Catalog,
  used: ReadonlyMap<string, object>,
  quotas: ReadonlyMap<string, QuotaReport>,
) {
  const { services } = describeCatalog(catalog, [])
  return services.map((service, place) => ({
    ...service,
    last_30_days: used.get(service.service) ?? null,
    quota: showQuota(quotas.get(service.service)),
    circuits: (catalog.services[place]?.http.circuits() ?? []).map(({ retryAt, ...circuit }) => ({
      ...circuit,
      retry_at: retryAt,
    })),
  }))
}

/** Null where the vendor reports none. */
function showQuota(report: QuotaReport | undefined) {
  if (report === undefined) return null
  if ('problem' in report) return { problem: report.problem, asked_at: report.askedAt }
  const { remaining, limit, unit, renewsAt, askedAt } = report
  return {
    remaining,
    limit: limit ?? null,
    unit,
    renews_at: renewsAt ?? null,
    asked_at: askedAt,
  }
}
