// Climbs from the cheapest way of reading a page to dearer ones until one of them brings the page back. A wall or an
// empty shell is not a read, whatever its status; a rung that fails is a hop that failed, and the next one is tried.
import type { Hop } from '#core/action.ts'
import { abortable } from '#platform/egress/abortable.ts'
import { type AttemptParts, attemptRung } from './attempt.ts'
import type { ReadContent } from './reply.ts'
import type { Rung } from './rungs.ts'
import type { PageFormat } from './shape.ts'
import type { QualityFlag } from './yield.ts'

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

export interface LadderParts extends AttemptParts {
  readonly rungs: readonly Rung[]
  readonly deadlineMs?: number
}

export function createLadder(parts: LadderParts): Ladder {
  return {
    async read(request) {
      parts.workers.warm()
      const deadline = AbortSignal.timeout(parts.deadlineMs ?? deadlineMs)
      // The first CallError ends the call; the rows still under way are not worth finishing.
      const failed = new AbortController()
      const signal = AbortSignal.any([request.signal, deadline, failed.signal])
      const rows: LadderRow[] = []
      const waiting = request.urls.entries()
      const climbers = Array.from(
        { length: Math.min(urlsAtOnceMax, request.urls.length) },
        async () => {
          for (const [index, url] of waiting)
            rows[index] = await climb(url, { ...request, signal }, parts)
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
}

async function climb(url: string, request: LadderRequest, parts: LadderParts): Promise<LadderRow> {
  const hops: Hop[] = []
  const record = (hop: Hop) => {
    hops.push(hop)
    request.record(hop)
  }
  let row = unread(url, hops)
  let giveUp: string | undefined
  for (const rung of parts.rungs) {
    const skipped = giveUp ?? (await reasonToSkip(rung, request.signal))
    if (skipped !== undefined) {
      record(skippedHop(rung, skipped))
      continue
    }
    const attempt = await attemptRung(rung, url, request, parts)
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

async function reasonToSkip(rung: Rung, signal: AbortSignal): Promise<string | undefined> {
  try {
    const availability = await abortable(Promise.resolve(rung.availability()), signal)
    return availability.ok ? undefined : availability.reason
  } catch (thrown) {
    return signal.aborted ? 'deadline' : `unavailable: ${(thrown as Error).message}`
  }
}

function skippedHop({ provider, action }: Rung, skipped: string): Hop {
  return { provider, action, ok: false, charged_cents: 0, latency_ms: 0, skipped }
}

function unread(url: string, hops: readonly Hop[]): LadderRow {
  const nothing = { finalUrl: null, page: null, provider: null, yield: 0, flags: [], trouble: null }
  return { url, ...nothing, hops }
}
