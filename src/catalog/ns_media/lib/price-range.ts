// The least and the most that a call of a model can cost, from the bounds of its parameters.
import { type MediaModel, type MediaParameters, mediaSizes, quoteMedia } from '#core/media-model.ts'

interface Schema {
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly maxItems?: number
}

const leastCharacters = 1

/** In cents. */
export function centsRangeOf(model: MediaModel): readonly [least: number, most: number] {
  const { variants = [], cents } = model.price
  const rates = [cents, ...variants.map((variant) => variant.cents)]
  const at = (rate: number, edge: 'least' | 'most') =>
    quoteMedia({ ...model.price, cents: rate, variants: undefined }, edgeOf(model, edge)) / 1e4
  return [at(Math.min(...rates), 'least'), at(Math.max(...rates), 'most')]
}

function edgeOf({ parameters }: MediaModel, edge: 'least' | 'most'): MediaParameters {
  const properties = parameters.properties as Readonly<Record<string, Schema>>
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, valueAt(schema, edge)]),
  )
}

function valueAt(schema: Schema, edge: 'least' | 'most'): unknown {
  const least = edge === 'least'
  const side = sizeIn(schema)?.width
  if (side !== undefined) {
    const width = least ? smallestSide(side) : side.maximum
    return { width, height: width }
  }
  if (schema.maxLength !== undefined) return 'x'.repeat(least ? leastCharacters : schema.maxLength)
  if (schema.maxItems !== undefined) return Array(least ? 0 : schema.maxItems).fill('')
  const numbers = (schema.enum ?? []).map((form) => Number.parseFloat(String(form)))
  if (numbers.length > 0) return least ? Math.min(...numbers) : Math.max(...numbers)
  return least ? schema.minimum : schema.maximum
}

const sizeIn = (schema: Schema) =>
  [schema, ...(schema.anyOf ?? [])].find(({ properties }) => properties?.width)?.properties

function smallestSide({ minimum = 1 }: Schema): number {
  return Math.min(minimum, ...Object.values(mediaSizes).flat())
}

/** What a generation costs the operator, in dollars: the vendor reports no cost, so this is the price in the table. */
export const costUsdOf = ({ provider, price }: MediaModel, parameters: MediaParameters) =>
  provider === 'vendor' ? quoteMedia(price, parameters) / 1e6 : undefined
