// A plan: actions in an order, in which a later one may take values from the answers of earlier ones.
import { z } from './action.ts'
import { ceilingCentsMax } from './ceiling.ts'
import { fail } from './errors.ts'
import { membersOf } from './input/members.ts'
import type { PartsCost } from './price.ts'

/** Calls in one plan or batch. */
export const stepsMax = 20
/** In a saved plan, what its caller sends is the answer of a step by this name. */
export const inputStepId = 'input'
/** The service of the plans that the operator publishes. */
export const publishedService = 'plans'
const stepIdCharactersMax = 40
const pointerCharactersMax = 300
const nestingMax = 32
const listedMax = 100
/** As JSON. The body of a call by itself may have so many bytes. */
const takenCharactersMax = 1_000_000

const stepId = z
  .string()
  .max(stepIdCharactersMax)
  .regex(/^[a-z][a-z0-9_]*$/)
  .describe('A name of your choice: small letters, digits and _.')

/** What a step and a call of a batch have in common. */
export const plannedCall = {
  action: z
    .string()
    .regex(/^[^/\s]+\/[^/\s]+$/)
    .describe('`service/action`, as in GET /api/run.'),
  params: z.record(z.string(), z.unknown()).default({}).describe('The parameters of the action.'),
  max_cost_cents: z
    .int()
    .min(0)
    .max(ceilingCentsMax)
    .optional()
    .describe('The most that this call may cost.'),
}

export const planStepSchema = z.strictObject({
  id: stepId,
  ...plannedCall,
  params: plannedCall.params.describe(
    'The parameters of the action. A value may be taken from an earlier step: {"$step": "find", "pointer": "/results/0/url"}.',
  ),
  after: z
    .array(stepId)
    .max(stepsMax)
    .optional()
    .describe('Earlier steps that must have succeeded first, besides those it takes values from.'),
  optional: z.boolean().default(false).describe('The plan goes on if this step fails.'),
  why: z.string().max(500).optional().describe('What the step is for. Returned unchanged.'),
})

export const planSchema = z.array(planStepSchema).min(1).max(stepsMax)

export type PlanStep = z.output<typeof planStepSchema>
export type CallPlan = readonly PlanStep[]

/** A plan that would be accepted. */
export interface ExaminedPlan {
  /** Together, and of each step in its order. */
  readonly cost: PartsCost
  readonly steps: readonly PartsCost[]
}

/** Throws a CallError with a sentence about what is wrong. Nothing is run. */
export type ExaminePlan = (plan: CallPlan) => ExaminedPlan

const pointerText = z
  .string()
  .max(pointerCharactersMax)
  .regex(/^(\/([^~/]|~[01])*)*$/)

const referenceSchema = z.strictObject({
  $step: stepId,
  /** A JSON pointer (RFC 6901) into the answer of the step. */
  pointer: pointerText,
  /**
   * The value at `pointer` is a list, and this is a pointer into each of its items. The reference is the list of what
   * is there.
   */
  each: pointerText.optional(),
  /** With `each`: at most so many. */
  first: z.int().min(1).max(listedMax).default(listedMax),
})

export type Reference = z.output<typeof referenceSchema>

/** Where in the parameters a value is taken from an earlier step. */
export interface PlacedReference {
  readonly path: readonly (string | number)[]
  readonly reference: Reference
}

/** The references in these parameters. Throws `bad_request` for one that is not complete. */
export function findReferences(params: unknown): readonly PlacedReference[] {
  const found: PlacedReference[] = []
  mapReferences(params, (reference, path) => found.push({ reference, path }))
  return found
}

/**
 * The parameters with the values that the references name. Throws `bad_request` where an answer has no such value, or
 * where the values are too long together.
 */
export function fillReferences(params: unknown, answers: ReadonlyMap<string, unknown>): unknown {
  let left = takenCharactersMax
  return mapReferences(params, (reference) => {
    const value = resolveReference(reference, answers)
    left -= JSON.stringify(value).length
    if (left < 0)
      throw fail('bad_request', {
        message: `The values from earlier steps have more than ${takenCharactersMax} characters together. Take less of them.`,
      })
    return value
  })
}

/** A copy with the values of `input` in place of the references to it. What it does not have is left out. */
export const bindInput = (value: unknown, input: unknown): unknown =>
  mapReferences(value, (reference) =>
    reference.$step === inputStepId ? findReferred(reference, input) : reference,
  )

/** A copy in which each reference is replaced; by undefined: left out. */
export function mapReferences(
  value: unknown,
  replace: (reference: Reference, path: readonly (string | number)[]) => unknown,
  path: readonly (string | number)[] = [],
): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (path.length > nestingMax)
    throw fail('bad_request', {
      message: `The parameters are nested more than ${nestingMax} deep.`,
    })
  if (Object.hasOwn(value, '$step')) return replace(readReference(value, path), path)
  if (Array.isArray(value))
    return value
      .map((item, index) => mapReferences(item, replace, [...path, index]))
      .filter((item) => item !== undefined)
  const members = Object.entries(value).map(
    ([name, item]) => [name, mapReferences(item, replace, [...path, name])] as const,
  )
  return Object.fromEntries(members.filter(([, item]) => item !== undefined))
}

function readReference(value: object, path: readonly (string | number)[]): Reference {
  const read = referenceSchema.safeParse(value)
  if (read.success) return read.data
  throw fail('bad_request', {
    message: `The reference at ${path.join('.')} is not complete. Send {"$step": id, "pointer": "/a/0/b"}, and for a list of values "each" and "first".`,
  })
}

function resolveReference(reference: Reference, answers: ReadonlyMap<string, unknown>): unknown {
  const { $step, pointer, each } = reference
  const answer = answers.get($step)
  const found = findReferred(reference, answer)
  if (found !== undefined) return found
  const isList = each !== undefined && Array.isArray(valueAt(answer, pointer))
  const listed = isList ? `${pointer}/*${each}` : `${pointer} that is a list`
  throw fail('bad_request', {
    message: `The answer of step "${$step}" has nothing at ${each === undefined ? pointer : listed}.`,
  })
}

/** What the reference names in this answer. Undefined where it has nothing there. */
export function findReferred({ pointer, each, first }: Reference, answer: unknown): unknown {
  const value = valueAt(answer, pointer)
  if (each === undefined) return value
  if (!Array.isArray(value)) return undefined
  const listed = value
    .map((item) => valueAt(item, each))
    .filter((item) => item !== undefined && item !== null)
    .slice(0, first)
  return listed.length === 0 ? undefined : listed
}

/** The parts of a JSON pointer. */
export const partsOf = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))

function valueAt(value: unknown, pointer: string): unknown {
  return partsOf(pointer).reduce<unknown>(memberOf, value)
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  // A list has a length, too, which is not in its JSON.
  if (Array.isArray(value) && !/^\d+$/.test(name)) return undefined
  return Object.hasOwn(value, name) ? membersOf(value)[name] : undefined
}
