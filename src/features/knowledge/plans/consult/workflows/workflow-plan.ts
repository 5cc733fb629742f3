// Whether an intent asks for one of the workflows, and the plan of it: checked, priced, and within the budget.

import { type Catalog, type CatalogEntry, splitId } from '#core/catalog.ts'
import { hasMembers } from '#core/input/members.ts'
import type { PlanStep } from '#core/plan.ts'
import { lateSteps } from '../constraints.ts'
import { composeValue } from '../drafting/composed.ts'
import { assume } from '../drafting/draft.ts'
import { readGoalFor } from '../drafting/goal-reading.ts'
import type { Goal, PlanDraft, Planned } from '../goal.ts'
import { splitGoals } from '../goals.ts'
import { createLimitCheck } from '../limits.ts'
import { createMemory, type RememberedIntent, remember } from '../memory.ts'
import { check } from '../plan-goal.ts'
import type { SlotKind } from '../slots.ts'
import type { Workflow, WorkflowCall, WorkflowStep } from './workflow.ts'

export type MatchWorkflow = (intent: string) => Workflow | undefined

/** Of the likeness to all labelled intents, the part that a workflow must have: most intents name one thing. */
const likenessMin = 0.7
const stepsMin = 2
const goalsMin = 2
const comparedMin = 2

/** The labelled intents are those that single calls serve: an intent must be more like the phrasings than like them. */
export async function createWorkflowMatch(
  workflows: readonly Workflow[],
  others: readonly RememberedIntent[],
): Promise<MatchWorkflow> {
  const labelOf = ({ name }: Workflow) => `workflow/${name}` as const
  const phrasings = workflows.flatMap((workflow) =>
    workflow.phrasings.map((intent) => ({ intent, labels: [labelOf(workflow)] })),
  )
  const recall = await createMemory([...(await remember(phrasings)), ...others])
  return (intent) => {
    const { shareOf } = recall(intent)
    return workflows.find((workflow) => shareOf(labelOf(workflow)) >= likenessMin)
  }
}

/** Undefined if a required step cannot be made, or not within the budget. */
export function planWorkflow(
  catalog: Catalog,
  workflow: Workflow,
  goal: Goal,
): Planned | undefined {
  if (workflow.isOfSeveralGoals && splitGoals(goal.intent).length < goalsMin) return undefined
  let draft: PlanDraft = { steps: [], assumptions: [`Planned as the workflow: ${workflow.name}.`] }
  const made = new Map<string, WorkflowCall>()
  for (const step of workflow.steps) {
    if (step.unless !== undefined && goal.known.has(step.unless)) continue
    const found = findCall(catalog, step, goal, made)
    if (found === undefined) {
      if (step.isRequired) return undefined
      draft = assume(draft, `Left out, as nothing here does it or a value is missing: ${step.id}.`)
      continue
    }
    made.set(step.id, found.call)
    const planned: PlanStep = {
      id: step.id,
      action: found.call.action,
      params: found.params,
      optional: step.isRequired !== true,
      why: step.why,
    }
    draft = { ...draft, steps: [...draft.steps, planned] }
  }
  return withinBudget(catalog, draft, goal.budgetCents)
}

/** Leaves out optional steps, the last first. */
function withinBudget(
  catalog: Catalog,
  draft: PlanDraft,
  budgetCents: number | undefined,
): Planned | undefined {
  let left = draft
  while (left.steps.length >= stepsMin) {
    const tried = check(catalog, left, budgetCents)
    if ('planned' in tried) return tried.planned
    const at = left.steps.findLastIndex(({ optional }) => optional)
    const dropped = left.steps[at]
    if (!tried.isOverBudget || dropped === undefined) return undefined
    const steps = left.steps.filter(
      (step) =>
        step !== dropped && !JSON.stringify(step.params).includes(`"$step":"${dropped.id}"`),
    )
    left = assume({ ...left, steps }, `Left out, to keep to the budget: ${dropped.id}.`)
  }
  return undefined
}

type Made = ReadonlyMap<string, WorkflowCall>

/** The first call that can be made, and among those one that answers in time. */
function findCall(catalog: Catalog, { calls }: WorkflowStep, goal: Goal, made: Made) {
  const exceededLimit = createLimitCheck(goal.intent)
  const possible = calls.flatMap((call) => {
    const entry = catalog.find(...splitId(call.action))
    if (entry === undefined || entry.mode === 'unavailable') return []
    if (exceededLimit(entry) !== undefined) return []
    const params = fillCall(entry, call, goal, made)
    return params === undefined ? [] : [{ call, params }]
  })
  const isInTime = ({ call: { action }, params }: (typeof possible)[number]) => {
    const steps = [{ id: 'step', action, params, optional: false }]
    return lateSteps(catalog, { steps }, goal.constraints).length === 0
  }
  return possible.find(isInTime) ?? possible[0]
}

function fillCall(
  entry: CatalogEntry,
  { params, composed = [] }: WorkflowCall,
  goal: Goal,
  made: Made,
): Record<string, unknown> | undefined {
  const all: Goal = { ...goal, said: goal.saidInAll }
  const reading = readGoalFor(entry, all)
  const said = Object.keys(reading.properties)
    .map(
      (name) => [name, composeValue(entry, name, goal) ?? reading.filled.get(name)?.value] as const,
    )
    .filter(([, value]) => value !== undefined)
  const about = reading.topic === '' ? goal : withSubject(goal, reading.topic)
  const filled = fill(params, about, made)
  const isSaid = (name: string) => said.some(([known]) => known === name)
  if (!hasMembers(filled) || !composed.every(isSaid)) return undefined
  return { ...Object.fromEntries(said), ...filled }
}

const withSubject = (goal: Goal, subject: string): Goal => ({
  ...goal,
  known: new Map([...goal.known, ['subject', [subject]]]),
})

/** Undefined if a value in it is not known. */
function fill(value: unknown, goal: Goal, made: Made): unknown {
  if (typeof value !== 'object' || value === null) return value
  if ('$slot' in value) {
    const values = goal.known.get(value.$slot as SlotKind) ?? []
    if (!('all' in value)) return values[0]
    if (values.length < comparedMin) return undefined
    return 'as' in value ? values.map((each) => ({ [String(value.as)]: each })) : values
  }
  if ('$from' in value && 'value' in value)
    return referTo(String(value.$from), String(value.value), made)
  if (Array.isArray(value)) {
    const items = value.map((item) => fill(item, goal, made))
    return items.includes(undefined) ? undefined : items
  }
  const members = Object.entries(value).map(([name, member]) => [name, fill(member, goal, made)])
  return members.some(([, member]) => member === undefined)
    ? undefined
    : Object.fromEntries(members)
}

function referTo(step: string, value: string, made: Made): unknown {
  const place = made.get(step)?.gives?.[value]
  if (place === undefined) return undefined
  if (typeof place === 'string') return { $step: step, pointer: place }
  return { $step: step, pointer: place.list, each: place.each, first: place.first }
}
