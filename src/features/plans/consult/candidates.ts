// The actions for a goal, best first: what discover says about its words, and whether they give what it asks for.
import type { CatalogEntry } from '#core/catalog.ts'
import { identifierPatterns } from '#core/identifier.ts'
import { fitOf, type OutcomeShares, outcomeOfAction, readOutcome } from './outcomes.ts'

/** An action that may answer a goal. */
export interface ActionCandidate {
  readonly entry: CatalogEntry
  readonly alternatives: readonly CatalogEntry[]
  readonly confidence: number
  /** Words of the goal that are not in the action's texts. */
  readonly otherWords: readonly string[]
  /** It does something elsewhere, rather than tell of it. */
  readonly acts?: boolean
}

/** The actions for a goal, best first. */
export type RankActions = (goal: string, limit: number) => Promise<readonly ActionCandidate[]>

export interface GoalCandidates {
  readonly asked: OutcomeShares
  readonly ranked: readonly ActionCandidate[]
}

const listedMax = 10
/** A goal of fewer words than this says what it wants by its identifiers. */
const plainWordsMin = 2
/** How much of its confidence an action keeps that gives something else than what is asked for. */
const otherOutcomeKeeps = 0.4
/** The same for an action that asks about an earlier call, if the goal names none. */
const pollerKeeps = 0.6

/** How much of what an action is asked for happens elsewhere, for one that acts. */
const actsFrom = 0.25

export function createCandidates(rank: RankActions) {
  const offered = new Map<string, OutcomeShares>()
  const offeredBy = ({ id, action }: CatalogEntry): OutcomeShares => {
    const known = offered.get(id) ?? outcomeOfAction(action)
    offered.set(id, known)
    return known
  }
  return async (goal: string): Promise<GoalCandidates> => {
    const asked = readOutcome(goal)
    const plain = withoutNames(goal)
    const whole = inOrder(await rank(goal, listedMax))
    const byWords = countWords(plain) < plainWordsMin ? [] : inOrder(await rank(plain, listedMax))
    const merged = byWords.length === 0 ? whole : merge(whole, byWords)
    const namesCall = namesAnEarlierCall(goal)
    const ranked = merged.map((one) => {
      const fit = fitOf(asked, offeredBy(one.entry))
      const isPoller = one.entry.action.owned !== undefined && !namesCall
      const keeps =
        (otherOutcomeKeeps + (1 - otherOutcomeKeeps) * fit) * (isPoller ? pollerKeeps : 1)
      const { action, service } = one.entry
      const isOrder = action.irrevocable === true || service.buys === true
      const acts = isOrder || offeredBy(one.entry).act >= actsFrom
      return { ...one, acts, confidence: one.confidence * keeps }
    })
    return {
      asked,
      ranked: ranked.toSorted((one, other) => other.confidence - one.confidence),
    }
  }
}

/** Discover's order says which action is the best one, and its confidence whether any is good. No action is surer than one before it. */
function inOrder(ranked: readonly ActionCandidate[]): ActionCandidate[] {
  let least = 1
  return ranked.map((one, place) => {
    least = Math.min(least, one.confidence)
    return { ...one, confidence: least * laterKeeps ** place }
  })
}

const laterKeeps = 0.98

/** The mean of both confidences: identifiers alone speak for many actions, and words alone for few. */
function merge(
  whole: readonly ActionCandidate[],
  byWords: readonly ActionCandidate[],
): ActionCandidate[] {
  const all = new Map(
    whole.map((one) => [one.entry.id, { ...one, confidence: one.confidence / 2 }]),
  )
  for (const one of byWords) {
    const known = all.get(one.entry.id)
    const confidence = (known?.confidence ?? 0) + one.confidence / 2
    all.set(one.entry.id, { ...(known ?? one), confidence })
  }
  return [...all.values()]
}

const quotations = /["“„«»`][^"“”„«»`]{2,300}["”“«»`]/gu
const telephones = /\+\d[\d\s()-]{6,20}\d/g

/** What a goal asks for, without what it is about. */
function withoutNames(goal: string): string {
  const patterns = [...Object.values(identifierPatterns), quotations, telephones]
  return patterns.reduce((text, { source, flags }) => {
    return text.replaceAll(new RegExp(source, `${flags.replace('g', '')}g`), ' ')
  }, goal)
}

/** Scripts without spaces have about a word for two signs. */
const countWords = (text: string) => (text.match(/[\p{L}\p{N}]{2,}/gu) ?? []).length

/** A made id such as `bs_71fe`, or an inbox. */
const namesAnEarlierCall = (goal: string) =>
  /\b[a-z]{1,8}_[\w-]{3,}\b|\b[0-9a-f]{8}-[0-9a-f]{4}-|[\w.+-]+@[\w-]+\.\w/i.test(goal)
