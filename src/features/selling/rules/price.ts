// The price of an imported operation, in the price language of the catalog.
import { fail } from '#core/errors.ts'
import type { AnyPrice } from '#core/price.ts'
import type { JsonSchema } from '../described-operation.ts'
import { contentOf, factsOf } from '../operations/answer.ts'
import { ownValue } from '../own-value.ts'
import { resolvePointer } from './pointer.ts'
import type { PriceRule } from './price-rules.ts'

type Per = NonNullable<PriceRule['per']>

/** Units that cost nothing leave the minimum of a call. */
export const isFree = ({ price, minimum = 0 }: Pick<PriceRule, 'price' | 'minimum'>): boolean =>
  price === 'free' || (price === 0 && minimum === 0)

/**
 * `leastCount`: the least that the field which the price counts can have. Throws TypeError for a rule that sells
 * nothing.
 */
export function priceOf({ price, per, when, minimum = 0 }: PriceRule, leastCount = 0): AnyPrice {
  if (price === 'free' || isFree({ price, minimum })) return 'free'
  if (price === 'not sold') throw new TypeError('This rule leaves the operation out.')
  const isEarned = (output: unknown) => when === undefined || holds(when, output)
  if (per === undefined || price === 0)
    return {
      cents: Math.max(minimum, price),
      ...(when !== undefined && { used: (output: unknown) => (isEarned(output) ? 1 : 0) }),
    }
  const centsForUnits = (units: number) => Math.max(minimum, units * price)
  const centsFor = (count: number) => centsForUnits(unitsOf(per, count))
  const atMostCents = centsFor(per.at_most)
  const basis = `${price}¢ per ${unitName(per)}`
  const fromCents = centsFor('field' in per ? Math.min(leastCount, per.at_most) : 0)
  const least = { ...(fromCents > 0 && { leastCents: fromCents }), ...missOf(when) }
  const units = (call: { input: unknown; output: unknown }) => {
    const count = 'field' in per ? countOf(fieldOf(per, call.input)) : countIn(per, call.output)
    return unitsOf(per, Math.min(count, per.at_most))
  }
  const counted = { units, centsForUnits }
  if (!('field' in per))
    return {
      upToCents: atMostCents,
      basis,
      ...least,
      settle: ({ output }) => (isEarned(output) ? centsFor(countIn(per, output)) : 0),
      ...counted,
    }
  const quoted = (input: unknown) => centsFor(countOf(fieldOf(per, input)))
  if (minimum === 0)
    return {
      cents: price,
      per: (input: unknown) => unitsOf(per, countOf(fieldOf(per, input))),
      unit: unitName(per),
      atMost: unitsOf(per, per.at_most),
      atLeast: unitsOf(per, Math.min(leastCount, per.at_most)),
      ...missOf(when),
      ...(when !== undefined && {
        used: (output: unknown) => (isEarned(output) ? unitsOf(per, per.at_most) : 0),
      }),
      units,
    }
  if (when === undefined)
    return {
      centsFor: quoted,
      fromCents,
      atMostCents,
      basis,
      ...counted,
    }
  return {
    upToCents: quoted,
    atMostCents,
    basis,
    ...least,
    settle: ({ input, output }) => (isEarned(output) ? quoted(input) : 0),
    ...counted,
  }
}

const missOf = (when: PriceRule['when']) => ({ ...(when && { freeOnMiss: true as const }) })

/** Throws `bad_request` for an input whose units cannot be counted, or with more than a call may have. */
export function checkUnits({ per }: PriceRule): ((input: unknown) => void) | undefined {
  if (per === undefined || !('field' in per)) return undefined
  return (input) => {
    const value = fieldOf(per, input)
    if (!isCountable(value))
      throw fail('bad_request', {
        message: `Send ${per.field} as a number from 0 on, a list or a text: the price of the call counts it.`,
      })
    const count = countOf(value)
    if (count > per.at_most)
      throw fail('bad_request', {
        message: `${per.field} may count at most ${per.at_most} in one call. Send several calls.`,
      })
  }
}

const pathOf = ({ field }: { readonly field: string }) =>
  field.startsWith('/') ? field : `/${field}`

const fieldOf = (per: { readonly field: string }, input: unknown): unknown =>
  resolvePointer(input, pathOf(per))

const isCountable = (value: unknown) =>
  typeof value === 'number'
    ? Number.isFinite(value) && value >= 0
    : Array.isArray(value) || typeof value === 'string'

/**
 * The least that the field which a price counts can have. Throws TypeError, with a sentence, where it is not in a
 * schema or may be of several types.
 */
export function leastCountOf(
  { per }: PriceRule,
  input: JsonSchema,
  definitions: Readonly<Record<string, JsonSchema>>,
): number {
  if (per === undefined || !('field' in per)) return 0
  const found = pathOf(per)
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<JsonSchema | undefined>((found, part) => {
      const { properties } = (found ? followed(found, definitions) : {}) as SchemaParts
      return properties !== undefined && Object.hasOwn(properties, part)
        ? properties[part]
        : undefined
    }, input)
  if (found === undefined)
    throw new TypeError(`its price counts ${per.field}, which is not one of its fields.`)
  const schema = followed(found, definitions) as SchemaParts
  const [type, ...others] = [schema.type].flat().filter((each) => each !== 'null')
  const least = others.length === 0 && leastKeywords.get(`${type}`)
  if (!least)
    throw new TypeError(
      `its price counts ${per.field}, which must be described as one number, list or text.`,
    )
  const count = schema[least]
  return typeof count === 'number' ? Math.max(0, count) : 0
}

interface SchemaParts {
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
const referencesMax = 10

function followed(
  schema: JsonSchema,
  definitions: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  let found = schema
  for (let times = 0; times < referencesMax && typeof found.$ref === 'string'; times++)
    found = (ownValue(definitions, found.$ref.replace('#/$defs/', '')) ?? {}) as JsonSchema
  return found
}

function countIn(per: Exclude<Per, { field: string }>, output: unknown): number {
  if ('answer' in per) return countOf(resolvePointer(contentOf(output), per.answer))
  return factsOf(output)[per.of]
}

function countOf(value: unknown): number {
  if (typeof value === 'number') return Number.isFinite(value) ? Math.max(0, value) : 0
  if (Array.isArray(value)) return value.length
  if (typeof value === 'string') return [...value].length
  return value === undefined || value === null || value === false ? 0 : 1
}

/** Tokens and the like are counted in whole units, begun ones included. */
const unitsOf = ({ each = 1 }: Per, count: number) => Math.ceil(count / each)

function unitName(per: Per): string {
  if (per.unit !== undefined) return per.unit
  const { each = 1 } = per
  const name = 'field' in per ? `${per.field} items` : 'answer' in per ? 'items' : per.of
  return each === 1 ? name.replace(/s$/, '') : `${each} ${name}`
}

function holds(
  { status, answer, equals }: NonNullable<PriceRule['when']>,
  output: unknown,
): boolean {
  if (status !== undefined && !status.includes(factsOf(output).status)) return false
  if (answer === undefined) return true
  const value = resolvePointer(contentOf(output), answer)
  if (equals !== undefined) return value === equals
  return Array.isArray(value) ? value.length > 0 : Boolean(value)
}
