// One rung tried on one page: the reply is read and judged. Any error makes it a failed attempt.

import { judgePage, type ReadContent, type Verdict } from '@tollway/reader'
import type { Hop } from '#core/action.ts'
import { CallError } from '#core/errors.ts'
import type { Clock, Log } from '#core/ports.ts'
import { addressForLog } from '#core/web-address.ts'
import { abortable } from '#platform/egress/abortable.ts'
import type { PageWorkers } from '../pages/page-workers.ts'
import { readReply } from '../pages/reply.ts'
import type { ClimbRequest } from './ladder.ts'
import type { Rung, RungReply } from './rungs.ts'
import {
  type Trouble,
  troubleOfFailure,
  troubleOfFile,
  troubleOfSelectors,
  troubleOfTime,
  troubleOfVerdict,
} from './trouble.ts'

export interface AttemptParts {
  readonly workers: PageWorkers
  readonly clock: Clock
  readonly log: Log
}

export type ReadPage = Omit<ReadContent, 'survey'>

export interface Attempt {
  readonly hop: Hop
  readonly outcome?: { reply: RungReply; page: ReadPage; verdict: Verdict }
  /** Absent where the page was read. */
  readonly trouble?: Trouble
}

/** Throws CallError where the page is of a kind that ends the call. */
export async function attemptRung(
  rung: Rung,
  url: string,
  request: ClimbRequest,
  { workers, clock, log }: AttemptParts,
): Promise<Attempt> {
  const startedAt = clock.now()
  const hop = (ok: boolean): Hop => ({
    provider: rung.provider,
    action: rung.action,
    ok,
    charged_cents: 0,
    latency_ms: Math.round(clock.now() - startedAt),
  })
  try {
    const reply = await abortable(rung.read({ ...request, url }), request.signal)
    // The reply of a vendor is in memory already.
    await request.hold?.(reply.body.length)
    // Browsers and vendors follow redirects by themselves.
    if (reply.finalUrl !== url) await request.admitRedirect?.(reply.finalUrl)
    if (reply.kind === 'other') return { hop: hop(false), trouble: troubleOfFile(url, reply) }
    const asker = { owner: request.caller.accountId, signal: request.signal }
    const read = await abortable(readReply(reply, request, workers, asker), request.signal)
    const { survey, ...page } = read
    const verdict = judgePage({ ...reply, html: reply.body, survey })
    log.debug({ url: addressForLog(url), rung: rung.provider, verdict }, 'A page was judged.')
    // The scripts of the page may add the elements, so a browser is tried next.
    if (verdict.read && page.content === '' && request.include?.length)
      return { hop: hop(false), trouble: troubleOfSelectors(url) }
    const outcome = { reply, page, verdict }
    return verdict.read
      ? { hop: hop(true), outcome }
      : { hop: hop(false), outcome, trouble: troubleOfVerdict(url, reply, verdict) }
  } catch (thrown) {
    if (thrown instanceof CallError) throw thrown
    log.debug({ url: addressForLog(url), rung: rung.provider, err: thrown }, 'A rung gave no page.')
    const trouble = request.signal.aborted ? troubleOfTime(url) : troubleOfFailure(url, thrown)
    return { hop: hop(false), trouble }
  }
}
