// The catalog as a value: every action with the provider that answers it on this gateway. All readers start here.
import { type Action, z } from './action.ts'
import { type ErrorCode, errorTable } from './errors.ts'
import type { ServiceHttp } from './ports.ts'
import { describePrice, type PriceMetadata } from './price.ts'
import type { Provider, ProviderMode } from './provider.ts'

export interface Service {
  readonly provider: Provider
  readonly mode: ProviderMode
  /** Why the provider is unavailable, and what the operator can do. */
  readonly reason?: string
  readonly http: ServiceHttp
  /** Closes the connections to the provider. */
  readonly close: () => Promise<void>
}

export interface CatalogEntry {
  /** `service/action`. */
  readonly id: string
  readonly action: Action
  readonly service: Service
}

export interface Catalog {
  readonly services: readonly Service[]
  readonly entries: readonly CatalogEntry[]
  find(service: string, action: string): CatalogEntry | undefined
}

/** Throws TypeError when two actions have one name: a mistake of the people who wrote the list. */
export function createCatalog(offers: readonly Service[]): Catalog {
  const services = offers.map((service) => offerThrough(service, offers))
  const byId = new Map<string, CatalogEntry>()
  for (const service of services) {
    for (const action of service.provider.actions) {
      const id = `${service.provider.id}/${action.name}`
      if (byId.has(id)) throw new TypeError(`Two actions are called ${id}.`)
      byId.set(id, { id, action, service })
    }
  }
  return {
    services,
    entries: [...byId.values()],
    find: (service, action) => byId.get(`${service}/${action}`),
  }
}

/** A service whose actions call other services is what the first available of those is, and unavailable without any. */
function offerThrough(service: Service, offers: readonly Service[]): Service {
  const others = service.provider.through?.map((id) =>
    offers.find(({ provider }) => provider.id === id),
  )
  if (others === undefined) return service
  const first = others.find((other) => other !== undefined && other.mode !== 'unavailable')
  if (first !== undefined) return { ...service, mode: first.mode }
  const reason = others.flatMap((other) => other?.reason ?? []).join(' Or: ')
  return { ...service, mode: 'unavailable', reason }
}

/** A line of `GET /api/run`. */
export interface ActionSummary {
  readonly service: string
  readonly action: string
  readonly summary: string
  readonly mode: ProviderMode
  readonly async: boolean
  readonly price: PriceMetadata
  readonly endpoint: string
}

function summarizeAction({ id, action, service }: CatalogEntry): ActionSummary {
  return {
    service: service.provider.id,
    action: action.name,
    summary: action.summary,
    mode: service.mode,
    async: action.mode === 'job',
    price: describePrice(action.price),
    endpoint: `POST /api/run/${id}`,
  }
}

/** The answer of `GET /api/run`: the complete catalog, free actions included. */
export function describeCatalog(catalog: Catalog) {
  return {
    services: catalog.services.map(({ provider, mode, reason }) => ({
      service: provider.id,
      title: provider.title,
      mode,
      ...(reason === undefined ? {} : { reason }),
    })),
    actions: catalog.entries.map(summarizeAction),
    total: catalog.entries.length,
  }
}

const refusals = ['bad_request', 'invalid_token', 'rate_limited', 'upstream_error'] as const
const paidRefusals = ['insufficient_balance', 'max_cost_exceeded', 'too_many_inflight'] as const

/** The answer of `GET /api/run/{service}/{action}`: all that a caller can know of an action before calling it. */
export function describeAction(entry: CatalogEntry) {
  const { action, service } = entry
  const codes: readonly ErrorCode[] =
    action.price === 'free' ? refusals : [...refusals, ...paidRefusals]
  return {
    ...summarizeAction(entry),
    ...(service.reason === undefined ? {} : { reason: service.reason }),
    ...(action.notes === undefined ? {} : { notes: action.notes }),
    ...(action.retiring === undefined ? {} : { retiring: action.retiring }),
    input_schema: z.toJSONSchema(action.input, { io: 'input', unrepresentable: 'any' }),
    output_schema: z.toJSONSchema(action.output, { io: 'output', unrepresentable: 'any' }),
    example: action.example,
    errors: codes.map((code) => ({
      error: code,
      status: errorTable[code].status,
      message: errorTable[code].message,
    })),
    limits: { timeout_ms: action.timeoutMs ?? defaultTimeoutMs },
    docs: service.provider.docs ?? null,
  }
}

export const defaultTimeoutMs = 60_000
