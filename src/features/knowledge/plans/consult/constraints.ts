// How soon an answer is needed, and how sure it must be: from the manifest, or in the words of the intent.
import type { Action } from '#core/action.ts'
import { type Catalog, type CatalogEntry, defaultTimeoutMs, splitId } from '#core/catalog.ts'
import type { Planned } from './goal.ts'

/**
 * `fast`: prefers calls that answer at once. `verified`: checks the contacts that it finds, and reads the pages that a
 * search finds.
 */
export const qualities = ['fast', 'standard', 'verified'] as const
export type Quality = (typeof qualities)[number]

export interface AnswerConstraints {
  readonly deadlineSeconds?: number | undefined
  readonly quality?: Quality | undefined
}

/** With a shorter deadline, a search asks two indexes at once and takes the first answer. */
const raceSecondsMax = 120

const hasty = /\basap\b|\bas (?:fast|quickly) as possible\b|\btime[- ]critical\b/i
const sure =
  /\bverified (?:e-?mails?|addresses|contacts?|only|sources)\b|\bonly verified\b|\bprimary sources?\b/i

/** It matches `within 10 seconds`, but not the distance in `within 10 minutes of the station`. */
const within =
  /\b(?:within|in under|in less than|in at most)\s+(\d{1,4})\s*(?:(s|secs?|seconds?)|m|mins?|minutes?)\b(?!\s+(?:of|from|walk|drive|by)\b)/i

/** What the manifest leaves open is read in the intent. */
export function readConstraints(intent: string, stated: AnswerConstraints): AnswerConstraints {
  const worded = hasty.test(intent) ? 'fast' : sure.test(intent) ? 'verified' : undefined
  return {
    deadlineSeconds: stated.deadlineSeconds ?? readDeadlineSeconds(intent),
    quality: stated.quality ?? worded,
  }
}

function readDeadlineSeconds(intent: string): number | undefined {
  const [, count, seconds] = within.exec(intent) ?? []
  return count === undefined ? undefined : Number(count) * (seconds === undefined ? 60 : 1)
}

export const isRace = ({ deadlineSeconds, quality }: AnswerConstraints): boolean =>
  quality === 'fast' || (deadlineSeconds !== undefined && deadlineSeconds <= raceSecondsMax)

/**
 * The steps whose work may last longer than the caller can wait. Calls that answer at once are taken to do so in time.
 */
export function lateSteps(
  catalog: Catalog,
  { steps }: Pick<Planned, 'steps'>,
  { deadlineSeconds, quality }: AnswerConstraints,
): readonly CatalogEntry[] {
  const waitSeconds = deadlineSeconds ?? (quality === 'fast' ? 0 : Number.POSITIVE_INFINITY)
  return steps
    .flatMap(({ action }) => catalog.find(...splitId(action)) ?? [])
    .filter(({ action }) => secondsOfWork(action) > waitSeconds)
}

/** The most, where work goes on after the first answer: a vendor does not say how long its own work lasts. */
function secondsOfWork({ mode, accepted, timeoutMs = defaultTimeoutMs }: Action): number {
  if (accepted) return Number.POSITIVE_INFINITY
  return mode === 'job' ? timeoutMs / 1_000 : 0
}

/** Says which of them may miss the deadline. */
export function nameLateSteps(
  catalog: Catalog,
  planned: Planned,
  constraints: AnswerConstraints,
): Planned {
  const { deadlineSeconds } = constraints
  if (deadlineSeconds === undefined) return planned
  const late = lateSteps(catalog, planned, constraints).map(({ id, action }) => {
    const most = secondsOfWork(action)
    const time = Number.isFinite(most) ? `up to ${most} seconds` : 'as long as its vendor needs'
    return `${id} works for ${time}, so the deadline of ${deadlineSeconds} seconds may be missed.`
  })
  return { ...planned, assumptions: [...planned.assumptions, ...new Set(late)] }
}
