// Climbs from the cheapest way of reading a page to dearer ones until one of them brings the page back. A wall or an
// empty shell is not a read, whatever its status; a rung that fails is a hop that failed, and the next one is tried.
import type { Hop } from '#core/action.ts'
import { CallError } from '#core/errors.ts'
import type { Clock, Log } from '#core/ports.ts'
import { FetchFailure } from '#platform/egress/failure.ts'
import { EgressRefusal } from '#platform/egress/guard.ts'
import type { PageWorkers } from './page-workers.ts'
import { type ReadContent, shapeReply } from './reply.ts'
import type { Rung, RungReply } from './rungs.ts'
import type { PageFormat } from './shape.ts'
import { judgePage, type QualityFlag, type Verdict } from './yield.ts'

export interface LadderRequest {
  readonly urls: readonly string[]
  readonly format: PageFormat
  readonly mainContent: boolean
  readonly signal: AbortSignal
  readonly record: (hop: Hop) => void
}

export interface LadderRow {
  readonly url: string
  readonly finalUrl: string | null
  readonly page: ReadContent | null
  /** The rung that read the page. */
  readonly provider: string | null
  readonly yield: number
  readonly flags: readonly QualityFlag[]
  readonly hops: readonly Hop[]
  /** Why there is no page, as far as it is known: a sentence for the caller. */
  readonly trouble: string | null
}

export interface Ladder {
  /** One row per URL, in the order given. Throws CallError when a URL turns out to be no web page at all. */
  read(request: LadderRequest): Promise<readonly LadderRow[]>
}

const urlsAtOnceMax = 5
const deadlineMs = 25_000

export function createLadder(options: {
  readonly rungs: readonly Rung[]
  readonly workers: PageWorkers
  readonly clock: Clock
  readonly log: Log
  readonly deadlineMs?: number
}): Ladder {
  return {
    async read(request) {
      options.workers.warm()
      const deadline = AbortSignal.timeout(options.deadlineMs ?? deadlineMs)
      // The first CallError ends the call; the rows still under way are not worth finishing.
      const failed = new AbortController()
      const signal = AbortSignal.any([request.signal, deadline, failed.signal])
      const rows: LadderRow[] = []
      const waiting = request.urls.entries()
      const climbers = Array.from(
        { length: Math.min(urlsAtOnceMax, request.urls.length) },
        async () => {
          for (const [index, url] of waiting) rows[index] = await climb(url, { ...request, signal })
        },
      )
      try {
        await Promise.all(climbers)
      } catch (thrown) {
        failed.abort(thrown)
        throw thrown
      }
      request.signal.throwIfAborted()
      return rows
    },
  }

  async function climb(url: string, request: LadderRequest): Promise<LadderRow> {
    const hops: Hop[] = []
    const record = (hop: Hop) => {
      hops.push(hop)
      request.record(hop)
    }
    let row = unread(url, hops)
    let giveUp: string | undefined
    for (const rung of options.rungs) {
      const skipped = giveUp ?? (await reasonToSkip(rung, request.signal))
      if (skipped !== undefined) {
        record(skippedHop(rung, skipped))
        continue
      }
      const attempt = await attemptRung(rung, url, request)
      record(attempt.hop)
      if (attempt.trouble !== undefined) row = { ...row, trouble: attempt.trouble }
      giveUp = attempt.giveUp
      if (attempt.outcome === undefined) continue
      const { reply, page, verdict } = attempt.outcome
      row = {
        ...row,
        flags: verdict.flags,
        yield: Math.max(row.yield, verdict.yield),
        finalUrl: reply.finalUrl,
      }
      if (verdict.read)
        return { ...row, page, provider: rung.provider, yield: verdict.yield, trouble: null }
    }
    return row
  }

  async function attemptRung(rung: Rung, url: string, request: LadderRequest): Promise<Attempt> {
    const startedAt = options.clock.now()
    const hop = (ok: boolean, chargedCents = 0): Hop => ({
      provider: rung.provider,
      action: rung.action,
      ok,
      charged_cents: chargedCents,
      latency_ms: Math.round(options.clock.now() - startedAt),
    })
    try {
      const reply = await rung.read({ ...request, url })
      if (reply.kind === 'other') {
        const trouble = `${url} is not a web page but ${reply.headers['content-type'] ?? 'some other file'}.`
        return { hop: hop(false, reply.chargedCents), trouble, giveUp: 'not_a_page' }
      }
      const page = await shapeReply(reply, request, options.workers)
      const verdict = judgePage({ ...reply, html: reply.body, survey: page.survey })
      options.log.debug({ url, rung: rung.provider, verdict }, 'A page was judged.')
      const trouble = verdict.read ? {} : { trouble: describeVerdict(url, reply, verdict) }
      return {
        hop: hop(verdict.read, reply.chargedCents),
        outcome: { reply, page, verdict },
        ...trouble,
      }
    } catch (thrown) {
      if (thrown instanceof CallError) throw thrown
      options.log.debug({ url, rung: rung.provider, err: thrown }, 'A rung gave no page.')
      return { hop: hop(false), ...describeFailure(thrown, url) }
    }
  }
}

interface Attempt {
  readonly hop: Hop
  readonly outcome?: { reply: RungReply; page: ReadContent; verdict: Verdict }
  readonly trouble?: string
  /** No other rung could do better; why. */
  readonly giveUp?: string
}

async function reasonToSkip(rung: Rung, signal: AbortSignal): Promise<string | undefined> {
  if (signal.aborted) return 'deadline'
  const availability = await rung.availability()
  if (!availability.ok) return availability.reason
  return signal.aborted ? 'deadline' : undefined
}

function skippedHop({ provider, action }: Rung, skipped: string): Hop {
  return { provider, action, ok: false, charged_cents: 0, latency_ms: 0, skipped }
}

function unread(url: string, hops: readonly Hop[]): LadderRow {
  const nothing = { finalUrl: null, page: null, provider: null, yield: 0, flags: [], trouble: null }
  return { url, ...nothing, hops }
}

function describeVerdict(url: string, { status }: RungReply, { flags }: Verdict): string {
  if (flags.includes('blocked')) return `${url} answered with a wall instead of the page.`
  if (status >= 400) return `${url} answered with status ${status}.`
  return `${url} answered with an empty page.`
}

function describeFailure(thrown: unknown, url: string): { trouble: string; giveUp?: string } {
  if (thrown instanceof EgressRefusal) return { trouble: thrown.message, giveUp: thrown.reason }
  if (thrown instanceof FetchFailure) return { trouble: thrown.message }
  return { trouble: `${url} could not be read in time.` }
}
