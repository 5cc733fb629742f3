// /api/v1/admin/providers, /prices, /reading and /models: what is sold, and the health of its providers.
import type { FastifyInstance } from 'fastify'
import { type Catalog, describeCatalog } from '#core/catalog.ts'
import { describePrice } from '#core/price.ts'
import { overrideKindOf } from '#core/pricing/override.ts'
import type { QuotaReport, VendorQuotas } from '#core/provider.ts'
import type { Models } from '#features/models/llm/routing/models.ts'
import type { Memory } from '#features/web/reading/ladder/memory.ts'
import type { HealthReport } from '#runner/history/health.ts'
import type { UsageSums } from '#runner/history/usage.ts'
import { showHealth } from '../routes/health.ts'
import { showsPrices } from '../server.ts'
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

export function addAdminCatalogRoutes(
  admin: FastifyInstance,
  prefix: string,
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
  admin.get(`${prefix}/providers`, async () => {
    const [used, quotas] = await Promise.all([readProviderUsage(usage), vendorQuotas.read()])
    return { providers: describeProviders(catalog, used, quotas) }
  })
  admin.get(`${prefix}/actions`, async () => ({
    actions: (await report.actions()).map(({ calls, failedCalls, errors, ...health }) => ({
      ...showHealth(health),
      calls,
      failed_calls: failedCalls,
      errors,
    })),
  }))
  admin.get(`${prefix}/prices`, showsPrices, async () => ({
    prices: catalog.entries.map(({ id, action }) => ({
      id,
      ...describePrice(action.price),
      is_replaceable: overrideKindOf(action.price) !== undefined,
    })),
  }))
  admin.get(`${prefix}/reading/hosts`, async () => ({ hosts: await readingMemory.recent() }))
  admin.post(`${prefix}/models/refresh`, async (request) => {
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
