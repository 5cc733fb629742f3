// Reads a plan against the catalog: what is wrong with it, and what it costs. Runs nothing.
import { type Action, z } from '#core/action.ts'
import {
  type Catalog,
  type CatalogEntry,
  findAny,
  inputSchemaOf,
  isFor,
  noAction,
  outputSchemaOf,
} from '#core/catalog.ts'
import { ceilingField } from '#core/ceiling.ts'
import { outlivingOf, outlivingPlanOf } from '#core/effects/effect.ts'
import { fail, toCallError } from '#core/errors.ts'
import { membersOf } from '#core/input/members.ts'
import { invalidInput, validateCall } from '#core/input/validate.ts'
import { centsToMicros, type Micros, sumOf } from '#core/money.ts'
import {
  type CallPlan,
  type ExaminedPlan,
  findReferences,
  inputStepId,
  mapReferences,
  type PlacedReference,
  type PlanStep,
  partsOf,
} from '#core/plan.ts'
import { isOpen, isSum, type PartsCost, priceRange, quotePrice } from '#core/price.ts'
import { priceBounds } from '#core/pricing/bounds.ts'
import { canBe, isNowhere, namedFields, placeIn, typesAt } from './types.ts'

/** A step that may run once the steps that it `awaits` have succeeded. */
export interface ReadyStep {
  readonly step: PlanStep
  readonly awaits: readonly string[]
}

interface ExaminedStep extends ReadyStep {
  /** All its parameters are known before the plan runs. */
  readonly isComplete: boolean
  readonly cost: PartsCost
}

export interface Examined extends ExaminedPlan {
  readonly ready: readonly ExaminedStep[]
  /** What is most likely a mistake and may be right, in sentences. */
  readonly warnings: readonly string[]
}

/**
 * The steps of a plan that was accepted. Prices and schemas may have changed since: each step is checked again when it
 * runs.
 */
export const readyStepsOf = (plan: CallPlan): readonly ReadyStep[] =>
  plan.map((step) => ({ step, awaits: awaitedBy(step, findReferences(step.params)) }))

const awaitedBy = ({ after = [] }: PlanStep, references: readonly PlacedReference[]) => [
  ...new Set([...references.map(({ reference }) => reference.$step), ...after]),
]

interface Circumstances {
  /** The caller sends each step as a call of its own, so that it may be any action. */
  readonly byThemselves?: boolean
  /** Of a saved plan: its own id. */
  readonly self?: string
  /** Of a saved plan that has no input yet: the JSON Schema of it. */
  readonly input?: object
  /** Of a saved plan: the account that alone may call it. Null: everyone may. */
  readonly owner?: string | null
  /** Of a saved plan: what it answers, with references to its steps. */
  readonly output?: unknown
}

/** What a later step may take values from. */
interface Given {
  /** The JSON Schema of the answer. */
  readonly schema: object
  /** It has no other fields than its schema names. */
  readonly isWhole: boolean
  readonly makes?: Action['makes']
}

/** Throws `bad_request`, `not_found`, `max_cost_required`, `max_cost_exceeded`. */
export function examinePlan(
  catalog: Catalog,
  plan: CallPlan,
  { byThemselves = false, self, input, output, owner }: Circumstances = {},
): Examined {
  const before = new Map<string, Given>()
  if (input !== undefined) before.set(inputStepId, { schema: input, isWhole: true })
  const ready = plan.map((step) => {
    return atStep(step, () => {
      if (self !== undefined && step.id === inputStepId)
        throw refuse('has the name of what the caller sends. Give it another id.')
      if (before.has(step.id))
        throw refuse('has the id of an earlier step. Give each step its own.')
      const entry = findSold(catalog, step.action)
      if (owner !== undefined && !isFor(entry, owner ?? undefined)) throw noAction(entry.id)
      if (!byThemselves) refuseAlone(entry)
      refuseCircle(catalog, entry, self === undefined ? [] : [self])
      const examined = examineStep(step, entry, before)
      const { action, mode } = entry
      const { makes } = action
      const given = { schema: outputSchemaOf(action), isWhole: mode === 'embedded' }
      before.set(step.id, { ...given, ...(makes && { makes }) })
      return examined
    })
  })
  if (!byThemselves)
    for (const { step } of ready) atStep(step, () => refuseUnused(step, before, ready))
  for (const { reference } of findReferences(output)) {
    const given = before.get(reference.$step)
    const isBound = reference.$step === inputStepId && input === undefined
    if (given !== undefined) checkGiven(given, reference)
    else if (!isBound)
      throw refuse(`The output needs step "${reference.$step}", which is not there.`)
  }
  const steps = ready.map(({ cost }) => cost)
  const cost = {
    min: sumOf(steps.map(({ min }) => min)),
    max: sumOf(steps.map(({ max }) => max)),
    isExact: steps.every(({ isExact }) => isExact),
    least: sumOf(steps.map(({ min, least = min }) => least)),
  }
  const named = [...ready.map(({ step }) => step.params), output]
  const warnings = named
    .flatMap((each) => findReferences(each))
    .flatMap(({ reference }) => {
      const given = before.get(reference.$step)
      return (given && doubtOf(given, reference)) ?? []
    })
  return { cost, steps, ready, warnings: [...new Set(warnings)] }
}

/** Names the step in what is thrown. */
function atStep<Result>({ id }: PlanStep, work: () => Result): Result {
  try {
    return work()
  } catch (thrown) {
    const { code, message, data } = toCallError(thrown)
    throw fail(code, {
      message: `Step "${id}": ${message}`,
      data: { step: id, ...(data === undefined ? {} : { details: data }) },
      cause: thrown,
    })
  }
}

const refuse = (message: string) => fail('bad_request', { message })

function findSold(catalog: Catalog, id: string): CatalogEntry {
  const entry = findAny(catalog, id)
  if (entry === undefined) throw noAction(id)
  return entry
}

/** Saved plans inside each other: one that calls no other has a depth of 1. */
const plansDeepMax = 2

/** Refuses a plan that would call itself. `path`: the plans on the way to the step. */
function refuseCircle(
  catalog: Catalog,
  { id, action: { planOf } }: CatalogEntry,
  path: readonly string[],
): void {
  if (path.includes(id))
    throw refuse(
      `${id} calls ${path.at(-1) === id ? 'itself' : path.at(-1)}, so that it would never end.`,
    )
  if (planOf === undefined) return
  if (path.length >= plansDeepMax)
    throw refuse(
      `${id} is a plan inside ${path.length} others. A plan may call plans that call no further plan.`,
    )
  for (const called of planOf) {
    const entry = findAny(catalog, called)
    if (entry !== undefined) refuseCircle(catalog, entry, [...path, id])
  }
}

/** Refuses actions that cannot be part of a plan. */
function refuseAlone({ id, action, service }: CatalogEntry): void {
  const outliving = outlivingPlanOf(action.makes)
  if (outliving !== undefined)
    throw refuse(
      `${id} leaves ${outliving} behind, which would outlive the plan. Call it by itself.`,
    )
  // An order that may or may not have been taken leaves its call to the operator, and with it the hold of all other
  // steps.
  if (action.irrevocable || service.buys)
    throw refuse(`${id} buys something that cannot be returned. Order it by a call of its own.`)
  if (isSum(action.price) && action.planOf === undefined)
    throw refuse(`${id} runs other actions. Put these into the plan themselves.`)
}

/** What a plan opens is closed with it, so a step that no other one needs would open it in vain. */
function refuseUnused(
  { id, action }: PlanStep,
  before: ReadonlyMap<string, Given>,
  ready: readonly ReadyStep[],
): void {
  const opened = outlivingOf(before.get(id)?.makes)
  if (opened === undefined || ready.some(({ awaits }) => awaits.includes(id))) return
  throw refuse(
    `${action} opens ${opened}, which is closed with the plan, and no later step uses it. Call it by itself.`,
  )
}

function examineStep(
  step: PlanStep,
  { action }: CatalogEntry,
  before: ReadonlyMap<string, Given>,
): ExaminedStep {
  const references = findReferences(step.params)
  const awaits = awaitedBy(step, references)
  for (const id of awaits)
    if (!before.has(id))
      throw refuse(`needs step "${id}", which is not before it. Put steps after those they need.`)
  const isComplete = references.length === 0
  if (!isComplete) checkKnownPart(action, step, references)
  for (const placed of references) checkReference(action, placed, before)
  const cost = isComplete ? costOf(action, step) : boundsOf(action, step, references)
  return { step, awaits, isComplete, cost }
}

/** The body of the call. */
export const bodyOf = ({ max_cost_cents: ceiling }: PlanStep, params: unknown) =>
  ceiling === undefined ? params : { ...membersOf(params), [ceilingField]: ceiling }

function costOf(action: Action, step: PlanStep): PartsCost {
  const { input, maxCostMicros } = validateCall(action, bodyOf(step, step.params))
  const { kind, micros } = quotePrice(action.price, input, maxCostMicros)
  const isExact = kind === 'exact'
  const least = priceRange(action.price, input).min
  const min = isOpen(action.price) ? 0 : least
  return { min: isExact ? micros : min, max: micros, isExact, least }
}

function boundsOf(
  { price, ...action }: Action,
  { params, max_cost_cents: cents }: PlanStep,
  references: readonly PlacedReference[],
): PartsCost {
  const ceiling: Micros = cents === undefined ? Number.POSITIVE_INFINITY : centsToMicros(cents)
  if (isOpen(price) && cents === undefined) throw fail('max_cost_required')
  // What its steps cost is known only with all of its parameters.
  if (isSum(price)) return { min: 0, max: ceiling, isExact: false }
  const { properties } = inputSchemaOf({ ...action, price })
  const defaults = Object.entries(properties).map(([name, schema]) => [name, schema.default])
  const open = new Set(references.map(({ path: [name] }) => String(name)))
  const bounds = priceBounds(price, { ...Object.fromEntries(defaults), ...params }, open)
  if (bounds.min > ceiling) throw fail('max_cost_exceeded')
  const max = Math.min(bounds.max, ceiling)
  return { min: bounds.min, max, isExact: bounds.min === max }
}

/** Stands for a value that is not known yet. No schema of a field accepts it. */
const unknownValue = Symbol('value of an earlier step')

/** Refuses what is wrong for all values of the references. The call itself checks the rest once they are known. */
function checkKnownPart(
  action: Action,
  step: PlanStep,
  references: readonly PlacedReference[],
): void {
  const params = mapReferences(step.params, () => unknownValue)
  const read = tryParse(action, params)
  if (read === undefined || read.success) return
  const isUnknown = (path: readonly PropertyKey[]) =>
    references.some((placed) =>
      placed.path.every((part, at) => at >= path.length || path[at] === part),
    )
  const known = read.error.issues.filter(
    ({ code, path }) => code !== 'custom' && (code === 'unrecognized_keys' || !isUnknown(path)),
  )
  if (known.length === 0) return
  throw invalidInput(action, new z.ZodError(known))
}

/** Undefined where the schema computes with a value that is not known yet. */
function tryParse({ input }: Action, params: unknown) {
  try {
    return input.safeParse(params)
  } catch {
    return undefined
  }
}

/**
 * Refuses a field that the answer does not have. A vendor may add fields where its schema leaves them open: only a name
 * with the same letters as a known one is refused there. What this machine answers by itself is known.
 */
function refuseUnnamed(given: Given, { $step, pointer }: PlacedReference['reference']): void {
  const unnamed = unnamedField(given, pointer)
  if (unnamed === undefined) return
  const { field, names, meant } = unnamed
  const isSpeltOtherwise = meant !== undefined && lettersOf(meant) === lettersOf(field)
  if (isClosed(given, field) ? meant === undefined && !given.isWhole : !isSpeltOtherwise) return
  const hint = meant === undefined ? `It has: ${names.join(', ')}.` : `Did you mean /${meant}?`
  throw refuse(`the answer of step "${$step}" never has anything at ${pointer}. ${hint}`)
}

/** A name that is a letter away from a known one is most likely a mistake, and may be a field that is not described. */
function doubtOf(
  given: Given,
  { $step, pointer }: PlacedReference['reference'],
): string | undefined {
  const { meant } = unnamedField(given, pointer) ?? {}
  return meant === undefined
    ? undefined
    : `The description of the answer of step "${$step}" has nothing at ${pointer}. Did you mean /${meant}?`
}

function unnamedField({ schema }: Given, pointer: string) {
  const [field] = partsOf(pointer)
  const names = namedFields(schema)
  if (field === undefined || names === undefined || names.includes(field)) return undefined
  return {
    field,
    names,
    meant: names.find((name) => isMisspelt(lettersOf(field), lettersOf(name))),
  }
}

const isClosed = ({ schema, isWhole }: Given, field: string) =>
  isWhole || isNowhere(placeIn(schema, [field]))

const lettersOf = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

/** Shorter names that differ in a letter are often names of different things. */
const misspeltCharactersMin = 4

/** At most one letter is another one, is missing, is too many, or has changed places with the next. */
function isMisspelt(written: string, name: string): boolean {
  if (written === name) return true
  if (Math.min(written.length, name.length) < misspeltCharactersMin) return false
  let same = 0
  while (same < name.length && written[same] === name[same]) same++
  const [left, right] = [written.slice(same), name.slice(same)]
  const isSwapped = left[0] === right[1] && left[1] === right[0]
  return (
    left.slice(1) === right.slice(1) ||
    left.slice(1) === right ||
    left === right.slice(1) ||
    (isSwapped && left.slice(2) === right.slice(2))
  )
}

/** Refuses a reference to what the answer never has. */
function checkGiven(earlier: Given, reference: PlacedReference['reference']) {
  const { $step, pointer } = reference
  refuseUnnamed(earlier, reference)
  const given = placeIn(earlier.schema, partsOf(pointer))
  if (isNowhere(given))
    throw refuse(`the answer of step "${$step}" never has anything at ${pointer}.`)
  return given
}

function checkReference(
  action: Action,
  { path, reference }: PlacedReference,
  before: ReadonlyMap<string, Given>,
): void {
  const { $step, pointer, each } = reference
  const earlier = before.get($step)
  if (earlier === undefined) return
  const at = path.join('.')
  const given = checkGiven(earlier, reference)
  const taken = placeIn(inputSchemaOf(action), path)
  const mismatch = (one: string) =>
    refuse(`${one} of step "${$step}" at ${pointer} cannot be "${at}": their types differ.`)
  if (each === undefined) {
    if (!canBe(typesAt(given), typesAt(taken))) throw mismatch('the value')
    return
  }
  const list = new Set(['array'])
  if (!canBe(typesAt(given), list)) throw refuse(`step "${$step}" has no list at ${pointer}.`)
  const item = placeIn(earlier.schema, [...partsOf(pointer), 0, ...partsOf(each)])
  if (isNowhere(item))
    throw refuse(`the items of step "${$step}" at ${pointer} have nothing at ${each}.`)
  if (!canBe(list, typesAt(taken))) throw mismatch('a list')
  if (!canBe(typesAt(item), typesAt(placeIn(inputSchemaOf(action), [...path, 0]))))
    throw mismatch('the list')
}
