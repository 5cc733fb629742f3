// The price rules of an import: a list, of which the first rule that matches an operation applies.
import { z } from 'zod'
import { fail } from '#core/errors.ts'
import { describeIssues } from '#core/input/issues.ts'
import type { CountedUnit } from '#core/pricing/counted-price.ts'
import type { DescribedOperation } from '../described-operation.ts'

const rulesMax = 500
const centsMax = 100_000
const unitsMax = 1_000_000_000
/** Limits the price of one call with all its units. */
const callCentsMax = 1_000_000

/** Whole hundredths of a cent up to micro-dollars: 0.0001 is a micro-dollar. */
const cents = z.number().min(0).max(centsMax).multipleOf(0.0001)
const pointer = z
  .string()
  .regex(/^(\/[^/]*)*$/, 'must be a JSON Pointer, such as /items or /usage/total_tokens')
  .max(500)

const countedNames = ['field', 'answer', 'of'] as const

/** One object instead of three forms, so that an issue names what is wrong. */
const per = z
  .strictObject({
    field: z.string().min(1).max(500).optional(),
    answer: pointer.optional(),
    of: z.enum(['bytes', 'seconds']).optional(),
    unit: z.string().min(1).max(40).optional(),
    each: z.number().positive().max(unitsMax).optional(),
    at_most: z.number().positive().max(unitsMax),
  })
  .refine((value) => countedNames.filter((name) => value[name] !== undefined).length === 1, {
    message: 'per counts one of field, answer and of',
  })
  .transform((value) => value as CountedUnit)

const when = z.strictObject({
  /** Statuses of the answer, all of them 2xx. */
  status: z
    .preprocess(
      (value) => (typeof value === 'number' ? [value] : value),
      z.array(z.int().min(200).max(299), { error: 'is a list of statuses, such as [201]' }).min(1),
    )
    .optional(),
  /** The value there must exist and be neither null, false, 0, empty text nor an empty list. */
  answer: pointer.optional(),
  /** It must be this value instead. */
  equals: z.union([z.string(), z.number(), z.boolean(), z.null()]).optional(),
})

const pattern = z.string().min(1).max(300)

const rule = z
  .strictObject({
    /** `list-pets`, `GET /pets/*`, `#tag`, or `*`; or several of them. */
    match: z.union([pattern, z.array(pattern).min(1)], {
      error: 'must be the name of an action, METHOD /path, #tag or *, or a list of these',
    }),
    /** Cents for a call or a unit. `not sold` leaves the operations out. */
    price: z.union([cents, z.literal('free'), z.literal('not sold')], {
      error: 'must be cents, "free" or "not sold"',
    }),
    per: per.optional(),
    /** Charge only then; another answer is delivered free of charge. */
    when: when.optional(),
    free_per_day: z.int().min(1).max(1_000_000).optional(),
    /** Cents for a call, regardless of its units. */
    minimum: cents.optional(),
    /** What a call costs at the vendor, in cents. */
    cost: cents.optional(),
    /** An answer may be given again for so long. Only for GET. */
    cache_seconds: z.int().min(1).max(86_400).optional(),
    /** Whether the canary may ask it. True: it, and none that is not marked. False: never. */
    canary: z.boolean().optional(),
    /** The longest that a call may take. */
    timeout_seconds: z.int().min(1).max(600).optional(),
  })
  .refine(({ price, per }) => typeof price === 'number' || per === undefined, {
    message: 'per needs a price in cents',
  })
  .refine(
    ({ price, per, minimum = 0 }) => {
      const units = per === undefined ? 1 : Math.ceil(per.at_most / (per.each ?? 1))
      return Math.max(minimum, typeof price === 'number' ? price * units : 0) <= callCentsMax
    },
    {
      message: `a call may cost at most ${callCentsMax} cents: lower price or at_most`,
    },
  )
  .refine(({ minimum, per }) => minimum === undefined || per !== undefined, {
    message: 'minimum belongs to a price per unit',
  })
  .refine(
    ({ when: condition }) => condition?.equals === undefined || condition.answer !== undefined,
    {
      message: 'equals needs answer, the JSON Pointer of the value',
    },
  )

const priceRules = z.array(rule).min(1).max(rulesMax)

export type PriceRule = z.output<typeof rule>

/** What rules match. */
export type MatchedOperation = Pick<DescribedOperation, 'name' | 'path' | 'tags'> & {
  readonly method: string
}

/** Throws `bad_request`, which names the rule. */
export function readPriceRules(value: unknown): readonly PriceRule[] {
  const parsed = priceRules.safeParse(value)
  if (parsed.success) return parsed.data
  const [first] = parsed.error.issues
  const index = first?.path[0]
  const own =
    typeof index === 'number'
      ? parsed.error.issues
          .filter(({ path }) => path[0] === index)
          .map((issue) => ({ ...issue, path: issue.path.slice(1) }))
      : parsed.error.issues
  const { message } = describeIssues(new z.ZodError(own))
  const { issues } = describeIssues(parsed.error)
  const where = typeof index === 'number' ? `Rule ${index + 1}: ` : ''
  throw fail('bad_request', {
    message: `The price rules cannot be used. ${where}${message}`,
    data: { issues },
  })
}

/** The first rule that applies. */
export const ruleFor = (
  rules: readonly PriceRule[],
  operation: MatchedOperation,
): PriceRule | undefined => rules.find((rule) => matchesAny(rule, operation))

const patternsOf = ({ match }: PriceRule) => [match].flat()
const matchesAny = (rule: PriceRule, operation: MatchedOperation) =>
  patternsOf(rule).some((pattern) => matches(pattern, operation))
/** A last rule for all others may be left without any. */
const isForAll = (rule: PriceRule) => patternsOf(rule).includes('*')

/** Rules that apply to no operation are most likely a typing mistake. */
export const idleRules = (
  rules: readonly PriceRule[],
  operations: readonly MatchedOperation[],
): readonly string[] =>
  rules
    .filter((rule) => !isForAll(rule) && !operations.some((each) => matchesAny(rule, each)))
    .map((rule) => patternsOf(rule).join(', '))

/** Finds the rules that have no effect, because earlier rules price all operations that they match. */
export const hiddenRules = (
  rules: readonly PriceRule[],
  operations: readonly MatchedOperation[],
): readonly string[] => {
  const used = new Set(operations.map((operation) => ruleFor(rules, operation)))
  return rules
    .filter((rule) => !isForAll(rule) && !used.has(rule))
    .filter((rule) => operations.some((each) => matchesAny(rule, each)))
    .map((rule) => patternsOf(rule).join(', '))
}

function matches(pattern: string, { name, method, path, tags }: MatchedOperation): boolean {
  if (pattern.startsWith('#')) return tags.some((tag) => fits(pattern.slice(1), tag))
  return fits(pattern, name) || fits(pattern, `${method} ${path}`)
}

/** `*` stands for any text. Case does not matter. */
function fits(pattern: string, text: string): boolean {
  const parts = pattern.toLowerCase().split('*')
  const [first = ''] = parts
  const whole = text.toLowerCase()
  if (parts.length === 1) return whole === first
  if (!whole.startsWith(first)) return false
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    const found = whole.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  const last = parts.at(-1) ?? ''
  return whole.length - last.length >= at && whole.endsWith(last)
}
