// Drafts the steps for one goal: the action, and before it the calls that find what the caller has not named.

import type { Action } from '#core/action.ts'
import { type CatalogEntry, requiredBy, splitId } from '#core/catalog.ts'
import { ceilingField } from '#core/ceiling.ts'
import { membersOf } from '#core/input/members.ts'
import { type PlanStep, stepsMax } from '#core/plan.ts'
import type { FieldSchema } from '../../../values/field.ts'
import type { DraftParts, Goal, PlanDraft } from '../goal.ts'
import {
  type IntentSlots,
  pointsElsewhere,
  readByName,
  readGivenName,
  type SlotKind,
} from '../slots.ts'
import { composeValue, forFurtherConcepts } from './composed.ts'
import {
  about,
  carriedOver,
  earlierPart,
  earlierSource,
  hasRecipe,
  matches,
} from './earlier-values.ts'
import { accountsIn, type GoalReading, kindsOf, readGoalFor, subjectFor } from './goal-reading.ts'
import { endpointOf, fillTaken, messagesOf, wordedChoice } from './goal-values.ts'
import {
  parameterKinds,
  standIns,
  subjectParameters,
  taskParameters,
  wordedSettings,
} from './recipes.ts'
import { forFurtherValues } from './several-values.ts'
import { isSetting, shapeReference, shapeTexts } from './shape.ts'
import { saidWords } from './taken-values.ts'

const recipesInARowMax = 3
/** The address of a profile is an address too, but a profile is not searched for where any address will do. */
const profile: SlotKind = 'LinkedIn profile'

export function draftGoal(
  parts: DraftParts,
  entry: CatalogEntry,
  goal: Goal,
  before: PlanDraft,
  depth = 0,
): PlanDraft {
  const { action } = entry
  const settings = readWordedSettings(entry, goal)
  const params: Record<string, unknown> = { ...settings }
  const reading = readGoalFor(entry, goal)
  const { properties, required } = reading
  /** Parameters that say what the call is about: settings alone do not. */
  const saying = new Set(Object.keys(settings))
  let draft = before
  for (const [name, parameter] of Object.entries(properties)) {
    if (name === ceilingField || Object.hasOwn(params, name)) continue
    const isRequired = required.includes(name)
    const known = knownValue(parts, entry, name, parameter, goal, reading, draft, isRequired)
    // Actions often take one thing by any of several parameters, and refuse two of them.
    const isTwice = !isRequired && typeof known !== 'boolean' && holds(params, known)
    if (known !== undefined && !isTwice) {
      params[name] = known
      if (!reading.filled.has(name)) saying.add(name)
    } else if (isRequired) {
      const found = findValue(parts, entry, name, parameter, goal, draft, depth)
      draft = found.draft
      if (found.value === undefined)
        return { ...draft, missing: describeMissing(entry, name, parameter) }
      params[name] = found.value
      if (JSON.stringify(found.value).includes('"$step"')) saying.add(name)
    }
  }
  const [quotation] = goal.named.get('quotation') ?? []
  const isQuoteLeft =
    quotation !== undefined &&
    !JSON.stringify(params).includes(JSON.stringify(quotation).slice(1, -1))
  if (saying.size === 0 || (depth === 0 && isQuoteLeft))
    addSubject(action, properties, goal, reading, params)
  if (goal.addsTask) addTask(properties, goal, params)
  const ignored = depth === 0 ? ignoredName(entry, goal, params) : undefined
  if (ignored !== undefined)
    return {
      ...draft,
      missing: { action: entry.id, parameter: firstOf(properties), description: ignored },
    }
  for (const { name, value, note } of reading.filled.values())
    if (note !== undefined && params[name] === value) draft = assume(draft, `${entry.id}: ${note}.`)
  const asksForCeiling = required.includes(ceilingField)
  const ceiling = asksForCeiling ? (goal.budgetCents ?? exampleCeiling(action)) : undefined
  if (asksForCeiling && goal.budgetCents === undefined && ceiling !== undefined)
    draft = assume(draft, `${entry.id}: ${ceilingField} is ${ceiling}, as in its example.`)
  if (asksForCeiling && ceiling === undefined)
    return {
      ...draft,
      missing: {
        action: entry.id,
        parameter: ceilingField,
        description: 'The most that it may cost, in cents.',
      },
    }
  const step: PlanStep = {
    id: freeId(action.name, draft.steps),
    action: entry.id,
    params,
    ...(ceiling !== undefined && { max_cost_cents: ceiling }),
    optional: false,
    why: depth === 0 ? `To do: ${goal.text.slice(0, 300)}` : `To find what a later step needs.`,
  }
  const steps = [...draft.steps, step]
  for (const others of depth === 0 ? furtherParams(entry, params, goal) : [])
    steps.push({ ...step, id: freeId(action.name, steps), params: others })
  const filled = [...reading.filled.values()].filter(({ name, value }) => params[name] === value)
  const words = filled.flatMap(({ from }) => from.map((place) => saidWords(place, goal.said)))
  const taken = [...(draft.taken ?? []), ...words]
  return { ...draft, taken, steps: steps.slice(0, stepsMax) }
}

/** Of the further calls where the goal names several values, or several concepts, of which a call takes one. */
function furtherParams(entry: CatalogEntry, params: PlanStep['params'], goal: Goal) {
  const others = forFurtherValues(params, goal.named)
  const concepts = [params, ...others].flatMap((each) => forFurtherConcepts(entry, each, goal))
  return [...others, ...concepts]
}

const firstOf = (properties: object) => Object.keys(properties)[0] ?? ''

/** A call that costs money and says nothing of the name that was asked for buys something else. */
function ignoredName(
  { action, service }: CatalogEntry,
  { named, isBack }: Goal,
  params: object,
): string | undefined {
  if (action.price === 'free' || isBack) return undefined
  const text = JSON.stringify(params).toLowerCase()
  if (text.includes('"$step"') || Object.values(params).some((value) => typeof value === 'string'))
    return undefined
  const names = [...(named.get('company') ?? []), ...(named.get('person') ?? [])]
  const own = `${service.provider.title} ${service.provider.id} ${action.summary}`.toLowerCase()
  const [ignored] = names
    .map((name) => name.toLowerCase())
    .filter((name) => !text.includes(name) && !own.includes(name))
  return ignored && `No parameter of this action takes ${ignored}`
}

export const assume = <Draft extends PlanDraft>(draft: Draft, assumption: string): Draft => ({
  ...draft,
  assumptions: [...draft.assumptions, assumption],
})

function exampleCeiling(action: Action): number | undefined {
  const ceiling = exampleOf(action)[ceilingField] ?? Math.ceil(action.example.cents)
  return typeof ceiling === 'number' && ceiling > 0 ? ceiling : undefined
}

function readWordedSettings({ id }: CatalogEntry, goal: Goal): Record<string, unknown> {
  const settings = wordedSettings[id]?.find(({ asks }) => asks.test(goal.text))
  const [about] = goal.named.get('quotation') ?? goal.named.get('subject') ?? []
  if (settings === undefined || about === undefined || !goal.isSpecific) return {}
  return { ...settings.params, [settings.subject]: about }
}

const holds = (params: object, value: unknown) =>
  Object.values(params).some((other) => String(other) === String(value))

/** From the caller's answers, the goal, an earlier step, or the whole intent. */
function knownValue(
  parts: DraftParts,
  entry: CatalogEntry,
  name: string,
  schema: FieldSchema,
  goal: Goal,
  reading: GoalReading,
  draft: PlanDraft,
  isRequired: boolean,
): unknown {
  const { recipes } = parts
  const { action } = entry
  if (Object.hasOwn(goal.answers, name)) return goal.answers[name]
  if (name === 'endpoint' && isRequired) return endpointOf(entry, goal)
  const kinds = kindsOf(entry, name)
  const composed = composeValue(entry, name, goal)
  if (composed !== undefined) return composed
  const given = name === 'name' && action.makes ? readGivenName(goal.text) : undefined
  if (given !== undefined) return shapeTexts(schema, [given])
  const filled = reading.filled.get(name)
  if (filled !== undefined) return filled.value
  const isNamed = isRequired || name.endsWith('_id')
  const called = isNamed ? readByName(goal.text, name, kinds.length === 0) : undefined
  const shaped = called === undefined ? undefined : shapeTexts(schema, [called])
  if (shaped !== undefined) return shaped
  const chosen = schema.enum === undefined ? undefined : wordedChoice(schema.enum, goal)
  const carried = isRequired && goal.isBack ? carriedOver(entry, name, draft) : undefined
  if (carried !== undefined && chosen === undefined) return carried
  if (isRequired && schema.enum !== undefined) return chosen
  const taken = fillTaken(entry, name, schema, goal.named)
  if (taken !== undefined) return taken
  // What a goal is about goes into one parameter, which the action requires.
  const identifying = kinds.filter((kind) => kind !== 'subject')
  const readable = identifying.includes('URL') ? [...identifying, profile] : identifying
  const named = shapeTexts(schema, valuesOf(goal.named, readable))
  if (named !== undefined) return named
  if (!isRequired) return earlierPart(parts, entry, name, schema, draft)
  const earlier = earlierSource(parts, entry, name, identifying, draft)
  if (earlier !== undefined) return shapeReference(schema, earlier, countIn(goal))
  const known =
    fillTaken(entry, name, schema, goal.known) ?? shapeTexts(schema, valuesOf(goal.known, readable))
  if (known !== undefined) return known
  if (name === 'messages') return messagesOf(goal)
  if (hasRecipe(recipes, entry, name)) return undefined
  if (kinds.includes('handle')) return shapeTexts(schema, accountsIn(reading.topic))
  return kinds.includes('subject') ? subjectFor(name, schema, goal, reading) : undefined
}

const countIn = ({ said }: Goal): number | undefined =>
  said.values.find((value) => value.kind === 'count')?.count

const valuesOf = (slots: IntentSlots, kinds: readonly SlotKind[]): readonly string[] =>
  kinds.map((kind) => slots.get(kind)).find((values) => values !== undefined) ?? []

const exampleOf = ({ example }: Action) => membersOf(example.input)

/** By a call before this one, or a setting from the action's example. */
function findValue(
  parts: DraftParts,
  entry: CatalogEntry,
  name: string,
  schema: FieldSchema,
  goal: Goal,
  draft: PlanDraft,
  depth: number,
): { readonly draft: PlanDraft; readonly value?: unknown } {
  const kinds = kindsOf(entry, name).filter((kind) => kind !== 'subject')
  const isSearched = goal.isSpecific && entry.action.ends === undefined
  const usable = depth < recipesInARowMax ? parts.recipes : []
  for (const recipe of usable) {
    if (recipe.isByTheWay || !matches(recipe, entry, name, kinds)) continue
    if (!(recipe.isOfLocalFile ? goal.hasLocalFile : isSearched)) continue
    // What is sent, bought or drawn is not the first hit of a search.
    if (recipe.isLastResort && requiredBy(entry.action).includes(ceilingField)) continue
    const source = parts.catalog.find(...splitId(recipe.by))
    if (source === undefined || source.mode === 'unavailable') continue
    const extended = draftGoal(parts, source, about(goal, recipe), draft, depth + 1)
    const last = extended.steps.at(-1)
    if (extended.missing !== undefined || last === undefined) continue
    const value = shapeReference(schema, { step: last.id, list: recipe.list, at: recipe.at })
    return { draft: recipe.isLastResort ? { ...extended, isRoundabout: true } : extended, value }
  }
  const standIn = goal.hasLocalFile ? standIns[entry.id]?.[name] : undefined
  if (standIn !== undefined) {
    const assumption = `${entry.id}: ${name} is a stand-in. Send what is true of your file.`
    return { draft: assume(draft, assumption), value: standIn }
  }
  const example = exampleOf(entry.action)[name]
  if (example === undefined || !isSetting(name, schema) || entry.action.owned) return { draft }
  const assumption = `${entry.id}: ${name} is ${JSON.stringify(example)}, as in its example.`
  return { draft: assume(draft, assumption), value: example }
}

/** Says in words what to do, where an action takes that. */
function addTask(
  properties: Readonly<Record<string, FieldSchema>>,
  goal: Goal,
  params: Record<string, unknown>,
): void {
  const name = taskParameters.find((each) => properties[each] !== undefined)
  const subject = goal.named.get('subject')
  if (name === undefined || subject === undefined || Object.hasOwn(params, name)) return
  const value = shapeTexts(properties[name] ?? {}, subject)
  if (value !== undefined) params[name] = value
}

function addSubject(
  { makes }: Action,
  properties: Readonly<Record<string, FieldSchema>>,
  goal: Goal,
  reading: GoalReading,
  params: Record<string, unknown>,
): void {
  // `like ours` names nothing, and an identifier would.
  const takesIdentifier = Object.keys(properties).some((each) =>
    (parameterKinds[each] ?? ['subject']).every((kind) => kind !== 'subject'),
  )
  if (takesIdentifier && !goal.isSpecific && pointsElsewhere(goal.text)) return
  // What is made gets the name that the caller gives it, and not the request for it.
  const name = subjectParameters.find(
    (each) => properties[each] !== undefined && !(each === 'name' && makes !== undefined),
  )
  if (name === undefined || Object.hasOwn(params, name)) return
  const value = subjectFor(name, properties[name] ?? {}, goal, reading)
  if (value !== undefined) params[name] = value
}

const describeMissing = (
  { id }: CatalogEntry,
  parameter: string,
  { description }: FieldSchema,
) => ({
  action: id,
  parameter,
  description: description ?? '',
})

/** The action's name, with a number if an earlier step has it. */
export function freeId(name: string, steps: readonly PlanStep[]): string {
  const base = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')
  const taken = new Set(steps.map(({ id }) => id))
  const free = [base, ...Array.from({ length: stepsMax }, (_, at) => `${base}_${at + 2}`)]
  return free.find((id) => !taken.has(id)) ?? base
}
