// What the vendor's lists say otherwise than our table of models. Nothing is changed by itself: a price or a parameter
// that has changed is looked at by a person, who corrects the row.
import type { MediaPrice } from '#core/media-model.ts'

export interface TableRow {
  readonly endpoint: string
  readonly parameters: {
    readonly properties: Readonly<Record<string, Schema>>
    readonly required?: readonly string[]
  }
  readonly price: MediaPrice
}

/** Of the vendor's list of prices. */
export interface VendorPrice {
  readonly endpoint_id: string
  readonly unit_price: number
  readonly unit: string
  readonly currency: string
}

/** Of the vendor's list of models, with their OpenAPI documents. */
export interface VendorModel {
  readonly endpoint_id: string
  readonly metadata?: { readonly status?: string; readonly category?: string }
  readonly openapi?: unknown
}

interface Schema {
  readonly enum?: readonly unknown[]
  readonly $ref?: string
  readonly allOf?: readonly Schema[]
}
interface InputSchema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

export interface VendorLists {
  readonly prices: readonly VendorPrice[]
  readonly models: readonly VendorModel[]
}

/** One line each, by the key of the row. */
export function differences(
  rows: Readonly<Record<string, TableRow>>,
  { prices, models }: VendorLists,
): string[] {
  const priceOf = new Map(prices.map((price) => [price.endpoint_id, price]))
  const modelOf = new Map(models.map((model) => [model.endpoint_id, model]))
  return Object.entries(rows).flatMap(([key, row]) => {
    const model = modelOf.get(row.endpoint)
    if (model === undefined) return [`- ${key}: the vendor does not list ${row.endpoint}`]
    const status = model.metadata?.status ?? 'active'
    const found = [
      ...(status === 'active' ? [] : [`the vendor says that it is ${status}`]),
      ...priceDifferences(row.price, priceOf.get(row.endpoint)),
      ...parameterDifferences(row, inputSchemaOf(model.openapi)),
    ]
    return found.map((what) => `~ ${key}: ${what}`)
  })
}

/** Models of these categories that the table does not have. */
export function unlisted(
  rows: Readonly<Record<string, TableRow>>,
  models: readonly VendorModel[],
  categories: readonly string[],
): string[] {
  const known = new Set(Object.values(rows).map(({ endpoint }) => endpoint))
  return models
    .filter(({ endpoint_id: id, metadata }) => {
      const { category = '', status = 'active' } = metadata ?? {}
      return !known.has(id) && categories.includes(category) && status === 'active'
    })
    .map(({ endpoint_id: id, metadata }) => `+ ${id} (${metadata?.category})`)
    .toSorted()
}

/** The vendor lists one price for a unit. Which settings multiply it stands only on the model's page. */
function priceDifferences(own: MediaPrice, listed: VendorPrice | undefined): string[] {
  if (listed === undefined) return ['the vendor lists no price']
  const { unit_price: price, unit, currency } = listed
  if (currency !== 'USD') return [`the price is in ${currency}`]
  const cents = Number((price * 100).toPrecision(12))
  const rates = [own.cents, ...(own.variants ?? []).map((variant) => variant.cents)]
  if (rates.includes(cents)) return []
  return [`${cents} cents for ${unit}, and the table has ${rates.join(', ')} per ${own.per}`]
}

function parameterDifferences({ parameters }: TableRow, listed: InputSchema | undefined): string[] {
  if (listed?.properties === undefined) return ['the vendor lists no parameters']
  const { properties } = parameters
  const theirs = listed.properties
  const gone = Object.keys(properties).filter((name) => theirs[name] === undefined)
  const missing = (listed.required ?? []).filter((name) => properties[name] === undefined)
  const narrowed = Object.entries(properties).flatMap(([name, { enum: own = [] }]) => {
    const allowed = theirs[name]?.enum
    const refused = allowed === undefined ? [] : own.filter((value) => !allowed.includes(value))
    return refused.length === 0 ? [] : [`${name} cannot be ${refused.join(', ')} any more`]
  })
  return [
    ...gone.map((name) => `${name} is not a parameter any more`),
    ...missing.map((name) => `${name} is required and the table does not have it`),
    ...narrowed,
  ]
}

/** The body of the POST to the model, with its references resolved. */
function inputSchemaOf(openapi: unknown): InputSchema | undefined {
  const { paths = {}, components } = (openapi ?? {}) as {
    paths?: Record<
      string,
      { post?: { requestBody?: { content?: Record<string, { schema?: Schema }> } } }
    >
    components?: { schemas?: Record<string, Schema & InputSchema> }
  }
  const resolve = (schema: Schema | undefined): (Schema & InputSchema) | undefined => {
    const name = (schema?.$ref ?? schema?.allOf?.[0]?.$ref)?.split('/').at(-1)
    return name === undefined ? (schema as Schema & InputSchema) : components?.schemas?.[name]
  }
  const posts = Object.values(paths).map(({ post }) => post?.requestBody?.content ?? {})
  const input = resolve(posts[0]?.['application/json']?.schema)
  if (input?.properties === undefined) return undefined
  const properties = Object.entries(input.properties).map(([name, schema]) => [
    name,
    resolve(schema) ?? schema,
  ])
  return { ...input, properties: Object.fromEntries(properties) }
}
