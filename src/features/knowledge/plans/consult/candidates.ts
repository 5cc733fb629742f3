// The actions that may answer a goal, as discover ranks them: once for the goal as it is, and once without the names in
// it.
import type { CatalogEntry } from '#core/catalog.ts'
import { everywhere, identifierPatterns } from '#core/identifier.ts'
import type { Recalled } from './memory.ts'
import { type OutcomeShares, readOutcome } from './outcomes.ts'

/** What discover says about a goal. */
export interface RankedAction {
  readonly entry: CatalogEntry
  /** Actions that do much the same, best first. */
  readonly alternatives: readonly CatalogEntry[]
  readonly confidence: number
  /** Words of the goal that are in the action's texts, and those that are not. */
  readonly words: readonly string[]
  readonly otherWords: readonly string[]
}

export type RankActions = (goal: string, limit: number) => Promise<readonly RankedAction[]>

/** An action that may answer a goal. */
export interface ActionCandidate {
  readonly entry: CatalogEntry
  /**
   * Discover's confidence: for the goal as it is, for the goal without names, and the mean of both. 0: not among the
   * first.
   */
  readonly named: number
  readonly plain: number
  readonly confidence: number
  /** Its best place in either list, from 0. */
  readonly place: number
  /** It stands in the lists only as an alternative to another action. */
  readonly isAlternative: boolean
  /** The share of the goal's words that are in its texts. */
  readonly explained: number
  readonly otherWords: readonly string[]
}

export interface GoalCandidates {
  readonly asked: OutcomeShares
  /** Best first. */
  readonly ranked: readonly ActionCandidate[]
  /** What labelled intents say. */
  readonly recalled: Recalled
}

const listedMax = 10
/** A goal of fewer words than this says what it wants by its identifiers. */
const plainWordsMin = 2
/** What an alternative is behind the action that it stands in for, in confidence. */
const alternativeBehind = 0.05

export const createCandidates =
  ({
    rank,
    recall,
  }: {
    readonly rank: RankActions
    readonly recall: (intent: string) => Promise<Recalled>
  }) =>
  async (goal: string): Promise<GoalCandidates> => {
    const plain = withoutNames(goal)
    const byGoal = await rank(goal, listedMax)
    const byWords =
      countWords(plain) < plainWordsMin || plain === goal ? byGoal : await rank(plain, listedMax)
    return {
      asked: readOutcome(goal),
      recalled: await recall(goal),
      ranked: merge(byGoal, byWords),
    }
  }

/** Identifiers alone speak for many actions, and words alone for few. */
function merge(
  byGoal: readonly RankedAction[],
  byWords: readonly RankedAction[],
): readonly ActionCandidate[] {
  const all = new Map<string, ActionCandidate>()
  const add = (ranked: readonly RankedAction[], list: 'named' | 'plain') => {
    for (const [place, group] of ranked.entries()) {
      for (const entry of [group.entry, ...group.alternatives]) {
        const known = all.get(entry.id) ?? unranked(entry)
        const isAlternative = known.isAlternative && entry !== group.entry
        const explained = group.words.length / (group.words.length + group.otherWords.length || 1)
        all.set(entry.id, {
          ...known,
          [list]: Math.max(known[list], group.confidence),
          isAlternative,
          place: Math.min(known.place, place),
          explained: Math.max(known.explained, explained),
          otherWords: known.otherWords.length > 0 ? known.otherWords : group.otherWords,
        })
      }
    }
  }
  add(byGoal, 'named')
  add(byWords, 'plain')
  return [...all.values()]
    .map((one) => ({ ...one, confidence: (one.named + one.plain) / 2 }))
    .toSorted((one, other) => keyOf(other) - keyOf(one))
}

const keyOf = ({ confidence, isAlternative }: ActionCandidate) =>
  confidence - (isAlternative ? alternativeBehind : 0)

/** An action that discover has not named. */
export const unranked = (entry: CatalogEntry): ActionCandidate => ({
  entry,
  named: 0,
  plain: 0,
  confidence: 0,
  place: listedMax,
  isAlternative: true,
  explained: 0,
  otherWords: [],
})

const quotations = /["“„«»`][^"“”„«»`]{2,300}["”“«»`]/gu
const telephones = /\+\d[\d\s()-]{6,20}\d/g

/** What a goal asks for, without what it is about. */
function withoutNames(goal: string): string {
  const patterns = [...Object.values(identifierPatterns), quotations, telephones]
  return patterns.reduce((text, pattern) => text.replaceAll(everywhere(pattern), ' '), goal)
}

/** Scripts without spaces have about a word for two signs. */
const countWords = (text: string) => (text.match(/[\p{L}\p{N}]{2,}/gu) ?? []).length
