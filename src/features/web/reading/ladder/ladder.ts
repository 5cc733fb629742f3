// Climbs from the cheapest way of reading a page to dearer ones until one returns the page. A wall or an empty shell
// does not count as read, with any status. A rung that fails leaves a failed hop, and the next one is tried.

import type { QualityFlag, ReadOptions, Verdict } from '@tollway/reader'
import type { Hop } from '#core/action.ts'
import type { Caller } from '#core/caller.ts'
import { abortable } from '#platform/egress/abortable.ts'
import { errorMessageOf } from '#platform/thrown.ts'
import type { Picture } from '../browsers/picture.ts'
import type { PageRoom } from '../pages/page-room.ts'
import { type Attempt, type AttemptParts, attemptRung, type ReadPage } from './attempt.ts'
import type { Memory } from './memory.ts'
import type { FoundPage, PageCache } from './page-cache.ts'
import { callCents, type RungPrice, rungPrice } from './prices.ts'
import { type Calling, isDeep, type Rung } from './rungs.ts'
import { type Trouble, type TroubleCode, troubleOfTime } from './trouble.ts'
import { lackingSkill, skillsOf, type VisitWish } from './visit.ts'

/**
 * What may still be spent on rungs. A price is taken before its rung is tried, and given back unless the rung read the
 * page.
 */
export interface RungBudget {
  /** False when too little is left. */
  take(price: RungPrice): boolean
  keep(price: RungPrice): void
  giveBack(): void
}

export interface ClimbRequest extends Calling, ReadOptions {
  readonly visit?: VisitWish | undefined
  /** How old a page may be that was read for an earlier call. */
  readonly maxAgeSeconds?: number | undefined
  readonly signal: AbortSignal
  readonly record: (hop: Hop) => void
  /** Who pays. */
  readonly caller: Caller
  readonly hold?: ((bytes: number) => Promise<void>) | undefined
  /** By the clock: when the call ends. */
  readonly endsAt?: number | undefined
  readonly admitRedirect?: ((url: string) => Promise<void>) | undefined
  /** Allows the rungs of the deep tier, within its amount. */
  readonly budget?: RungBudget | undefined
  /**
   * The page is known to have a wall: the rungs of the deep tier are tried without a budget, and vendors only there.
   * Its own rungs cost nothing and are all tried, the plain request last.
   */
  readonly isHard?: boolean | undefined
}

export interface LadderRequest extends ClimbRequest {
  readonly urls: readonly string[]
  /** For all of them, which are read at the same time. */
  readonly timeoutMs?: number | undefined
}

export interface LadderRow {
  readonly url: string
  readonly finalUrl: string | null
  readonly page: ReadPage | null
  /** When the page was read, where it was read for an earlier call. */
  readonly keptSince: Date | null
  /** What the server of the page answered with. Null where no rung was answered. */
  readonly reply: { readonly status: number; readonly contentType: string | null } | null
  /** The picture, where one was asked for. */
  readonly picture: Picture | null
  /** The rung that read the page. */
  readonly provider: string | null
  readonly yield: number
  readonly flags: readonly QualityFlag[]
  readonly hops: readonly Hop[]
  /** Whether a rung of the deep tier was tried. */
  readonly hard: boolean
  /** The price of the rung that read the page. Null if none did. */
  readonly price: RungPrice | null
  /** The page is longer than what was read of it. */
  readonly truncated: boolean
  /** Why the page was not read. Null where it was. */
  readonly trouble: Trouble | null
}

export interface Ladder {
  /**
   * One row per URL, in the order given. Throws CallError when a URL does not lead to a web page, and `rate_limited`
   * when this machine holds as many pages as it can.
   */
  read(request: LadderRequest): Promise<readonly LadderRow[]>
  /** One row. Waits for a place as long as the signal allows. Throws as `read` does. */
  climb(url: string, request: ClimbRequest): Promise<LadderRow>
}

const urlsAtOnceMax = 5
const deadlineMs = 25_000
/** Some sites answer 404 only to clients that are not browsers, so rungs of two positions must receive it. */
const positionsOfNotFound = 2

export interface LadderParts extends AttemptParts {
  readonly rungs: readonly Rung[]
  readonly room: PageRoom
  readonly memory?: Memory | undefined
  readonly cache?: PageCache | undefined
  readonly deadlineMs?: number
}

export function createLadder(parts: LadderParts): Ladder {
  return {
    async climb(url, request) {
      const { signal, caller } = request
      const owner = caller.accountId
      const places = await parts.room.enter({ owner, pages: 1, signal, isPatient: true })
      try {
        return await readPage(url, { ...request, hold: places.hold }, parts)
      } finally {
        places.leave()
      }
    },
    async read(request) {
      parts.workers.warm()
      const pages = Math.min(urlsAtOnceMax, request.urls.length)
      const { signal: ended, caller } = request
      const places = await parts.room.enter({ owner: caller.accountId, pages, signal: ended })
      const timeoutMs = request.timeoutMs ?? parts.deadlineMs ?? deadlineMs
      const deadline = AbortSignal.timeout(timeoutMs)
      const endsAt = parts.clock.now() + timeoutMs
      // The first CallError ends the call; the rows still under way are not worth finishing.
      const failed = new AbortController()
      const signal = AbortSignal.any([request.signal, deadline, failed.signal])
      const rows: LadderRow[] = []
      const waiting = request.urls.entries()
      const climbers = Array.from({ length: pages }, async () => {
        for (const [index, url] of waiting)
          rows[index] = await readPage(
            url,
            { ...request, signal, endsAt, hold: places.hold },
            parts,
          )
      })
      try {
        await Promise.all(climbers)
      } catch (thrown) {
        failed.abort(thrown)
        throw thrown
      } finally {
        places.leave()
      }
      request.signal.throwIfAborted()
      return rows
    },
  }
}

/** A page of the cache if the caller accepts one, or else what the climb brings. */
async function readPage(
  url: string,
  request: ClimbRequest,
  parts: LadderParts,
): Promise<LadderRow> {
  const startedAt = parts.clock.now()
  const asked = { ...request, url }
  const kept = await parts.cache?.find(asked)
  const latency_ms = Math.round(parts.clock.now() - startedAt)
  const known = kept && (await takeKept(url, kept, request, latency_ms))
  if (known !== undefined) return known
  const row = await climb(url, request, parts)
  if (row.page !== null) parts.cache?.keep(asked, row)
  return row
}

/** It costs what the rung cost that read it. Undefined where it may not be returned. */
async function takeKept(
  url: string,
  { readAt, ...kept }: FoundPage,
  { budget, record, admitRedirect }: ClimbRequest,
  latency_ms: number,
): Promise<LadderRow | undefined> {
  const { price, finalUrl } = kept
  if (price === null || (finalUrl !== null && finalUrl !== url && !(await isAdmitted(finalUrl))))
    return undefined
  if (budget?.take(price) === false) return undefined
  budget?.keep(price)
  const charged_cents = budget === undefined ? 0 : callCents(price)
  const hop = { provider: 'cache', action: 'find', ok: true, charged_cents, latency_ms }
  record(hop)
  return { ...unread(url, [hop]), ...kept, keptSince: readAt }

  async function isAdmitted(target: string) {
    const admitted = admitRedirect?.(target) ?? Promise.resolve()
    return await admitted.then(
      () => true,
      () => false,
    )
  }
}

async function climb(url: string, request: ClimbRequest, parts: LadderParts): Promise<LadderRow> {
  const { budget } = request
  const hops: Hop[] = []
  const record = (hop: Hop, rung: Rung) => {
    hops.push(hop)
    if (hop.skipped !== undefined || !rung.recordedByRunner) request.record(hop)
  }
  let row = unread(url, hops)
  let giveUp: TroubleCode | undefined
  let attempts = 0
  const notFoundAt = new Set<Rung['position']>()
  const visit = { host: new URL(url).host, accountId: request.caller.accountId }
  const tier = rungsFor(request, parts)
  const plan = (await parts.memory?.plan(visit, tier)) ?? { rungs: tier, hopeless: new Set() }
  for (const rung of plan.rungs) {
    if (plan.hopeless.has(rung)) {
      record(skippedHop(rung, 'memory'), rung)
      continue
    }
    const isOurs = rung.recordedByRunner !== true
    const skipped = giveUp ?? (await reasonToSkip(rung, request)) ?? pay(rung, budget)
    if (skipped !== undefined) {
      record(skippedHop(rung, skipped), rung)
      continue
    }
    attempts += 1
    const attempt = await attemptRung(rung, url, request, parts).catch((thrown) => {
      budget?.giveBack()
      throw thrown
    })
    const read = attempt.outcome?.verdict.read === true
    // Our own rungs cost nothing if the call has one price for all its pages.
    const isPriced = budget !== undefined || !isOurs
    const price = rungPrice(rung)
    if (read) budget?.keep(price)
    else budget?.giveBack()
    const charged_cents = read && isPriced ? callCents(price) : 0
    record({ ...attempt.hop, charged_cents }, rung)
    row = afterAttempt(row, rung, attempt)
    giveUp = attempt.trouble?.isFinal ? attempt.trouble.code : undefined
    if (attempt.outcome === undefined) continue
    const { reply, verdict } = attempt.outcome
    if (isMissing(reply.status, verdict)) notFoundAt.add(rung.position)
    // A page that is missing or empty says nothing about the rung.
    const learnt = verdict.read ? 'read' : verdict.flags.includes('blocked') ? 'blocked' : undefined
    if (learnt !== undefined) parts.memory?.learn(visit, rung, learnt)
    if (notFoundAt.size >= positionsOfNotFound) {
      giveUp = 'not_found'
    }
    row = afterAnswer(row, attempt.outcome)
    if (verdict.read) return readRow(row, rung, attempt.outcome)
  }
  // Memory must not keep the ladder from trying at all.
  const isForgetful = attempts === 0 && plan.hopeless.size > 0 && giveUp === undefined
  if (isForgetful) return await climb(url, request, { ...parts, memory: undefined })
  return { ...row, trouble: row.trouble ?? troubleOfTime(url) }
}

function afterAttempt(row: LadderRow, rung: Rung, attempt: Attempt): LadderRow {
  const { outcome, trouble } = attempt
  // An answer of the site explains more than a rung that got none, and the first failure more than the next.
  const isAnswer = outcome !== undefined || trouble?.isFinal === true
  const explains = isAnswer || row.trouble === null
  const explained = explains && trouble !== undefined ? trouble : row.trouble
  return { ...row, hard: row.hard || isDeep(rung), trouble: explained }
}

/** The rungs of the tier that the visit has a use for. */
function rungsFor({ budget, isHard, visit }: ClimbRequest, { rungs }: LadderParts) {
  const skills = skillsOf(visit)
  const tier = rungs.filter(
    (rung) =>
      (isDeep(rung)
        ? budget !== undefined || isHard === true
        : isHard !== true || rung.recordedByRunner !== true) &&
      (rung.onlyFor === undefined || skills.includes(rung.onlyFor)),
  )
  if (isHard !== true) return tier
  // A plain request does not pass a known wall. It stays as the last resort where nothing else is set up.
  const isPlain = ({ position }: Rung) => position === 1
  return [...tier.filter((rung) => !isPlain(rung)), ...tier.filter(isPlain)]
}

function readRow(
  row: LadderRow,
  rung: Rung,
  { reply, page, verdict }: NonNullable<Attempt['outcome']>,
): LadderRow {
  return {
    ...row,
    page,
    provider: rung.provider,
    yield: verdict.yield,
    price: rungPrice(rung),
    truncated: reply.truncated !== undefined,
    picture: reply.picture ?? null,
    trouble: null,
  }
}

function afterAnswer(
  row: LadderRow,
  { reply, verdict }: NonNullable<Attempt['outcome']>,
): LadderRow {
  return {
    ...row,
    flags: verdict.flags,
    yield: Math.max(row.yield, verdict.yield),
    finalUrl: reply.finalUrl,
    reply: { status: reply.status, contentType: reply.headers['content-type'] ?? null },
  }
}

/** A wall may have any status. */
function isMissing(status: number, { kind, read, flags }: Verdict): boolean {
  const isSaid = status === 404 || status === 410 || (status < 400 && kind === 'not_found')
  return isSaid && !read && !flags.includes('blocked')
}

function pay(rung: Rung, budget: RungBudget | undefined): string | undefined {
  return budget === undefined || budget.take(rungPrice(rung)) ? undefined : 'budget'
}

async function reasonToSkip(rung: Rung, request: ClimbRequest): Promise<string | undefined> {
  const { signal, visit } = request
  const lacking = lackingSkill(visit, rung.skills)
  if (lacking !== undefined) return lacking
  try {
    const availability = await abortable(Promise.resolve(rung.availability(request)), signal)
    return availability.ok ? undefined : availability.reason
  } catch (thrown) {
    return signal.aborted ? 'deadline' : `unavailable: ${errorMessageOf(thrown)}`
  }
}

function skippedHop({ provider, action }: Rung, skipped: string): Hop {
  return { provider, action, ok: false, charged_cents: 0, latency_ms: 0, skipped }
}

function unread(url: string, hops: readonly Hop[]): LadderRow {
  const nothing = {
    finalUrl: null,
    page: null,
    reply: null,
    provider: null,
    yield: 0,
    flags: [],
    truncated: false,
    trouble: null,
    keptSince: null,
    picture: null,
  }
  return { url, ...nothing, hops, hard: false, price: null }
}
