// From an intent to a plan that has been checked, a question, or the honest answer that no action does it. Pure but for
// ranking.

import { type CatalogEntry, splitId } from '#core/catalog.ts'
import type { ComposedFilm, ComposeFilm } from '#core/rooms/film-edit.ts'
import { type ReadText, readValues } from '../../values/read-values.ts'
import { type ActionCandidate, type GoalCandidates, unranked } from './candidates.ts'
import { type ChoiceWeights, choose, loadChoiceWeights, sharesOf } from './choice.ts'
import { type AnswerConstraints, lateSteps, nameLateSteps, readConstraints } from './constraints.ts'
import { assume } from './drafting/draft.ts'
import { findUnused } from './drafting/unused.ts'
import {
  askForAssets,
  assetsParameter,
  type FilmAsset,
  type FilmTarget,
  proposeFilm,
} from './film.ts'
import type { DraftParts, Goal, MissingValue, Planned } from './goal.ts'
import { borrowsTopic, refersBack, splitGoals } from './goals.ts'
import { nothingRecalled } from './memory.ts'
import { readUnnamed } from './naming.ts'
import {
  type GoalOption,
  nothingFor,
  type ReadGoal,
  readOptions,
  unavailableFor,
} from './options.ts'
import { nothingPlanned, tellUnavailable } from './plan-goal.ts'
import {
  type IntentSlots,
  namesLocalFile,
  pointsElsewhere,
  readSlots,
  type SlotKind,
} from './slots.ts'
import { addVerifications } from './verification.ts'
import type { Workflow } from './workflows/workflow.ts'
import { planWorkflow } from './workflows/workflow-plan.ts'

export interface ConsultRequest extends AnswerConstraints {
  readonly intent: string
  /** YYYY-MM-DD: `last week` counts from it. */
  readonly today: string
  /** Addresses and files of the caller. */
  readonly assets: ReadonlyMap<SlotKind, readonly string[]>
  readonly answers: Readonly<Record<string, unknown>>
  readonly budgetCents?: number | undefined
  /** `wish`: absent if the manifest does not ask for a film. */
  readonly film: { readonly assets: readonly FilmAsset[]; readonly wish?: FilmTarget | undefined }
}

export type Proposal =
  | ({ readonly mode: 'call'; readonly film?: ComposedFilm } & Planned)
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

export interface ProposalParts extends DraftParts {
  readonly candidatesFor: (goal: string) => Promise<GoalCandidates>
  readonly workflowFor: (intent: string) => Promise<Workflow | undefined>
  /** The action that answers questions of all kinds. */
  readonly searchAction: string
}

const nearestMax = 5
/** The first step of a plan is for one of so many goals: intents often begin with what happened before. */
const firstGoalsMax = 3

export async function propose(
  { composeFilm, ...parts }: ProposalParts & { readonly composeFilm: ComposeFilm },
  request: ConsultRequest,
): Promise<Proposal> {
  const goals = await readGoals(parts, request)
  const { whole } = goals[0]
  const nearest = whole.ranked.filter(({ isAlternative }) => !isAlternative).slice(0, nearestMax)
  const film = proposeFilm({ catalog: parts.catalog, composeFilm }, request, whole)
  if (film !== undefined) {
    if ('reason' in film) return { mode: 'unsupported', message: film.reason, nearest: [] }
    if ('missing' in film) return { mode: 'converse', missing: film.missing, nearest }
    return { mode: 'call', ...film.planned, film: film.film }
  }
  const workflow = await proposeWorkflow(parts, request, goals[0].goal, nearest)
  if (workflow !== undefined) return workflow
  const weights = loadChoiceWeights()
  const first = chooseInTime(parts, readFirstOptions(parts, goals), goals[0], weights)
  if (first === undefined || first.kind === 'nothing') {
    const stated = first && 'reason' in first.tried ? first.tried.reason : undefined
    const reason = stated ?? reasonOf(parts, goals, weights)
    return {
      mode: 'unsupported',
      message: reason ?? 'No action of this gateway does this.',
      nearest,
    }
  }
  if (!('planned' in first.tried)) {
    const { missing } = first.tried
    if (missing === undefined) throw new Error('An option has neither calls nor a missing value.')
    return { mode: 'converse', missing, nearest }
  }
  let { planned } = first.tried
  const better = betterUnavailable(goals.find(({ at }) => at === first.at)?.own, first.entry)
  if (better !== undefined) {
    // A general search may still find it: the caller decides.
    const isGeneral = first.entry?.service.provider.id === splitId(parts.searchAction)[0]
    if (!isGeneral) return { mode: 'unsupported', message: better, nearest }
    planned = assume(planned, better)
  }
  for (const read of goals.slice(first.at + 1))
    planned = await planLater(parts, read, planned, weights)
  return finish(parts, planned, goals[0].goal, nearest)
}

/** So sure must discover be of an action that this gateway cannot run, and so unsure of the one that it can. */
const betterFrom = 0.5
const unlikelyBelow = 0.1

/** Says which action would do it, where the chosen one only looks like it. */
function betterUnavailable(
  own: GoalCandidates | undefined,
  chosen: CatalogEntry | undefined,
): string | undefined {
  const [best] = own?.ranked.filter(({ isAlternative }) => !isAlternative) ?? []
  const confidence = own?.ranked.find(({ entry }) => entry === chosen)?.confidence ?? 0
  if (best === undefined || best.entry.mode !== 'unavailable') return undefined
  if (best.confidence < betterFrom || confidence >= unlikelyBelow) return undefined
  return tellUnavailable(best.entry)
}

/** Answers are for questions about single calls. */
async function proposeWorkflow(
  parts: ProposalParts,
  { intent, answers }: ConsultRequest,
  goal: Goal,
  nearest: readonly ActionCandidate[],
): Promise<Proposal | undefined> {
  if (Object.keys(answers).length > 0) return undefined
  const workflow = await parts.workflowFor(intent)
  const planned = workflow && planWorkflow(parts.catalog, workflow, goal)
  return planned && finish(parts, planned, goal, nearest)
}

/** Returns the calls with what the constraints ask for, or asks for a value that is named and that the calls omit. */
export function finish(
  parts: DraftParts,
  planned: Planned,
  goal: Pick<Goal, 'constraints' | 'budgetCents' | 'known' | 'answers'> & {
    readonly saidInAll?: ReadText
  },
  nearest: readonly ActionCandidate[],
): Proposal {
  const { question = askForAssets(planned), notes } = findUnused(
    planned,
    goal.saidInAll,
    goal.known,
    goal.answers,
  )
  if (question !== undefined) return { mode: 'converse', missing: question, nearest }
  return { mode: 'call', ...finishPlan(parts, notes.reduce(assume<Planned>, planned), goal) }
}

/** Adds what the constraints ask for, and says which of them may not be kept. */
function finishPlan(
  parts: DraftParts,
  planned: Planned,
  { constraints, budgetCents }: Pick<Goal, 'constraints' | 'budgetCents'>,
): Planned {
  const sure =
    constraints.quality === 'verified' ? addVerifications(parts, planned, budgetCents) : planned
  return nameLateSteps(parts.catalog, sure, constraints)
}

/**
 * A call that answers in time is taken instead of a job if it is at least so likely as this part of the likelihood of
 * the job.
 */
const inTimePartMin = 0.05

function chooseInTime(
  { catalog }: ProposalParts,
  options: readonly GoalOption[],
  { goal }: ReadGoal,
  weights: ChoiceWeights,
): GoalOption | undefined {
  const isLate = ({ tried }: GoalOption) =>
    'planned' in tried && lateSteps(catalog, tried.planned, goal.constraints).length > 0
  const chosen = choose(options, weights)
  if (chosen === undefined || !isLate(chosen)) return chosen
  const rows = options.map(({ row }) => row)
  const shares = new Map(sharesOf(rows, weights).map((share, at) => [options[at], share]))
  const shareOf = (option: GoalOption) => shares.get(option) ?? 0
  const [inTime] = options
    .filter((option) => 'planned' in option.tried && !isLate(option))
    .toSorted((one, other) => shareOf(other) - shareOf(one))
  return inTime && shareOf(inTime) >= inTimePartMin * shareOf(chosen) ? inTime : chosen
}

/** What may be the first step: for any of the first goals, or nothing. */
export function readFirstOptions(
  parts: ProposalParts,
  goals: readonly ReadGoal[],
): readonly GoalOption[] {
  const first = goals.slice(0, firstGoalsMax).filter(({ goal }) => !goal.isBack)
  const later = goals.filter(({ goal }) => goal.isBack)
  const options = first.flatMap((read) =>
    readOptions(parts, read, nothingPlanned).filter(({ entry }) => !isForLater(entry, read, later)),
  )
  return [...options, nothingFor(first)]
}

/** An action that fits a goal which points back better than this one comes after it. */
function isForLater(
  entry: CatalogEntry | undefined,
  { own }: ReadGoal,
  later: readonly ReadGoal[],
): boolean {
  const confidenceIn = ({ ranked }: GoalCandidates) =>
    ranked.find((one) => one.entry === entry)?.confidence ?? 0
  return later.some((read) => confidenceIn(read.own) > confidenceIn(own))
}

/** Adds the calls for a later goal, or says that it is left to the caller. */
async function planLater(
  parts: ProposalParts,
  { goal, own }: ReadGoal,
  before: Planned,
  weights: ChoiceWeights,
): Promise<Planned> {
  const ranked = goal.isBack ? await rankFollowers(parts, goal, own, before) : own
  const read = { at: 0, goal, own: ranked, whole: { ...ranked, recalled: nothingRecalled } }
  const options = readOptions(parts, read, before)
  // What points back is for a call that takes a value of an earlier one, if there is one.
  const followers = goal.isBack ? options.filter((option) => takesEarlier(option, before)) : []
  const lists = saysSeveral(goal) ? followers.filter((option) => takesList(option, before)) : []
  const open = [lists, followers].find(({ length }) => length > 0) ?? [
    ...options,
    nothingFor([read]),
  ]
  const chosen = chooseInTime(parts, open, read, weights)
  if (chosen !== undefined && 'planned' in chosen.tried) return chosen.tried.planned
  return assume(before, `Left to you, as ${whyLeft(chosen)}: ${goal.text}`)
}

/** With the actions of the services that have been called, ranked by the goal in their light. */
async function rankFollowers(
  { catalog, candidatesFor }: ProposalParts,
  { text }: Goal,
  own: GoalCandidates,
  { steps }: Planned,
): Promise<GoalCandidates> {
  const services = [...new Set(steps.map(({ action }) => splitId(action)[0]))]
  const known = catalog.entries.filter(({ service }) => services.includes(service.provider.id))
  const titles = [...new Set(known.map(({ service }) => service.provider.title))].join(', ')
  const inLight = await candidatesFor(`${text} (${titles})`)
  const listed = new Map(own.ranked.map((one) => [one.entry, one]))
  for (const one of inLight.ranked) {
    const earlier = listed.get(one.entry)
    if (earlier === undefined || earlier.confidence < one.confidence) listed.set(one.entry, one)
  }
  for (const entry of known) if (!listed.has(entry)) listed.set(entry, unranked(entry))
  const ranked = [...listed.values()].toSorted((one, other) => other.confidence - one.confidence)
  return { ...own, ranked }
}

const saysSeveral = ({ said }: Goal) =>
  said.values.some((value) => value.kind === 'count' && value.count > 1)

/** The calls that an option adds, as text. */
const addedTo = (before: Planned, { tried }: GoalOption): string =>
  'planned' in tried ? JSON.stringify(tried.planned.steps.slice(before.steps.length)) : ''

const takesList = (option: GoalOption, before: Planned): boolean =>
  addedTo(before, option).includes('"each":')

function takesEarlier(option: GoalOption, before: Planned): boolean {
  const added = addedTo(before, option)
  return before.steps.some(({ id }) => added.includes(`"$step":"${id}"`))
}

function whyLeft(chosen: GoalOption | undefined): string {
  if (chosen === undefined || chosen.kind === 'nothing') return 'no action does it'
  return chosen.kind === 'call' ? 'it is above the budget' : 'a value is not known yet'
}

/** Why an action that does it cannot run on this gateway. */
function reasonOf(
  parts: ProposalParts,
  goals: readonly ReadGoal[],
  weights: ChoiceWeights,
): string | undefined {
  const [first] = goals
  if (first === undefined) return undefined
  const chosen = choose([...unavailableFor(parts, first), nothingFor([first], 'all')], weights)
  return chosen && 'reason' in chosen.tried ? chosen.tried.reason : undefined
}

/** The goals of an intent in their order, each in the light of the whole request. */
export async function readGoals(
  { candidatesFor }: Pick<ProposalParts, 'candidatesFor'>,
  { intent, today, assets, answers, budgetCents, ...stated }: ConsultRequest,
): Promise<readonly [ReadGoal, ...ReadGoal[]]> {
  const known = readKnown({ intent, assets })
  const constraints = readConstraints(intent, stated)
  const hasLocalFile = namesLocalFile(intent) && !known.has('URL')
  const isSupplied = assets.size > 0 || Object.keys(answers).length > 0
  const texts = splitGoals(intent)
  const whole = await candidatesFor(intent)
  const saidInAll = readValues(intent, today)
  const read = (text: string, at: number, own: GoalCandidates): ReadGoal => {
    const slots = text === intent ? known : readSlots(text)
    // The words of a goal that points back are about what an earlier step finds, and cannot be searched for.
    const borrowed = at > 0 && borrowsTopic(text) ? topicOf(intent, texts[0] ?? intent) : undefined
    const isBack = at > 0 && borrowed === undefined && refersBack(text)
    const namesNothing = [...slots.keys()].every((kind) => kind === 'subject')
    const named: IntentSlots = isBack && namesNothing ? new Map() : slots
    const namesSomething = [...named.keys()].some((kind) => kind !== 'subject')
    const about = (own.ranked[0]?.otherWords ?? []).filter((word) => !isAmount.test(word))
    const isSpecific = namesSomething || (about.length > 0 && !pointsElsewhere(text))
    const goal: Goal = {
      text,
      intent,
      known,
      answers,
      budgetCents,
      constraints,
      hasLocalFile,
      isBack,
      named,
      said: text === intent ? saidInAll : readValues(text, today),
      saidInAll,
      ...(borrowed !== undefined && { topic: borrowed }),
      isSpecific,
      unnamed: isSupplied ? 0 : readUnnamed(text),
    }
    return { at, goal, own, whole }
  }
  if (texts.length < 2) return [read(intent, 0, whole)]
  const goals: ReadGoal[] = []
  for (const [at, text] of texts.entries()) goals.push(read(text, at, await candidatesFor(text)))
  return goals as [ReadGoal, ...ReadGoal[]]
}

/** What the first goal is about, for one that borrows it. */
function topicOf(intent: string, first: string): string | undefined {
  const slots = readSlots(first)
  const named = slots.get('quotation') ?? slots.get('person') ?? slots.get('company')
  return named?.[0] ?? slots.get('subject')?.[0] ?? intent
}

/** Words that say how much, and nothing about what. */
const isAmount =
  /^(?:[\d.:x×]+\w{0,2}|seconds?|minutes?|hours?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|forty|fifty|sixty|hundred)$/i

/** What the intent and the manifest name. */
export const readKnown = ({ intent, assets }: Pick<ConsultRequest, 'intent' | 'assets'>) =>
  mergeSlots(assets, readSlots(intent))

function mergeSlots(assets: IntentSlots, named: IntentSlots): IntentSlots {
  const merged = new Map(named)
  for (const [kind, values] of assets)
    merged.set(kind, [...new Set([...values, ...(merged.get(kind) ?? [])])])
  return merged
}

export function askFor({ action, parameter, description }: MissingValue): string {
  if (parameter === assetsParameter) return description
  if (parameter === 'budget_cents')
    return `${description} How many cents may they cost? Send the number as answers.budget_cents.`
  const about = description === '' ? '' : ` (${description.replace(/\.$/, '')})`
  return `What should ${action} use as ${parameter}${about}? Send it as answers.${parameter}.`
}

/** `runPlan`: the action that takes the calls as a plan, if they can be one. */
export function tellCalls(count: number, runPlan: string | undefined): string {
  const calls = count === 1 ? 'this call' : `these ${count} calls in their order`
  if (runPlan !== undefined) return `Make ${calls}, or send plan to ${runPlan}.`
  if (count === 1) return `Make ${calls}.`
  return `Make ${calls}. Replace references by values of the earlier answers.`
}
