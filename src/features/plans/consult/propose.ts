// From an intent to a plan that has been checked, a question, or the honest answer that no action does it. Pure but for `rank`.
import { type Catalog, type CatalogEntry, inputSchemaOf, splitId } from '#core/catalog.ts'
import { toCallError } from '#core/errors.ts'
import { centsToMicros, microsToCents } from '#core/money.ts'
import type { PlanStep } from '#core/plan.ts'
import type { PartsCost } from '#core/price.ts'
import { examinePlan } from '../examine.ts'
import {
  type DraftParts,
  draftGoal,
  type Goal,
  type MissingValue,
  type PlanDraft,
} from './draft.ts'
import { splitGoals } from './goals.ts'
import { type IntentSlots, readBudgetCents, readSlots, type SlotKind } from './slots.ts'

/** An action that may answer a goal. */
export interface ActionCandidate {
  readonly entry: CatalogEntry
  readonly alternatives: readonly CatalogEntry[]
  readonly confidence: number
  /** Words of the goal that are not in the action's texts. */
  readonly otherWords: readonly string[]
}

/** The actions for a goal, best first. */
export type RankActions = (goal: string, limit: number) => Promise<readonly ActionCandidate[]>

export interface ConsultRequest {
  readonly intent: string
  /** Addresses and files of the caller. */
  readonly assets: ReadonlyMap<SlotKind, readonly string[]>
  readonly answers: Readonly<Record<string, unknown>>
  readonly budgetCents?: number | undefined
}

export type Proposal =
  | {
      readonly mode: 'call'
      readonly steps: readonly PlanStep[]
      readonly costs: readonly PartsCost[]
      readonly total: PartsCost
      readonly assumptions: readonly string[]
    }
  | {
      readonly mode: 'converse'
      readonly missing: MissingValue
      readonly nearest: readonly ActionCandidate[]
    }
  | {
      readonly mode: 'unsupported'
      readonly message: string
      readonly nearest: readonly ActionCandidate[]
    }

/** Discover itself leaves out what no action answers. */
const supportedFrom = 0.1
/** A later goal is planned only if an action answers it with some certainty. */
const laterGoalFrom = 0.45
/** Actions that are nearly as likely as the best one are tried where the best one lacks something. */
const nearlyAsLikely = 0.6
const candidatesMax = 6
const nearestMax = 5

interface Planned extends PlanDraft {
  readonly costs: readonly PartsCost[]
  readonly total: PartsCost
}

const nothingPlanned: Planned = {
  steps: [],
  assumptions: [],
  costs: [],
  total: { min: 0, max: 0, isExact: true },
}

export async function propose(
  { rank, ...parts }: DraftParts & { readonly rank: RankActions },
  request: ConsultRequest,
): Promise<Proposal> {
  const { intent } = request
  const budgetCents = request.budgetCents ?? readBudgetCents(intent)
  const known = mergeSlots(request.assets, readSlots(intent))
  const goalOf = (text: string, [best]: readonly ActionCandidate[]): Goal => ({
    ...{ text, known, answers: request.answers, budgetCents },
    named: text === intent ? known : readSlots(text),
    isSpecific: (best?.otherWords.length ?? 0) > 0 || namesSomething(readSlots(text)),
  })
  const whole = (await rank(intent, candidatesMax)).filter(isProposable)
  const texts = splitGoals(intent)
  let planned = nothingPlanned
  let missing: MissingValue | undefined
  let reason: string | undefined
  for (const [at, text] of texts.entries()) {
    const own = texts.length === 1 ? whole : (await rank(text, candidatesMax)).filter(isProposable)
    const isFirst = planned.steps.length === 0
    const ranked =
      isFirst && at === texts.length - 1 && confidenceOf(own) < supportedFrom ? whole : own
    if (confidenceOf(ranked) < (isFirst ? supportedFrom : laterGoalFrom)) {
      if (!isFirst) planned = assume(planned, `Left to you, as no action does it: ${text}`)
      continue
    }
    const tried = planGoal(parts, ranked, goalOf(text, ranked), planned)
    if ('planned' in tried) planned = tried.planned
    else if (isFirst && tried.missing !== undefined) {
      missing = tried.missing
      break
    } else if (isFirst) reason ??= tried.reason
    else planned = assume(planned, `Left to you, as a value is not known yet: ${text}`)
  }
  if (planned.steps.length > 0) return { mode: 'call', ...planned }
  const nearest = whole.slice(0, nearestMax)
  if (missing !== undefined) return { mode: 'converse', missing, nearest }
  return {
    mode: 'unsupported',
    message: reason ?? 'No action of this gateway does this.',
    nearest,
  }
}

const confidenceOf = ([best]: readonly ActionCandidate[]) => best?.confidence ?? 0

const assume = (planned: Planned, assumption: string): Planned => ({
  ...planned,
  assumptions: [...planned.assumptions, assumption],
})

/** Plans and batches run other actions: what they would run is proposed instead. */
const isProposable = ({ entry: { action } }: ActionCandidate) =>
  !(typeof action.price === 'object' && 'sumOf' in action.price)

type Tried =
  | { readonly planned: Planned }
  | { readonly missing?: MissingValue | undefined; readonly reason?: string | undefined }

/** Tries the actions that are about as likely as the best one, until one can be called as things are known. */
function planGoal(
  parts: DraftParts,
  ranked: readonly ActionCandidate[],
  goal: Goal,
  before: Planned,
): Tried {
  const enough = confidenceOf(ranked) * nearlyAsLikely
  const likely = ranked.filter(({ confidence }) => confidence >= enough)
  const entries = [
    ...likely.map(({ entry }) => entry),
    ...likely.flatMap(({ alternatives }) => alternatives),
  ]
  const [best] = entries
  if (before.steps.some(({ action }) => action === best?.id)) return { planned: before }
  const tries = entries.map((entry) => {
    const tried = tryEntry(parts, entry, goal, before)
    // A question about the best action is better than another action that does something else at a cost.
    const isRisky = entry !== best && (entry.action.irrevocable || entry.service.buys)
    const added = 'planned' in tried ? tried.planned.steps.length - before.steps.length : 0
    return isRisky || (entry !== best && added > 1) ? {} : tried
  })
  const [first, ...others] = tries.flatMap((tried) => ('planned' in tried ? tried.planned : []))
  const isBest = first !== undefined && tries[0] !== undefined && 'planned' in tries[0]
  if (isBest) {
    const direct = first.isRoundabout && others.find(({ isRoundabout }) => !isRoundabout)
    return { planned: direct || first }
  }
  // What lacks a value is not replaced by a search for the words of the goal.
  const subject = JSON.stringify(goal.named.get('subject')?.[0])
  const other = [...(first === undefined ? [] : [first]), ...others].find(
    ({ steps }) =>
      best?.mode === 'unavailable' || !JSON.stringify(steps.at(-1)?.params).includes(subject ?? ''),
  )
  if (other !== undefined) return { planned: other }
  const failures = tries.flatMap((tried) => ('planned' in tried ? [] : tried))
  return {
    missing: failures.find(({ missing }) => missing !== undefined)?.missing,
    reason: failures.find(({ reason }) => reason !== undefined)?.reason,
  }
}

function tryEntry(parts: DraftParts, entry: CatalogEntry, goal: Goal, before: Planned): Tried {
  if (entry.mode === 'unavailable') {
    const why = entry.reason ?? 'its provider has no key.'
    return { reason: `${entry.id} does this, and is not available on this gateway: ${why}` }
  }
  const draft = draftGoal(parts, entry, goal, before)
  return draft.missing === undefined
    ? check(parts.catalog, draft, goal.budgetCents)
    : { missing: draft.missing }
}

const namesSomething = (slots: IntentSlots) => [...slots.keys()].some((kind) => kind !== 'subject')

function check(catalog: Catalog, draft: PlanDraft, budgetCents: number | undefined): Tried {
  try {
    const { cost, steps } = examinePlan(catalog, draft.steps, { byThemselves: true })
    const last = draft.steps.at(-1)
    if (budgetCents !== undefined && cost.max > centsToMicros(budgetCents)) {
      const needed = microsToCents(cost.max, 'up')
      return {
        missing: {
          action: last?.action ?? '',
          parameter: 'budget_cents',
          description: `These calls may cost ${needed} cents, above the budget of ${budgetCents}.`,
        },
      }
    }
    return { planned: { ...draft, costs: steps, total: cost } }
  } catch (thrown) {
    const { code, message } = toCallError(thrown)
    if (code === 'upstream_error') throw thrown
    if (code !== 'bad_request') return { reason: message }
    // One of several parameters is missing, or a value does not fit.
    const asked = draft.steps.at(-1)?.action ?? ''
    return {
      missing: { action: asked, parameter: openParameter(catalog, asked), description: message },
    }
  }
}

/** The first parameter of an action that requires none by itself. */
function openParameter(catalog: Catalog, id: string): string {
  const entry = catalog.find(...splitId(id))
  const { properties = {} } = (entry ? inputSchemaOf(entry.action) : {}) as { properties?: object }
  return Object.keys(properties)[0] ?? ''
}

function mergeSlots(assets: IntentSlots, named: IntentSlots): IntentSlots {
  const merged = new Map(named)
  for (const [kind, values] of assets)
    merged.set(kind, [...new Set([...values, ...(merged.get(kind) ?? [])])])
  return merged
}
