// What a caller wants of the route: other models to fall back on, and which providers may answer, in which order. Every
// surface reads these fields alike.
import { type Pico, readUsdPerMillion } from '#core/model-price.ts'
import {
  type ChatFields,
  invalid,
  isObject,
  readBoolean,
  readWord,
} from '../conversation/fields.ts'

const modelsMax = 10
const namesMax = 50
const nameCharactersMax = 200
const sorts = ['price', 'latency', 'throughput'] as const
export type RouteSort = (typeof sorts)[number]

export interface RoutingPreferences {
  /** Asked in this order after `model`. */
  readonly models: readonly string[]
  /** Names of providers. */
  readonly order: readonly string[]
  readonly only: readonly string[] | undefined
  readonly ignore: readonly string[]
  readonly allowFallbacks: boolean
  readonly sort: RouteSort | undefined
  /** Sorts the routes of all models together instead of those of each model. */
  readonly sortsAll: boolean
  /** Only providers that keep nothing of a request. */
  readonly noRetention: boolean
  /** Dollars per million tokens that a route may cost at most. */
  readonly maxPrice: { readonly prompt?: Pico; readonly completion?: Pico }
  /** Parameters of the request that a model must take. */
  readonly required: readonly string[]
}

const known: ReadonlySet<string> = new Set([
  'order',
  'only',
  'ignore',
  'allow_fallbacks',
  'sort',
  'data_collection',
  'zdr',
  'max_price',
  'require_parameters',
])
/** The names of parameters, by the fields of a surface that mean them. */
export const parametersBy =
  (names: Readonly<Record<string, string>>) =>
  (sent: ChatFields): readonly string[] => [
    ...new Set(
      Object.keys(names).flatMap((field) => (sent[field] == null ? [] : (names[field] ?? []))),
    ),
  ]

/** The fields of a request that say which route it wants. */
export const preferenceFields = ['models', 'provider'] as const

/**
 * Undefined if the caller wants nothing of the route. Throws `bad_request` for the first invalid field.
 * `parametersOf`: which parameters of a model the request has, by the names in `GET /models`.
 */
export function readPreferences(
  sent: ChatFields,
  parametersOf: (sent: ChatFields) => readonly string[],
): RoutingPreferences | undefined {
  const { models, provider } = sent
  if (models == null && provider == null) return undefined
  const told = provider ?? {}
  if (!isObject(told)) throw invalid('provider', 'provider must be an object.')
  const unknown = Object.keys(told).find((name) => !known.has(name) && told[name] != null)
  if (unknown !== undefined)
    throw invalid(
      `provider.${unknown.slice(0, 50)}`,
      `provider takes ${[...known].join(', ')}. Leave ${unknown.slice(0, 50)} out.`,
    )
  const requires = readBoolean('provider.require_parameters', told.require_parameters) ?? false
  return {
    models: readNames('models', models, modelsMax) ?? [],
    order: readProviders('order', told.order) ?? [],
    only: readProviders('only', told.only),
    ignore: readProviders('ignore', told.ignore) ?? [],
    allowFallbacks: readBoolean('provider.allow_fallbacks', told.allow_fallbacks) ?? true,
    ...readSort(told.sort),
    noRetention: readNoRetention(told),
    maxPrice: readMaxPrice(told.max_price),
    required: requires ? parametersOf(sent) : [],
  }
}

function readNames(at: string, names: unknown, most: number): readonly string[] | undefined {
  if (names == null) return undefined
  const fits =
    Array.isArray(names) &&
    names.length > 0 &&
    names.length <= most &&
    names.every((name) => typeof name === 'string' && name.length <= nameCharactersMax)
  if (!fits) throw invalid(at, `${at} must be a list of 1 to ${most} names.`)
  return names
}

const readProviders = (field: string, names: unknown) =>
  readNames(`provider.${field}`, names, namesMax)?.map((name) => name.toLowerCase())

function readSort(sort: unknown): Pick<RoutingPreferences, 'sort' | 'sortsAll'> {
  const { by = sort, partition } = isObject(sort) ? sort : {}
  return {
    sort: readWord('provider.sort', by, sorts) as RouteSort | undefined,
    sortsAll: readWord('provider.sort.partition', partition, ['model', 'none']) === 'none',
  }
}

function readNoRetention({ data_collection, zdr }: ChatFields): boolean {
  const collection = readWord('provider.data_collection', data_collection, ['allow', 'deny'])
  return readBoolean('provider.zdr', zdr) === true || collection === 'deny'
}

function readMaxPrice(price: unknown): RoutingPreferences['maxPrice'] {
  if (price == null) return {}
  if (!isObject(price)) throw invalid('provider.max_price', 'provider.max_price must be an object.')
  const other = Object.keys(price).find((name) => name !== 'prompt' && name !== 'completion')
  if (other !== undefined)
    throw invalid(
      'provider.max_price',
      'provider.max_price takes prompt and completion, in dollars per million tokens.',
    )
  const read = (field: 'prompt' | 'completion') => {
    if (price[field] == null) return {}
    try {
      return { [field]: readUsdPerMillion(price[field]) }
    } catch {
      throw invalid(
        `provider.max_price.${field}`,
        `provider.max_price.${field} must be dollars per million tokens, such as 1.5.`,
      )
    }
  }
  return { ...read('prompt'), ...read('completion') }
}
