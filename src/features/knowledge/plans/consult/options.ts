// What may be done about a goal: the calls that each likely action would need, or the value that it lacks, in features
// for the choice.
import { opensSession } from '#core/calls/action-mode.ts'
import { type CatalogEntry, splitId } from '#core/catalog.ts'
import { microsToCents } from '#core/money.ts'
import type { PlanStep } from '#core/plan.ts'
import type { SaidValue } from '../../values/said-value.ts'
import { type ActionCandidate, type GoalCandidates, unranked } from './candidates.ts'
import type { ChoiceRow } from './choice.ts'
import { parameterKinds } from './drafting/recipes.ts'
import { leftValues, saidWords } from './drafting/taken-values.ts'
import type { DraftParts, Goal, Planned } from './goal.ts'
import { createLimitCheck } from './limits.ts'
import type { IntentLabel, Recalled } from './memory.ts'
import { looseKinds } from './naming.ts'
import { fitOf, type OutcomeShares, outcomeOfAction } from './outcomes.ts'
import { nothingPlanned, type Tried, tryEntry } from './plan-goal.ts'

/**
 * `call`: these calls, perhaps above the budget. `ask`: for a value. `nothing`: no action does it, or not as much of
 * it.
 */
export interface GoalOption {
  readonly kind: 'call' | 'ask' | 'nothing'
  readonly entry?: CatalogEntry
  readonly tried: Tried
  readonly row: ChoiceRow
  /** The place of its goal in the intent. */
  readonly at: number
}

/** A goal with the actions that may answer it, and those that may answer the whole intent. */
export interface ReadGoal {
  readonly at: number
  readonly goal: Goal
  readonly own: GoalCandidates
  readonly whole: GoalCandidates
}

const candidatesMax = 24
const stepsCountedMax = 3

/** All but `nothing`. Actions that this gateway cannot run are left out. */
export function readOptions(
  parts: DraftParts & { readonly searchAction: string },
  read: ReadGoal,
  before: Planned,
): readonly GoalOption[] {
  const { own, whole, goal, at } = read
  const search = parts.catalog.find(...splitId(parts.searchAction))
  const exceededLimit = createLimitCheck(goal.intent)
  const listed = goal.isBack ? own.ranked : own.ranked.slice(0, candidatesMax)
  const further = [parts.searchAction, ...whole.recalled.likeliest]
    .flatMap((id) => parts.catalog.find(...splitId(id)) ?? [])
    .filter((entry) => listed.every((one) => one.entry !== entry))
  return [...listed, ...[...new Set(further)].map(unranked)]
    .filter(({ entry }) => entry.mode !== 'unavailable')
    .flatMap((candidate): readonly GoalOption[] => {
      const { entry } = candidate
      const tried = withoutRepetition(tryEntry(parts, entry, goal, before), before)
      if (!('planned' in tried) && tried.missing === undefined) return []
      const isCall = 'planned' in tried || tried.isOverBudget === true
      const inWhole = whole.ranked.find((one) => one.entry === entry) ?? unranked(entry)
      const row = {
        ...describeCandidate(candidate, inWhole, own.asked, goal),
        ...(entry === search && describeSearch(goal, own.asked)),
        ...(isCall
          ? describeCall(tried, goal, own.asked, before)
          : describeMissing(tried, goal, own.asked)),
        ...describeRecalled(whole.recalled, firstOf(tried, before) ?? entry.id, tried),
        laterGoal: Math.min(at, 1),
      }
      const option = { kind: isCall ? ('call' as const) : ('ask' as const), entry, tried, row, at }
      const reason = exceededLimit(entry)
      if (reason === undefined) return [option]
      const refused = {
        kind: 'nothing' as const,
        entry,
        tried: { reason },
        at,
        row: { ...describeCandidate(candidate, inWhole, own.asked, goal), nothingAboveLimit: 1 },
      }
      return [{ ...option, row: { ...row, aboveLimit: 1 } }, refused]
    })
}

/** A later goal may ask for what an earlier call does already. */
function withoutRepetition(tried: Tried, before: Planned): Tried {
  if (!('planned' in tried)) return tried
  const added = tried.planned.steps.slice(before.steps.length)
  const isMade = (step: PlanStep) =>
    before.steps.some(
      ({ action, params }) =>
        action === step.action && JSON.stringify(params) === JSON.stringify(step.params),
    )
  return added.length > 0 && added.every(isMade) ? { planned: before } : tried
}

/** Actions that would serve a goal if this gateway could run them. */
export const unavailableFor = (
  parts: DraftParts,
  { goal, own, whole, at }: ReadGoal,
): readonly GoalOption[] =>
  own.ranked
    .filter(({ entry }) => entry.mode === 'unavailable')
    .map((candidate) => {
      const { entry } = candidate
      const inWhole = whole.ranked.find((one) => one.entry === entry) ?? unranked(entry)
      return {
        kind: 'call' as const,
        entry,
        at,
        tried: tryEntry(parts, entry, goal, nothingPlanned),
        row: describeCandidate(candidate, inWhole, own.asked, goal),
      }
    })

/** No action does it. `all`: those that this gateway cannot run count too. */
export function nothingFor(goals: readonly ReadGoal[], which?: 'all'): GoalOption {
  const listed = goals.flatMap(({ own, whole }) => [...own.ranked, ...whole.ranked])
  const open = listed.filter(({ entry }) => which === 'all' || entry.mode !== 'unavailable')
  const [first] = goals
  const asked = first?.whole.asked
  return {
    kind: 'nothing',
    tried: {},
    at: 0,
    row: {
      nothing: 1,
      nothingForAct: asked?.act ?? 0,
      nothingForQuestion: asked?.learn ?? 0,
      nothingForNamed: Number(goals.some(({ goal }) => namedValues(goal).length > 0)),
      nothingOfUnnamed: goals[0]?.goal.unnamed ?? 0,
      nothingForSureAct: (asked?.act ?? 0) * logit(Math.max(0, ...open.map(({ plain }) => plain))),
      sureness: logit(Math.max(0, ...open.map(({ named }) => named))),
      plainSureness: logit(Math.max(0, ...open.map(({ plain }) => plain))),
      recalledNothing: Math.sqrt(first?.whole.recalled.shareOf('unsupported') ?? 0),
    },
  }
}

/** The first call that an option adds. */
const firstOf = (tried: Tried, before: Planned): string | undefined =>
  'planned' in tried ? tried.planned.steps[before.steps.length]?.action : undefined

/** What is right for similar intents. The root, because a small share says much. */
function describeRecalled(recalled: Recalled, action: string, tried: Tried): ChoiceRow {
  const ofAction = Math.sqrt(recalled.shareOf(action as IntentLabel))
  if ('planned' in tried) return { recalledCall: ofAction }
  return { recalledMissing: ofAction, recalledQuestion: Math.sqrt(recalled.shareOf('converse')) }
}

/** From -1 to 1. */
function logit(confidence: number): number {
  const odds = Math.log(confidence / (1 - confidence))
  return Math.max(-4, Math.min(4, odds)) / 4
}

const offered = new WeakMap<CatalogEntry, OutcomeShares>()

function offeredBy(entry: CatalogEntry): OutcomeShares {
  const known = offered.get(entry) ?? outcomeOfAction(entry.action)
  offered.set(entry, known)
  return known
}

/** People begin to ask for a list with these words. */
const searchVerb =
  /^(?:(?:please|to|can you|could you|step \d+:?)\s+)*(?:search|look for|find|suche?|cherche|trouve|busca|encuentra|procura|cerca|trova|zoek|vind)\b/i

function describeCandidate(
  { entry, named, plain, confidence, place, isAlternative, explained }: ActionCandidate,
  inWhole: ActionCandidate,
  asked: OutcomeShares,
  { text }: Goal,
): ChoiceRow {
  const { action, service } = entry
  const isSearch = /search|^(?:works|patents|dockets|cases|news|authors)$/.test(action.name)
  const asksToSearch = searchVerb.test(text)
  const offers = offeredBy(entry)
  const isOrder = action.irrevocable === true || service.buys === true
  return {
    named: logit(named),
    plain: logit(plain),
    whole: logit(inWhole.confidence),
    place: confidence / (1 + place),
    wholePlace: inWhole.confidence / (1 + inWhole.place),
    alternative: Number(isAlternative),
    explained,
    fit: fitOf(asked, offers),
    onlyTells: isOrder ? 0 : asked.act * (1 - offers.act),
    poller: Number(action.owned !== undefined),
    ends: Number(action.ends === true),
    buys: Number(isOrder),
    opens: Number(opensSession(action)),
    job: Number(action.mode === 'job'),
    searches: Number(isSearch && asksToSearch),
    searchesWithoutAsking: Number(isSearch && !asksToSearch),
  }
}

const describeSearch = (goal: Goal, asked: OutcomeShares): ChoiceRow => ({
  search: 1,
  searchForQuestion: asked.learn,
  searchDespiteName: Number(namedValues(goal).length > 0),
  searchOfUnnamed: goal.unnamed,
})

function describeCall(tried: Tried, goal: Goal, asked: OutcomeShares, before: Planned): ChoiceRow {
  const { unnamed } = goal
  const values = namedValues(goal)
  const shared = {
    callOfUnnamed: unnamed,
    callOfNameless: Number(values.length === 0),
    callOfNamelessUnnamed: values.length === 0 ? unnamed : 0,
  }
  if (!('planned' in tried)) return { ...shared, overBudget: 1 }
  const { steps, assumptions, total, isRoundabout } = tried.planned
  const added = steps.slice(before.steps.length)
  // Several calls of one action are for several values.
  const stepsBefore = added.filter(({ action }) => action !== added.at(-1)?.action).length
  const text = JSON.stringify(added.map(({ params }) => params))
  const used = values.filter((value) => text.includes(JSON.stringify(value).slice(1, -1))).length
  const onlySubject = used === 0 && added.some(({ params }) => saysWords(params, goal))
  const takesNothing = Number(used === 0 && !onlySubject)
  const share = values.length === 0 ? 0 : used / values.length
  return {
    ...shared,
    price: Math.log10(1 + microsToCents(total.max, 'up')) / 3,
    stepsBefore: Math.min(stepsCountedMax, stepsBefore),
    stepsBeforeOfUnnamed: Math.min(stepsCountedMax, stepsBefore) * unnamed,
    roundabout: Number(isRoundabout === true),
    assumed: Math.min(2, assumptions.length - before.assumptions.length),
    usesNamed: share,
    leavesNamed: values.length === 0 ? 0 : 1 - share,
    ...describeSaid(added, tried.planned.taken ?? [], goal),
    onlySubject: Number(onlySubject),
    onlySubjectOfUnnamed: Number(onlySubject) * unnamed,
    takesNothing,
    takesNothingOfQuestion: takesNothing * asked.learn,
  }
}

const saidCountedMax = 3

/** How much of what the goal says of its answer the call takes: how many, since when, where. */
function describeSaid(
  added: readonly PlanStep[],
  taken: readonly string[],
  { said }: Goal,
): ChoiceRow {
  const isCounted = ({ kind }: SaidValue) => kind !== 'place' && kind !== 'language'
  const all = said.values.filter(isCounted).length
  const left = leftValues(added, taken, said).filter(isCounted).length
  // What only some actions have: `on GOAT`, `topical`, `full page`.
  const values = new Set(said.values.map((value) => saidWords(value, said)))
  const choices = taken.filter((words) => !values.has(words)).length
  return {
    usesSaid: Math.min(saidCountedMax, all - left),
    leavesSaid: Math.min(saidCountedMax, left),
    takesChoices: Math.min(saidCountedMax, choices),
  }
}

/** A text of the call stands in the goal. */
const saysWords = (params: Readonly<Record<string, unknown>>, { text }: Goal): boolean =>
  Object.values(params)
    .flat()
    .some((value) => typeof value === 'string' && value.length > 1 && text.includes(value))

function describeMissing(tried: Tried, goal: Goal, asked: OutcomeShares): ChoiceRow {
  const name = 'missing' in tried ? (tried.missing?.parameter ?? '') : ''
  return {
    missing: 1,
    missingOfUnnamed: goal.unnamed,
    missingOfNameless: Number(namedValues(goal).length === 0),
    missingOfNamelessUnnamed: namedValues(goal).length === 0 ? goal.unnamed : 0,
    missingUncommon: Number(isUncommon(name)),
    missingForAct: asked.act,
  }
}

/**
 * A value that a caller cannot be expected to know, so that a question for it would not help. Ids come from earlier
 * answers.
 */
const isUncommon = (parameter: string) =>
  parameterKinds[parameter] === undefined && !/(?:^|_)id$|Id$/.test(parameter)

const namedValues = ({ named, answers }: Goal): readonly string[] => [
  ...[...named].flatMap(([kind, values]) => (looseKinds.has(kind) ? [] : values)),
  ...Object.values(answers).filter((value) => typeof value === 'string'),
]
