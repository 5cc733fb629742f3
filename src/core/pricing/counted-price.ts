// A price as an operator writes it down: cents for a call or a unit that is counted, a minimum, and when it is charged.
import { fail } from '../errors.ts'
import { ownValue } from '../input/own-value.ts'
import { pointerParts, resolvePointer } from '../input/pointer.ts'
import type { AnyPrice } from '../price.ts'

interface Unit {
  /** The unit in words, in the singular: `row`. */
  readonly unit?: string | undefined
  /** One price pays for this many, begun ones included. */
  readonly each?: number | undefined
  /** What is quoted and held at most. A field with more is refused. */
  readonly at_most: number
}

/** What is counted. A number counts as itself, a list by its items, a text by its characters. */
export type CountedUnit = Unit &
  (
    | { readonly field: string }
    | { readonly answer: string }
    /** The body of the answer. */
    | { readonly of: 'bytes' | 'seconds' }
  )

export interface WrittenPrice {
  /** For a call or a unit. */
  readonly price: number | 'free'
  readonly per?: CountedUnit | undefined
  /** Charge only then; another answer is delivered free of charge. */
  readonly when?: ChargeCondition | undefined
  /** Cents for a call, regardless of its units. */
  readonly minimum?: number | undefined
}

export interface ChargeCondition {
  /** Statuses of the answer. */
  readonly status?: readonly number[] | undefined
  /** The value there must exist and be neither null, false, 0, empty text nor an empty list. */
  readonly answer?: string | undefined
  /** It must be this value instead. */
  readonly equals?: string | number | boolean | null | undefined
}

/** What is known of the field that a price counts. */
export interface CountedField {
  /** The least that it can have. */
  readonly least: number
  /** For each step of the pointer to it, what counts where it is not sent: its default. */
  readonly defaults?: readonly unknown[]
}

/** How the data of an answer is read. */
export interface AnswerReading {
  /** What pointers lead into. */
  readonly content: (data: unknown) => unknown
  readonly facts: (data: unknown) => {
    readonly status: number
    readonly bytes: number
    readonly seconds: number
  }
}

/** Data without more known of it: prices that count bytes or seconds, or ask for a status, need another reading. */
const plainReading: AnswerReading = {
  content: (data) => data,
  facts() {
    throw new TypeError('Only the data of this answer is known.')
  },
}

/** Units that cost nothing leave the minimum of a call. */
export const isFree = ({
  price,
  minimum = 0,
}: {
  readonly price: number | string
  readonly minimum?: number | undefined
}): boolean => price === 'free' || (price === 0 && minimum === 0)

const unknownField: CountedField = { least: 0 }

/** No price counts more. What is above it is not a count, and its price would not fit into the books. */
const countMax = 1_000_000_000

export function countedPrice(
  { price, per, when, minimum = 0 }: WrittenPrice,
  field: CountedField = unknownField,
  reading: AnswerReading = plainReading,
): AnyPrice {
  if (price === 'free' || isFree({ price, minimum })) return 'free'
  const isEarned = (output: unknown) => when === undefined || holds(when, output, reading)
  if (per === undefined || price === 0)
    return {
      cents: Math.max(minimum, price),
      ...(when !== undefined && { used: (output: unknown) => (isEarned(output) ? 1 : 0) }),
    }
  const centsForUnits = (units: number) => Math.max(minimum, units * price)
  const centsFor = (count: number) => centsForUnits(unitsOf(per, count))
  const atMostCents = centsFor(per.at_most)
  const basis = `${price}¢ per ${unitName(per)}`
  const fromCents = centsFor('field' in per ? Math.min(field.least, per.at_most) : 0)
  const least = { ...(fromCents > 0 && { leastCents: fromCents }), ...missOf(when) }
  const count = (call: { input?: unknown; output?: unknown }) => {
    if (!('field' in per)) return countIn(per, call.output, reading)
    const counted = countOf(fieldOf(per, call.input, field))
    if (counted > countMax) throw aboveMost(per)
    return counted
  }
  const units = (call: { input: unknown; output: unknown }) =>
    unitsOf(per, Math.min(count(call), per.at_most))
  const counted = { units, centsForUnits }
  if (!('field' in per))
    return {
      upToCents: atMostCents,
      basis,
      ...least,
      settle: ({ output }) => (isEarned(output) ? centsFor(count({ output })) : 0),
      ...counted,
    }
  const quoted = (input: unknown) => centsFor(count({ input }))
  if (minimum === 0)
    return {
      cents: price,
      per: (input: unknown) => unitsOf(per, count({ input })),
      unit: unitName(per),
      atMost: unitsOf(per, per.at_most),
      atLeast: unitsOf(per, Math.min(field.least, per.at_most)),
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

const missOf = (when: WrittenPrice['when']) => ({ ...(when && { freeOnMiss: true as const }) })

/** Throws `bad_request` for an input whose units cannot be counted, or with more than a call may have. */
export function checkCounted(
  per: Extract<CountedUnit, { readonly field: string }>,
  field: CountedField = unknownField,
): (input: unknown) => void {
  return (input) => {
    const value = fieldOf(per, input, field)
    if (!isCountable(value))
      throw fail('bad_request', {
        message: `Send ${per.field} as a number from 0 on, a list or a text: the price of the call counts it.`,
      })
    const count = countOf(value)
    if (count <= per.at_most) return
    if (resolvePointer(input, pathOf(per)) !== undefined) throw aboveMost(per)
    throw fail('bad_request', {
      message: `Send ${per.field}: without it, it counts ${count}, and it may count at most ${per.at_most} in one call.`,
    })
  }
}

const aboveMost = ({
  field,
  at_most: most,
}: {
  readonly field: string
  readonly at_most: number
}) =>
  fail('bad_request', {
    message: `${field} may count at most ${most} in one call. Send several calls.`,
  })

/** The pointer to a counted field: `limit` and `/limit` are the same. */
export const pathOf = ({ field }: { readonly field: string }) =>
  field.startsWith('/') ? field : `/${field}`

/** What the caller has sent, or else the default that the API takes in its place. */
function fieldOf(
  per: { readonly field: string },
  input: unknown,
  { defaults = [] }: CountedField,
): unknown {
  let value = input
  for (const [step, part] of pointerParts(pathOf(per)).entries()) {
    if (value === undefined) return undefined
    value = ownValue(value, part) ?? (hasOwn(value, part) ? null : defaults[step])
  }
  return value
}

const hasOwn = (value: unknown, name: string) =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)

export const isCountable = (value: unknown) =>
  typeof value === 'number'
    ? Number.isFinite(value) && value >= 0
    : Array.isArray(value) || typeof value === 'string'

function countIn(
  per: Exclude<CountedUnit, { field: string }>,
  output: unknown,
  { content, facts }: AnswerReading,
): number {
  if (!('answer' in per)) return facts(output)[per.of]
  const count = countOf(resolvePointer(content(output), per.answer))
  if (count <= countMax) return count
  throw fail('upstream_error', {
    message: `The price of this call counts ${per.answer === '' ? 'the answer' : per.answer} of the provider’s answer, which says ${count}. At most ${countMax} can be counted. Nothing was charged.`,
  })
}

/** JSON has no infinity, but a number that is too large is read as one. */
export function countOf(value: unknown): number {
  if (typeof value === 'number') return Number.isNaN(value) ? 0 : Math.max(0, value)
  if (Array.isArray(value)) return value.length
  if (typeof value === 'string') return [...value].length
  return value === undefined || value === null || value === false ? 0 : 1
}

/** Tokens and the like are counted in whole units, begun ones included. */
const unitsOf = ({ each = 1 }: CountedUnit, count: number) => Math.ceil(count / each)

function unitName(per: CountedUnit): string {
  if (per.unit !== undefined) return per.unit
  const { each = 1 } = per
  const name = 'field' in per ? `${per.field} items` : 'answer' in per ? 'items' : per.of
  return each === 1 ? name.replace(/s$/, '') : `${each} ${name}`
}

function holds(
  { status, answer, equals }: ChargeCondition,
  output: unknown,
  { content, facts }: AnswerReading,
): boolean {
  if (status !== undefined && !status.includes(facts(output).status)) return false
  if (answer === undefined) return true
  const value = resolvePointer(content(output), answer)
  if (equals !== undefined) return value === equals
  return Array.isArray(value) ? value.length > 0 : Boolean(value)
}
