// Plans one goal by one action: drafts the calls, checks them, and keeps to the budget.
import { type Catalog, type CatalogEntry, inputSchemaOf, splitId } from '#core/catalog.ts'
import { toCallError } from '#core/errors.ts'
import { centsToMicros, microsToCents } from '#core/money.ts'
import { examinePlan } from '../examine.ts'
import { draftGoal } from './drafting/draft.ts'
import { parameterKinds, preparations } from './drafting/recipes.ts'
import type { DraftParts, Goal, MissingValue, PlanDraft, Planned } from './goal.ts'
import { readByName } from './slots.ts'
import { withinBudget } from './within-budget.ts'

export const nothingPlanned: Planned = {
  steps: [],
  assumptions: [],
  costs: [],
  total: { min: 0, max: 0, isExact: true },
}

interface Failed {
  readonly missing?: MissingValue | undefined
  readonly reason?: string | undefined
  readonly isOverBudget?: true
}

export type Tried = { readonly planned: Planned } | Failed

export const tellUnavailable = ({ id, reason = 'its provider has no key.' }: CatalogEntry) =>
  `${id} does this, and is not available on this gateway: ${reason}`

/** The calls that an action needs, checked and priced, or what is in the way of them. */
export function tryEntry(
  parts: DraftParts,
  entry: CatalogEntry,
  goal: Goal,
  before: Planned,
): Tried {
  if (entry.mode === 'unavailable') {
    return { reason: tellUnavailable(entry) }
  }
  const prepared = prepare(parts, entry, goal, before)
  if (prepared !== undefined) return prepared
  const tried = tryDraft(parts, entry, goal, before)
  if (!('missing' in tried) || tried.missing === undefined || tried.isOverBudget) return tried
  // Some actions refuse a call for the want of a parameter that their schema does not require.
  const told = tryDraft(parts, entry, { ...goal, addsTask: true }, before)
  return 'planned' in told ? told : tried
}

function tryDraft(parts: DraftParts, entry: CatalogEntry, goal: Goal, before: Planned): Tried {
  const draft = draftGoal(parts, entry, goal, before)
  return draft.missing === undefined
    ? check(parts.catalog, draft, goal.budgetCents)
    : { missing: draft.missing }
}

/** The free call before one that cannot be undone, if the goal does not say what that call finds. */
function prepare(
  parts: DraftParts,
  entry: CatalogEntry,
  goal: Goal,
  before: Planned,
): Tried | undefined {
  const preparation = preparations.find((each) => each.before === entry.id)
  const source = preparation && parts.catalog.find(...splitId(preparation.by))
  if (preparation === undefined || source === undefined || source.mode === 'unavailable')
    return undefined
  const isKnown = preparation.finds.some(
    (name) =>
      Object.hasOwn(goal.answers, name) ||
      readByName(goal.text, name, false) !== undefined ||
      (parameterKinds[name] ?? []).some((kind) => goal.named.has(kind)),
  )
  if (isKnown) return undefined
  const draft = draftGoal(parts, source, goal, before)
  if (draft.missing !== undefined) return undefined
  const assumption = `Left to you, once you have its answer: ${entry.id}, which cannot be undone.`
  return check(
    parts.catalog,
    { ...draft, assumptions: [...draft.assumptions, assumption] },
    goal.budgetCents,
  )
}

/** What is wrong with a plan, what it costs, and whether that is within the budget. */
export function check(catalog: Catalog, draft: PlanDraft, budgetCents: number | undefined): Tried {
  const asked = draft.steps.at(-1)?.action ?? ''
  try {
    const examined = examinePlan(catalog, draft.steps, { byThemselves: true })
    if (budgetCents === undefined || examined.cost.max <= centsToMicros(budgetCents))
      return { planned: { ...draft, costs: examined.steps, total: examined.cost } }
    const reduced = withinBudget(catalog, draft, budgetCents)
    if (reduced !== undefined) return { planned: reduced }
    const needed = microsToCents(examined.cost.max, 'up')
    return {
      isOverBudget: true,
      missing: {
        action: asked,
        parameter: 'budget_cents',
        description: `These calls may cost ${needed} cents, above the budget of ${budgetCents}.`,
      },
    }
  } catch (thrown) {
    const { code, message } = toCallError(thrown)
    if (code === 'upstream_error') throw thrown
    if (code !== 'bad_request') return { reason: message }
    // One of several parameters is missing, or a value does not fit.
    return {
      missing: { action: asked, parameter: openParameter(catalog, asked), description: message },
    }
  }
}

/** The first parameter of an action that requires none by itself. */
function openParameter(catalog: Catalog, id: string): string {
  const entry = catalog.find(...splitId(id))
  const properties = entry ? inputSchemaOf(entry.action).properties : {}
  return Object.keys(properties)[0] ?? ''
}
