// The catalog as a value: every action with the provider that answers it on this gateway.
import { type Action, z } from './action.ts'
import { type Caller, priceGroupOf } from './caller.ts'
import { ceilingCentsMax, ceilingField } from './ceiling.ts'
import { errorTable, fail } from './errors.ts'
import type { JsonSchema, ObjectSchema } from './input/json-schema.ts'
import { membersOf } from './input/members.ts'
import type { ServiceHttp } from './ports.ts'
import { needsCeiling } from './price.ts'
import { describePrice, type PriceMetadata, type RailTerms } from './pricing/describe-price.ts'
import type { Provider, ProviderMode } from './provider.ts'
import { errorsOf } from './replies/action-errors.ts'
import { describeFields } from './replies/field-meanings.ts'

export interface Service {
  readonly provider: Provider
  readonly mode: ProviderMode
  /** Why the provider is unavailable, and what the operator can do. */
  readonly reason?: string
  /** Its answers are bought from a seller with the operator's wallet. */
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
  /**
   * Usually the mode of the service. Single actions differ if this machine stands in for them or something is missing.
   */
  readonly mode: ProviderMode
  readonly reason?: string | undefined
  /** Why it cannot be called any more, in a sentence. Jobs of it may be under way. */
  readonly retired?: string
  /** The one account that sees and calls it. Absent: everyone. */
  readonly ownerId?: string
}

/** How this machine runs actions itself when the vendor's credential is missing, by `service/action`. */
export type StandIns = ReadonlyMap<string, StandIn>

export interface StandIn {
  readonly run: Action['run']
  /** How this machine keeps the sessions that the action creates. */
  readonly session?: Action['session']
  /** Throws a CallError for what only the vendor can do, before anything is held. */
  check(input: unknown): void
  readonly fullFor?: Action['fullFor']
  /** A sentence that tells the operator what this machine lacks to run it. Absent: nothing is missing. */
  readonly missing?: string
}

export interface Catalog {
  /** Another array once other actions are sold. */
  readonly services: readonly Service[]
  /** Another array once a price has changed. */
  readonly entries: readonly CatalogEntry[]
  find(service: string, action: string): CatalogEntry | undefined
  readonly unlisted: UnlistedEntries
  /** The same at the prices of a group of accounts. Absent, and for undefined: everyone has the same prices. */
  seenBy?(priceGroup: string | undefined): Catalog
}

/** An action that sells others, so that its price follows what these cost its caller. */
export interface ResellingAction extends Action {
  /** The same action in a catalog with other prices. */
  readonly seenIn: (catalog: Catalog) => Action
}

/** Actions of single accounts, and those that are not sold any more, but whose jobs may be under way. */
export interface UnlistedEntries {
  /** By `service/action`. Who asks for a caller compares `ownerId`. */
  find(id: string): CatalogEntry | undefined
  /** Those that the account may call. */
  of(accountId: string): readonly CatalogEntry[]
}

export const noUnlisted: UnlistedEntries = { find: () => undefined, of: () => [] }

/** The catalog at the prices of this caller. */
export const catalogFor = (catalog: Catalog, caller: Caller | undefined): Catalog =>
  catalog.seenBy?.(priceGroupOf(caller)) ?? catalog

/** The entry at the prices of this caller. */
export const entryFor = (
  catalog: Catalog,
  entry: CatalogEntry,
  caller: Caller | undefined,
): CatalogEntry => findAny(catalogFor(catalog, caller), entry.id) ?? entry

/** What this caller may run, at the prices of now. */
export function soldTo(catalog: Catalog, caller: Caller): readonly CatalogEntry[] {
  const { entries, unlisted } = catalogFor(catalog, caller)
  return [...entries, ...unlisted.of(caller.accountId)]
}

/** Of everyone, and of single accounts: for calls that were admitted, or are about to be. */
export const findAny = (catalog: Catalog, id: string): CatalogEntry | undefined =>
  catalog.find(...splitId(id)) ?? catalog.unlisted.find(id)

/** Whether the account may know of the action. Undefined: a caller without an account. */
export const isFor = ({ ownerId }: CatalogEntry, accountId: string | undefined): boolean =>
  ownerId === undefined || ownerId === accountId

export const noAction = (id: string) =>
  fail('not_found', {
    message: `There is no action ${id.slice(0, 100)}. GET /api/run lists all actions.`,
  })

/** The two names in `service/action`. */
export function splitId(id: string): readonly [service: string, action: string] {
  const [service = '', action = ''] = id.split('/')
  return [service, action]
}

/** Throws TypeError when two providers or two actions have the same name. */
export function createCatalog(offers: readonly Service[], standIns: StandIns = new Map()): Catalog {
  const settle = (service: Service) => withoutOffer(service, standIns)
  const standing = offers.map((service) => settle(withStandIns(service, standIns)))
  const services = standing.map((service) => settle(offerThrough(service, standing)))
  const byId = new Map<string, CatalogEntry>()
  for (const [at, service] of services.entries()) {
    const isTaken = services
      .slice(0, at)
      .some(({ provider }) => provider.id === service.provider.id)
    if (isTaken) throw new TypeError(`Two providers are called ${service.provider.id}.`)
    for (const action of service.provider.actions) {
      const id = `${service.provider.id}/${action.name}`
      if (byId.has(id)) throw new TypeError(`Two actions are called ${id}.`)
      byId.set(id, { id, service, ...offerAction(service, action, standIns) })
    }
  }
  return {
    services,
    entries: [...byId.values()],
    find: (service, action) => byId.get(`${service}/${action}`),
    unlisted: noUnlisted,
  }
}

/**
 * A service without its vendor is embedded if this machine can stand in for some of its actions. The reason stays for
 * the others.
 */
function withStandIns(service: Service, standIns: StandIns): Service {
  const { id, actions } = service.provider
  const some = actions.some(({ name }) => standIns.has(`${id}/${name}`))
  return service.mode === 'unavailable' && some ? { ...service, mode: 'embedded' } : service
}

/**
 * A service is unavailable if all of its actions are, for example because this machine lacks a program to stand in
 * with.
 */
function withoutOffer(service: Service, standIns: StandIns): Service {
  const offered = service.provider.actions.map((action) => offerAction(service, action, standIns))
  const isOffered = offered.length === 0 || offered.some(({ mode }) => mode !== 'unavailable')
  if (service.mode === 'unavailable' || isOffered) return service
  const reason = offered.find((action) => action.reason !== undefined)?.reason
  return { ...service, mode: 'unavailable', ...(reason !== undefined && { reason }) }
}

function offerAction(
  { mode, reason, provider: { id, upstream, through = [] } }: Service,
  action: Action,
  standIns: StandIns,
): Pick<CatalogEntry, 'action' | 'mode' | 'reason'> {
  const stoodInFor = mode === 'embedded' ? [id, ...through] : []
  const standIn = stoodInFor
    .map((service) => standIns.get(`${service}/${action.name}`))
    .find((found) => found !== undefined)
  const hasNoVendor = upstream === undefined && through.length === 0 && standIn !== undefined
  if (mode === 'embedded' && (reason !== undefined || hasNoVendor)) {
    if (standIn === undefined) return { action, mode: 'unavailable', reason }
    if (standIn.missing !== undefined) {
      const reasons = [...(reason === undefined ? [] : [reason]), standIn.missing]
      return { action, mode: 'unavailable', reason: reasons.join(' Or: ') }
    }
    const { run, session, fullFor } = standIn
    const own = { run, ...(session && { session }), ...(fullFor && { fullFor }) }
    return { action: { ...refusing(action, standIn), ...own }, mode }
  }
  if (mode === 'unavailable' && action.keyless) return { action, mode: 'keyless' }
  // Checked after the key, because a key alone would not be enough.
  if (action.unavailable !== undefined)
    return { action, mode: 'unavailable', reason: action.unavailable }
  return { action: standIn ? refusing(action, standIn) : action, mode, reason }
}

/** The action with a check that refuses what this machine cannot do in the vendor's place. */
const refusing = (action: Action, { check }: StandIn): Action => ({
  ...action,
  check(input) {
    action.check?.(input)
    check(input)
  },
})

/** A service whose actions call other services has the mode of the first available one. */
function offerThrough(service: Service, offers: readonly Service[]): Service {
  const { through, throughVendors } = service.provider
  const others = through?.map((id) => offers.find(({ provider }) => provider.id === id))
  if (others === undefined) return service
  const first =
    others.find((other) => other?.mode === 'live' || other?.mode === 'keyless') ??
    (throughVendors ? undefined : others.find((other) => other?.mode === 'embedded'))
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

/** The enabled rails by which a wallet can pay this action. */
export function railsFor<Terms extends RailTerms>(
  { price, pay }: Action,
  rails: readonly Terms[],
): Terms[] {
  if (price === 'free') return []
  return rails.filter(
    ({ id, exactOnly }) => (pay === undefined || pay.includes(id)) && !(exactOnly && isCap(price)),
  )
}

/** What a call costs is known only after it. */
const isCap = (price: Action['price']) => typeof price === 'object' && 'upToCents' in price

const inputSchemas = new WeakMap<Action, ObjectSchema>()

/** A parameter that every body may have, besides the action's own. */
const ceilingSchema = {
  description:
    'The most that the call may cost, in cents. A call that would cost more is refused before it runs.',
  type: 'integer',
  minimum: 0,
  maximum: ceilingCentsMax,
}

/** A session may open under a ceiling below its price, and ends when it is reached. */
const sessionCeilingSchema = {
  ...ceilingSchema,
  description: 'The most that the session may cost in all its time, in cents. It ends there.',
}

/** The JSON Schema of the action's body. */
export function inputSchemaOf(action: Action): ObjectSchema {
  const known = inputSchemas.get(action)
  if (known !== undefined) return known
  const { properties, required, ...rest } = z.toJSONSchema(action.input, {
    io: 'input',
    unrepresentable: 'any',
  }) as JsonSchema
  const mustHave = [...(required ?? []), ...(needsCeiling(action.price) ? [ceilingField] : [])]
  const schema = {
    ...rest,
    properties: {
      ...properties,
      [ceilingField]: action.mode === 'session' ? sessionCeilingSchema : ceilingSchema,
    },
    ...(mustHave.length > 0 ? { required: mustHave } : {}),
  }
  inputSchemas.set(action, schema)
  return schema
}

/** Makes a complete body of `parameters`: purchases get the ceiling of the action's example. */
export function bodyOf({ price, example }: Action, parameters: unknown): object {
  const ceiling = needsCeiling(price) ? { [ceilingField]: Math.ceil(example.cents) } : {}
  return { ...membersOf(parameters), ...ceiling }
}

/** The body of the action's example. */
export const exampleBodyOf = (action: Action) => bodyOf(action, action.example.input)

/** The names of its required parameters. */
export const requiredBy = (action: Action): readonly string[] =>
  inputSchemaOf(action).required ?? []

/** The JSON Schema of the action's answer. Fields whose names mean the same everywhere are described. */
export function outputSchemaOf(action: Action): z.core.JSONSchema.BaseSchema {
  return describeFields({
    ...z.toJSONSchema(action.output, { io: 'output', unrepresentable: 'any' }),
  })
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
      action,
      railsFor(action, rails).map(({ id, inPrice, inCap = inPrice }) => ({
        [id]: isCap(action.price) ? inCap : inPrice,
      })),
    ),
    endpoint: `POST /api/run/${id}`,
  }
}

/** Actions that need no key are offered without the vendor of the others, whose reason stays. */
function modeOf(service: Service, entries: readonly CatalogEntry[]): ProviderMode {
  if (service.mode !== 'unavailable') return service.mode
  const offered = entries.find(
    (entry) => entry.service.provider.id === service.provider.id && entry.mode !== 'unavailable',
  )
  return offered?.mode ?? service.mode
}

/**
 * The answer of `GET /api/run`: the complete catalog, free actions included. `rails`: those that wallets can pay by
 * now.
 */
export function describeCatalog(
  catalog: Pick<Catalog, 'services' | 'entries'>,
  rails: readonly RailTerms[],
) {
  return {
    services: catalog.services.map((service) => ({
      service: service.provider.id,
      title: service.provider.title,
      mode: modeOf(service, catalog.entries),
      ...(service.reason === undefined ? {} : { reason: service.reason }),
    })),
    actions: catalog.entries.map((entry) => summarizeAction(entry, rails)),
    total: catalog.entries.length,
  }
}

/** The HTTP status of its successful answers. */
export const statusOf = ({ accepted }: Action) => (accepted ? 202 : 200)

/** Where a session is used after it was created. */
const sessionAddresses = {
  run: 'POST /api/v1/sessions/{session_id}/run',
  show: 'GET /api/v1/sessions/{session_id}',
  close: 'DELETE /api/v1/sessions/{session_id}',
}

/**
 * The answer of `GET /api/run/{service}/{action}`: everything that a caller can know before the call. Throws
 * `not_found` for what was retired.
 */
export function describeAction(entry: CatalogEntry, rails: readonly RailTerms[]) {
  const { action, service, retired } = entry
  if (retired !== undefined) throw fail('not_found', { message: retired })
  return {
    ...summarizeAction(entry, rails),
    ...(entry.reason === undefined ? {} : { reason: entry.reason }),
    ...(action.notes === undefined ? {} : { notes: action.notes }),
    ...(action.endpoints === undefined ? {} : { endpoints: action.endpoints }),
    ...(action.open === undefined ? {} : { open: action.open }),
    ...(action.mode === 'session' ? { session: sessionAddresses } : {}),
    ...(action.retiring === undefined ? {} : { retiring: action.retiring }),
    input_schema: inputSchemaOf(action),
    output_schema: outputSchemaOf(action),
    example: { input: exampleBodyOf(action), cents: action.example.cents },
    errors: errorsOf(action).map((code) => ({
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
