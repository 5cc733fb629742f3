// One facet's way through its sources: step by step until one has found something, within a share of the price and a
// deadline for each source. A source that fails costs nothing, and the lane goes on without it.
import type { RunContext } from '#core/action.ts'
import { CallError, toCallError } from '#core/errors.ts'
import type { Clock } from '#core/ports.ts'
import { DeadlineError, withDeadline } from '#platform/deadline.ts'
import type { CircuitBreaker } from '#platform/http/circuit-breaker.ts'
import type { EvidenceList, SourceResult } from '../evidence.ts'
import type { SearchedFacet } from '../facets.ts'
import { ladderOf } from '../sources/ladders.ts'
import type { SearchQuestion, SearchSource } from '../sources/source.ts'
import { keepFindings } from './findings.ts'
import { createPaidCall, type PriceOf } from './paid-call.ts'
import { OverShareError, type Purse } from './purse.ts'
import { type AnswerReceipt, keepAnswers, type Receipts } from './receipts.ts'

/** The reason of a source that has no provider here. */
export const notAvailable = 'not available on this gateway'
/** The reason of a source whose circuit is open. */
export const paused = 'it has failed several times in a row and is not asked for a while'

/** What came of one source. */
export interface Asked {
  readonly facet: string
  /** `service/action`. */
  readonly source: string
  readonly outcome: 'found' | 'empty' | 'failed' | 'not_asked'
  readonly found: number
  /** Why there is nothing. */
  readonly reason?: string
  readonly latency_ms: number
}

export interface LaneResult {
  readonly lists: readonly EvidenceList[]
  readonly asked: readonly Asked[]
}

export interface SearchLane {
  readonly facet: SearchedFacet
  readonly confidence: number
  readonly purse: Purse
}

export interface LaneDependencies {
  readonly clock: Clock
  readonly priceOf: PriceOf
  /** Of sources, by their names. */
  readonly breaker: CircuitBreaker
  /** The caller's own indexes. */
  readonly own: SearchSource
}

export type LaneContext = Pick<RunContext<unknown>, 'call' | 'available' | 'signal'>

const sourceDeadlineMs = 8_000
const raceDeadlineMs = 4_000
/** How long the faster index waits for the slower one, since two lists are better than one. */
const raceGraceMs = 250

interface Climb extends LaneDependencies {
  readonly lane: SearchLane
  readonly question: SearchQuestion
  readonly context: LaneContext
  readonly receipts: Receipts
}

type Answer = { readonly asked: Asked; readonly list?: EvidenceList }

export async function climb(
  lane: SearchLane,
  question: SearchQuestion,
  options: {
    readonly timeCritical: boolean
    readonly context: LaneContext
    readonly receipts: Receipts
  },
  dependencies: LaneDependencies,
): Promise<LaneResult> {
  const { context, receipts } = options
  const climbing = { ...dependencies, lane, question, context, receipts }
  const { steps, race } = ladderOf(lane.facet, {
    platform: question.platform,
    own: dependencies.own,
    available: (id) => context.available(id),
  })
  const answers: Answer[] = []
  const raced = options.timeCritical ? race : undefined
  if (raced !== undefined) answers.push(...(await runRace(raced, climbing)))
  for (const step of steps) {
    if (answers.some(({ list }) => list !== undefined)) break
    const left = step.filter((source) => !raced?.includes(source))
    const signal = context.signal
    answers.push(
      ...(await Promise.all(left.map((each) => ask(each, climbing, sourceDeadlineMs, signal)))),
    )
  }
  return {
    lists: answers.flatMap(({ list }) => list ?? []),
    asked: answers.map(({ asked }) => asked),
  }
}

/** Whether no source of a facet can be asked this question. */
export function isIdle(
  facet: SearchedFacet,
  question: SearchQuestion,
  { own, available }: Pick<LaneDependencies, 'own'> & Pick<LaneContext, 'available'>,
): boolean {
  const { steps } = ladderOf(facet, { platform: question.platform, own, available })
  return steps.flat().every(({ id, unfit }) => !available(id) || unfit?.(question) !== undefined)
}

/** Ends shortly after the first source that has found something, or with the last one. */
async function runRace(sources: readonly SearchSource[], climbing: Climb): Promise<Answer[]> {
  const { clock, context } = climbing
  const over = new AbortController()
  const signal = AbortSignal.any([context.signal, over.signal])
  const finish = async () => {
    await clock.sleep(raceGraceMs, signal).catch(() => {})
    over.abort()
  }
  try {
    return await Promise.all(
      sources.map(async (source) => {
        const answer = await ask(source, climbing, raceDeadlineMs, signal)
        if (answer.list !== undefined) void finish()
        return answer
      }),
    )
  } finally {
    over.abort()
  }
}

async function ask(
  source: SearchSource,
  climbing: Climb,
  deadlineMs: number,
  outer: AbortSignal,
): Promise<Answer> {
  const { lane, question, context, receipts, clock, breaker } = climbing
  const { facet, confidence } = lane
  const about = { facet, source: source.id }
  const notAsked = (reason: string): Answer => ({
    asked: { ...about, outcome: 'not_asked', found: 0, reason, latency_ms: 0 },
  })
  if (!context.available(source.id)) return notAsked(notAvailable)
  const unfit = source.unfit?.(question)
  if (unfit !== undefined) return notAsked(unfit)
  try {
    await breaker.enter(source.id)
  } catch {
    return notAsked(paused)
  }
  const startedAt = clock.now()
  const timed = (rest: Omit<Asked, 'facet' | 'source' | 'latency_ms'>): Asked => ({
    ...about,
    ...rest,
    latency_ms: Math.round(clock.now() - startedAt),
  })
  try {
    const { results, last } = await withDeadline(
      { timeoutMs: deadlineMs, outer, clock },
      async (signal) => {
        const paid = createPaidCall(context, { ...climbing, purse: lane.purse, signal })
        const { call, last } = keepAnswers(paid, receipts)
        return { results: await source.search(question, call), last: last() }
      },
    )
    await breaker.leave(source.id, 'alive')
    const findings = keepFindings(results, question, source)
    if (findings.length === 0) return { asked: timed({ outcome: 'empty', found: 0 }) }
    return {
      asked: timed({ outcome: 'found', found: findings.length }),
      list: { ...about, confidence, findings: findings.map((each) => cite(each, last, receipts)) },
    }
  } catch (thrown) {
    context.signal.throwIfAborted()
    await breaker.leave(source.id, healthOf(thrown, outer))
    if (thrown instanceof OverShareError)
      return notAsked('the price of the search does not cover it')
    if (isMissing(thrown)) return { asked: timed({ outcome: 'empty', found: 0 }) }
    return { asked: timed({ outcome: 'failed', found: 0, reason: reasonOf(thrown, outer) }) }
  }
}

/** With the receipts of the answers that say it. */
function cite(
  { answers, ...finding }: SourceResult,
  last: object | undefined,
  receipts: Receipts,
): SourceResult {
  const said = answers ?? (last === undefined ? [] : [last])
  const found = said.map((each) => receipts.find(each))
  return { ...finding, receipts: found.filter((each): each is AnswerReceipt => each !== undefined) }
}

function healthOf(thrown: unknown, outer: AbortSignal): 'alive' | 'down' | 'unknown' {
  if (thrown instanceof OverShareError || outer.aborted) return 'unknown'
  if (!(thrown instanceof CallError)) return 'down'
  return thrown.code === 'upstream_error' ? 'down' : 'alive'
}

/** What was asked for does not exist, which is an answer. */
export const isMissing = (thrown: unknown): boolean =>
  thrown instanceof CallError && thrown.code === 'not_found'

function reasonOf(thrown: unknown, outer: AbortSignal): string {
  if (thrown instanceof DeadlineError) return 'it did not answer in time'
  if (outer.aborted) return 'the other index was faster'
  return toCallError(thrown).code
}
