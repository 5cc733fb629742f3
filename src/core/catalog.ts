// The catalog as a value: every action with the provider that answers it on this gateway. All readers start here.
import { type Action, z } from './action.ts'
import { ceilingCentsMax, ceilingField } from './ceiling.ts'
import { type ErrorCode, errorTable } from './errors.ts'
import type { ServiceHttp } from './ports.ts'
import { describePrice, needsCeiling, type PriceMetadata, type RailTerms } from './price.ts'
import type { Provider, ProviderMode } from './provider.ts'

export interface Service {
  readonly provider: Provider
  readonly mode: ProviderMode
  /** Why the provider is unavailable, and what the operator can do. */
  readonly reason?: string
  /** Its answers are bought from a seller, with the operator's wallet. */
  readonly buys?: true
  readonly http: ServiceHttp
  /** Closes the connections to the provider. */
  readonly close: () => Promise<void>
}

export interface CatalogEntry {
  /** `service/action`. */
  readonly id: string
  readonly action: Action
  readonly service: Service
  /** Mostly that of the service; this machine may answer some of its actions, and single ones may lack something. */
  readonly mode: ProviderMode
  readonly reason?: string | undefined
}

/** What this machine can do itself where a vendor's credential is missing: how `service/action` is run then. */
export type Substitutes = ReadonlyMap<string, Substitute>

export interface Substitute {
  readonly run: Action['run']
  /** Refuses what only the vendor can do, before anything is held. Throws CallError. */
  // biome-ignore lint/suspicious/noExplicitAny: what the action's schema has accepted.
  readonly check: (input: any) => void
  /** What this machine lacks to do it, as a sentence for the operator. Absent: nothing. */
  readonly missing?: string
}

export interface Catalog {
  readonly services: readonly Service[]
  readonly entries: readonly CatalogEntry[]
  find(service: string, action: string): CatalogEntry | undefined
}

/** The two names in `service/action`. */
export function splitId(id: string): readonly [service: string, action: string] {
  const [service = '', action = ''] = id.split('/')
  return [service, action]
}

/** Throws TypeError when two providers or two actions have the same name. */
export function createCatalog(
  offers: readonly Service[],
  substitutes: Substitutes = new Map(),
): Catalog {
  const standing = offers.map((service) => standIn(service, substitutes))
  const services = standing.map((service) => offerThrough(service, standing))
  const byId = new Map<string, CatalogEntry>()
  for (const [at, service] of services.entries()) {
    const isTaken = services
      .slice(0, at)
      .some(({ provider }) => provider.id === service.provider.id)
    if (isTaken) throw new TypeError(`Two providers are called ${service.provider.id}.`)
    for (const action of service.provider.actions) {
      const id = `${service.provider.id}/${action.name}`
      if (byId.has(id)) throw new TypeError(`Two actions are called ${id}.`)
      byId.set(id, { id, service, ...offerAction(service, action, substitutes) })
    }
  }
  return {
    services,
    entries: [...byId.values()],
    find: (service, action) => byId.get(`${service}/${action}`),
  }
}

/** A service without its vendor is this machine's, as far as that can stand in. The reason stays, for the other actions. */
function standIn(service: Service, substitutes: Substitutes): Service {
  const { id, actions } = service.provider
  const some = actions.some(({ name }) => substitutes.has(`${id}/${name}`))
  return service.mode === 'unavailable' && some ? { ...service, mode: 'embedded' } : service
}

function offerAction(
  { mode, reason, provider: { id, through = [] } }: Service,
  action: Action,
  substitutes: Substitutes,
): Pick<CatalogEntry, 'action' | 'mode' | 'reason'> {
  const standsIn = mode === 'embedded' ? [id, ...through] : []
  const substitute = standsIn
    .map((service) => substitutes.get(`${service}/${action.name}`))
    .find((found) => found !== undefined)
  if (mode === 'embedded' && reason !== undefined) {
    if (substitute === undefined) return { action, mode: 'unavailable', reason }
    if (substitute.missing !== undefined)
      return { action, mode: 'unavailable', reason: `${reason} Or: ${substitute.missing}` }
    return { action: { ...refusing(action, substitute), run: substitute.run }, mode }
  }
  if (mode === 'unavailable' && action.keyless) return { action, mode: 'keyless' }
  // Whoever has no key yet should know that it would not be enough.
  if (action.unavailable !== undefined)
    return { action, mode: 'unavailable', reason: action.unavailable }
  return { action: substitute ? refusing(action, substitute) : action, mode, reason }
}

/** The action, which refuses beforehand what this machine cannot do in a vendor's place. */
const refusing = (action: Action, { check }: Substitute): Action => ({
  ...action,
  check(input) {
    action.check?.(input)
    check(input)
  },
})

/** A service whose actions call other services is what the first available of those is, and unavailable without any. */
function offerThrough(service: Service, offers: readonly Service[]): Service {
  const others = service.provider.through?.map((id) =>
    offers.find(({ provider }) => provider.id === id),
  )
  if (others === undefined) return service
  const first =
    others.find((other) => other?.mode === 'live' || other?.mode === 'keyless') ??
    others.find((other) => other?.mode === 'embedded')
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

/** The rails, of those that are on, by which a wallet can pay this action. */
export function railsFor<Terms extends RailTerms>(
  { price, pay }: Action,
  rails: readonly Terms[],
): Terms[] {
  if (price === 'free') return []
  return rails.filter(
    ({ id, exactOnly }) =>
      (pay === undefined || pay.includes(id)) && !(exactOnly && 'upToCents' in price),
  )
}

const inputSchemas = new WeakMap<Action, object>()

/** What every body may carry besides the action's own parameters. */
const ceilingSchema = {
  description:
    'The most that the call may cost, in cents. A call that would cost more is refused before it runs.',
  type: 'integer',
  minimum: 0,
  maximum: ceilingCentsMax,
}

/** JSON Schema of the bodies that the action takes. */
export function inputSchemaOf(action: Action): object {
  const known = inputSchemas.get(action)
  if (known !== undefined) return known
  const { properties, required, ...rest } = z.toJSONSchema(action.input, {
    io: 'input',
    unrepresentable: 'any',
  })
  const mustHave = [...(required ?? []), ...(needsCeiling(action.price) ? [ceilingField] : [])]
  const schema = {
    ...rest,
    properties: { ...properties, [ceilingField]: ceilingSchema },
    ...(mustHave.length > 0 ? { required: mustHave } : {}),
  }
  inputSchemas.set(action, schema)
  return schema
}

/** `parameters` as a body that runs: purchases carry the ceiling of the action's example. */
export function bodyOf({ price, example }: Action, parameters: unknown): object {
  const ceiling = needsCeiling(price) ? { [ceilingField]: example.cents } : {}
  return { ...(parameters as object), ...ceiling }
}

/** The example as callers send it. */
export const exampleBodyOf = (action: Action) => bodyOf(action, action.example.input)

/** The parameters that it must be sent. */
export const requiredBy = (action: Action): readonly string[] =>
  (inputSchemaOf(action) as { required?: readonly string[] }).required ?? []

/** JSON Schema of what the action answers. */
export function outputSchemaOf(action: Action) {
  return z.toJSONSchema(action.output, { io: 'output', unrepresentable: 'any' })
}

function summarizeAction(
  { id, action, service, mode }: CatalogEntry,
  rails: readonly RailTerms[],
): ActionSummary {
  return {
    service: service.provider.id,
    action: action.name,
    summary: action.summary,
    mode,
    async: action.mode === 'job',
    price: describePrice(
      action.price,
      railsFor(action, rails).map(({ id, inPrice }) => ({ [id]: inPrice })),
    ),
    endpoint: `POST /api/run/${id}`,
  }
}

/** The answer of `GET /api/run`: the complete catalog, free actions included. `rails`: what wallets can pay by now. */
export function describeCatalog(catalog: Catalog, rails: readonly RailTerms[]) {
  return {
    services: catalog.services.map(({ provider, mode, reason }) => ({
      service: provider.id,
      title: provider.title,
      mode,
      ...(reason === undefined ? {} : { reason }),
    })),
    actions: catalog.entries.map((entry) => summarizeAction(entry, rails)),
    total: catalog.entries.length,
  }
}

const refusals = ['bad_request', 'invalid_token', 'rate_limited', 'upstream_error'] as const
const paidRefusals = [
  'payment_required',
  'insufficient_balance',
  'max_cost_exceeded',
  'too_many_inflight',
] as const

/** The HTTP status of its answers. */
export const statusOf = ({ accepted }: Action) => (accepted ? 202 : 200)

/** The answer of `GET /api/run/{service}/{action}`: all that a caller can know of an action before calling it. */
export function describeAction(entry: CatalogEntry, rails: readonly RailTerms[]) {
  const { action, service } = entry
  const codes: readonly ErrorCode[] = [
    ...refusals,
    ...(action.owned === undefined ? [] : (['not_found'] as const)),
    ...(action.price === 'free' ? [] : paidRefusals),
  ]
  return {
    ...summarizeAction(entry, rails),
    ...(entry.reason === undefined ? {} : { reason: entry.reason }),
    ...(action.notes === undefined ? {} : { notes: action.notes }),
    ...(action.endpoints === undefined ? {} : { endpoints: action.endpoints }),
    ...(action.open === undefined ? {} : { open: action.open }),
    ...(action.retiring === undefined ? {} : { retiring: action.retiring }),
    input_schema: inputSchemaOf(action),
    output_schema: outputSchemaOf(action),
    example: { input: exampleBodyOf(action), cents: action.example.cents },
    errors: codes.map((code) => ({
      error: code,
      status: errorTable[code].status,
      message: errorTable[code].message,
    })),
    limits: {
      timeout_ms: action.timeoutMs ?? defaultTimeoutMs,
      ...(action.cacheSeconds === undefined ? {} : { cache_seconds: action.cacheSeconds }),
    },
    docs: service.provider.docs ?? null,
  }
}

export const defaultTimeoutMs = 60_000
