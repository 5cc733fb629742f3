// From an intent to a plan that has been checked, a question, or the honest answer that no action does it. Pure but for ranking.
import { type Catalog, splitId } from '#core/catalog.ts'
import type { ComposedFilm, ComposeFilm } from '#core/rooms/film-edit.ts'
import type { ActionCandidate, GoalCandidates } from './candidates.ts'
import type { DraftParts, Goal, MissingValue } from './draft.ts'
import { type FilmAsset, type FilmTarget, planFilm } from './film.ts'
import { splitGoals } from './goals.ts'
import { check, nothingPlanned, type Planned, planGoal } from './plan-goal.ts'
import {
  type IntentSlots,
  namesLocalFile,
  pointsElsewhere,
  readSlots,
  type SlotKind,
} from './slots.ts'

export interface ConsultRequest {
  readonly intent: string
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
  /** The action that answers questions of all kinds. */
  readonly searchAction: string
  readonly composeFilm: ComposeFilm
}

/** Discover itself leaves out what no action answers. */
const supportedFrom = 0.1
/** What shall happen elsewhere is seldom sold, and costs the most if it is taken for something else. `toldFrom`: for an action that only tells of such things. */
const act = { likelyFrom: 0.5, supportedFrom: 0.33, toldFrom: 0.6 } as const
/** A question that no action is good at is put to the search of all sources. */
const question = { likelyFrom: 0.5, actLikelyBelow: 0.35, answeredFrom: 0.3 } as const
/** A later goal is planned only if an action answers it with some certainty. */
const laterGoalFrom = 0.4
const nearestMax = 5

export async function propose(
  { candidatesFor, searchAction, composeFilm, ...parts }: ProposalParts,
  request: ConsultRequest,
): Promise<Proposal> {
  const { intent } = request
  const search = findCandidate(parts.catalog, searchAction)
  // What the goal only points at cannot be searched for.
  const searchFor = (text: string) => (pointsElsewhere(text) ? undefined : search)
  const goalOf = readGoals(request)
  const whole = await candidatesFor(intent)
  const nearest = whole.ranked.slice(0, nearestMax)
  const unsupported = (message = 'No action of this gateway does this.'): Proposal => ({
    ...{ mode: 'unsupported', message, nearest },
  })
  const film = proposeFilm({ ...parts, composeFilm }, request, whole)
  if (film !== undefined) return 'mode' in film ? film : { mode: 'converse', ...film, nearest }
  if (choose(whole, searchFor(intent)).length === 0 && whole.asked.act >= question.actLikelyBelow)
    return unsupported()
  const texts = splitGoals(intent)
  let planned = nothingPlanned
  let missing: MissingValue | undefined
  let reason: string | undefined
  for (const [at, text] of texts.entries()) {
    const isFirst = planned.steps.length === 0
    const own = texts.length === 1 ? whole : await candidatesFor(text)
    const listed = isFirst && at === texts.length - 1 && own.ranked.length === 0 ? whole : own
    const ranked = isFirst ? choose(listed, searchFor(text)) : listed.ranked
    if (confidenceOf(ranked) < (isFirst ? supportedFrom : laterGoalFrom)) {
      if (!isFirst) planned = assume(planned, `Left to you, as no action does it: ${text}`)
      continue
    }
    const goal = goalOf(text, ranked)
    const isQuestion = listed.asked.learn >= question.likelyFrom
    const tried = planGoal(parts, ranked, goal, planned, isQuestion ? searchFor(text) : undefined)
    if ('planned' in tried) planned = tried.planned
    else if (isFirst && tried.missing !== undefined) {
      missing = tried.missing
      break
    } else if (isFirst) reason ??= tried.reason
    else planned = assume(planned, `Left to you, as a value is not known yet: ${text}`)
  }
  if (planned.steps.length > 0) return { mode: 'call', ...planned }
  return missing === undefined ? unsupported(reason) : { mode: 'converse', missing, nearest }
}

const filmService = 'ns_assembler'
/** How likely an intent is to ask for something new before the assets of its manifest become a film. */
const filmLikelyFrom = 0.5

/** A film of the assets, if the manifest or the intent asks for one. */
function proposeFilm(
  { catalog, composeFilm }: Pick<ProposalParts, 'catalog' | 'composeFilm'>,
  { intent, film: { assets, wish }, ...request }: ConsultRequest,
  { asked, ranked }: GoalCandidates,
) {
  const [best] = ranked
  const isCut = asked.make >= filmLikelyFrom && best?.entry.id.startsWith(`${filmService}/`)
  if (wish === undefined && !isCut) return undefined
  const planned = planFilm(composeFilm, { intent, assets, wish: wish ?? {} })
  if (planned === undefined) return undefined
  const { steps, assumptions, film } = planned
  const tried = check(catalog, { steps, assumptions }, request.budgetCents)
  if ('planned' in tried) return { mode: 'call' as const, ...tried.planned, film }
  return tried.missing && { missing: tried.missing }
}

/** Reads a goal in the light of the whole request. */
function readGoals({ intent, assets, answers, budgetCents }: ConsultRequest) {
  const known = mergeSlots(assets, readSlots(intent))
  const hasLocalFile = namesLocalFile(intent) && !known.has('URL')
  return (text: string, [best]: readonly ActionCandidate[]): Goal => {
    const own = readSlots(text)
    const namesSomething = [...own.keys()].some((kind) => kind !== 'subject')
    const about = (best?.otherWords ?? []).filter((word) => !isAmount.test(word))
    const saysSomething = about.length > 0 && !pointsElsewhere(text)
    return {
      ...{ text, known, answers, budgetCents, hasLocalFile },
      named: text === intent ? known : own,
      isSpecific: namesSomething || saysSomething,
    }
  }
}

/** Words that say how much, and nothing about what. */
const isAmount =
  /^(?:[\d.:x×]+\w{0,2}|seconds?|minutes?|hours?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|forty|fifty|sixty|hundred)$/i

/** The actions that are worth trying. */
function choose(
  { asked, ranked }: GoalCandidates,
  search: ActionCandidate | undefined,
): readonly ActionCandidate[] {
  const best = confidenceOf(ranked)
  if (asked.act >= act.likelyFrom) {
    const enough = ranked[0]?.acts === true ? act.supportedFrom : act.toldFrom
    return best >= enough ? ranked : []
  }
  const isOpen = asked.learn >= question.likelyFrom && asked.act < question.actLikelyBelow
  if (isOpen && best < question.answeredFrom && search !== undefined) return [search, ...ranked]
  const isDoubtful = !isOpen && asked.act >= question.actLikelyBelow
  return best >= (isDoubtful ? question.answeredFrom : supportedFrom) ? ranked : []
}

function findCandidate(catalog: Catalog, id: string): ActionCandidate | undefined {
  const entry = catalog.find(...splitId(id))
  return entry && { entry, alternatives: [], confidence: 1, otherWords: [] }
}

const confidenceOf = ([best]: readonly ActionCandidate[]) => best?.confidence ?? 0

const assume = (planned: Planned, assumption: string): Planned => ({
  ...planned,
  assumptions: [...planned.assumptions, assumption],
})

function mergeSlots(assets: IntentSlots, named: IntentSlots): IntentSlots {
  const merged = new Map(named)
  for (const [kind, values] of assets)
    merged.set(kind, [...new Set([...values, ...(merged.get(kind) ?? [])])])
  return merged
}
