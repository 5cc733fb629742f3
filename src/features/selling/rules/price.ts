// The price of an imported operation, in the price language of the catalog.
import { ownValue } from '#core/input/own-value.ts'
import { pointerParts } from '#core/input/pointer.ts'
import type { AnyPrice } from '#core/price.ts'
import {
  type CountedField,
  countedPrice,
  countOf,
  isCountable,
  pathOf,
} from '#core/pricing/counted-price.ts'
import type { JsonSchema } from '../described-operation.ts'
import { contentOf, factsOf } from '../operations/answer.ts'
import { followed } from './followed.ts'
import type { PriceRule } from './price-rules.ts'

/** `field`: what is known of the field that the price counts. Throws TypeError for a rule that sells nothing. */
export function priceOf({ price, ...rule }: PriceRule, field?: CountedField): AnyPrice {
  if (price === 'not sold') throw new TypeError('This rule leaves the operation out.')
  return countedPrice({ ...rule, price }, field, { content: contentOf, facts: factsOf })
}

/**
 * What is known of the field that a price counts. Throws TypeError, with a sentence, where it is not in a schema or may
 * be of several types.
 */
export function countedFieldOf(
  { per }: PriceRule,
  input: JsonSchema,
  definitions: Readonly<Record<string, JsonSchema>>,
): CountedField {
  if (per === undefined || !('field' in per)) return { least: 0 }
  const { schema, defaults } = fieldIn(per, input, definitions)
  const [type, ...others] = [schema.type].flat().filter((each) => each !== 'null')
  const keyword = others.length === 0 && leastKeywords.get(`${type}`)
  if (!keyword)
    throw new TypeError(
      `its price counts ${per.field}, which must be described as one number, list or text.`,
    )
  const count = schema[keyword]
  const least = typeof count === 'number' ? Math.max(0, count) : 0
  const known = defaults.map((value) => (value === null ? undefined : value))
  if (known.every((value) => value === undefined)) return { least }
  const usual = known.at(-1)
  return { least: isCountable(usual) ? Math.min(least, countOf(usual)) : least, defaults: known }
}

/** The schema of the field that a price counts, and the defaults on the way to it. Throws TypeError for none. */
export function fieldIn(
  per: { readonly field: string },
  input: JsonSchema,
  definitions: Readonly<Record<string, JsonSchema>>,
): { readonly schema: SchemaParts; readonly defaults: readonly unknown[] } {
  const defaults: unknown[] = []
  let found: JsonSchema = input
  for (const part of pointerParts(pathOf(per))) {
    const { properties } = followed(found, definitions)
    const next = ownValue(properties, part)
    if (next === undefined)
      throw new TypeError(`its price counts ${per.field}, which is not one of its fields.`)
    defaults.push(next.default ?? followed(next, definitions).default)
    found = next
  }
  return { schema: followed(found, definitions), defaults }
}

interface SchemaParts extends JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly type?: string | readonly string[]
  readonly minimum?: unknown
  readonly minItems?: unknown
  readonly minLength?: unknown
}

/** By the types that a price can count. */
const leastKeywords: ReadonlyMap<string, 'minimum' | 'minItems' | 'minLength'> = new Map([
  ['number', 'minimum'],
  ['integer', 'minimum'],
  ['array', 'minItems'],
  ['string', 'minLength'],
])
