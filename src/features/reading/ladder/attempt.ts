// One rung tried on one page: the reply is read and judged. Any error makes it a failed attempt.

import { judgePage, type ReadContent, type Verdict } from '@tollway/reader'
import type { Hop } from '#core/action.ts'
import { CallError } from '#core/errors.ts'
import type { Clock, Log } from '#core/ports.ts'
import { abortable } from '#platform/egress/abortable.ts'
import { FetchFailure } from '#platform/egress/failure.ts'
import { EgressRefusal } from '#platform/egress/guard.ts'
import type { PageWorkers } from '../pages/page-workers.ts'
import { readReply } from '../pages/reply.ts'
import type { ClimbRequest } from './ladder.ts'
import type { Rung, RungReply } from './rungs.ts'

export interface AttemptParts {
  readonly workers: PageWorkers
  readonly clock: Clock
  readonly log: Log
}

export interface Attempt {
  readonly hop: Hop
  readonly outcome?: { reply: RungReply; page: ReadContent; verdict: Verdict }
  readonly trouble?: string
  /** No other rung could do better; why. */
  readonly giveUp?: string
  /** No other rung of this machine could do better; a vendor may make less of the page. */
  readonly isTooLarge?: boolean
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
    // What a vendor sent is there already.
    await request.hold?.(reply.body.length)
    // Browsers and vendors follow redirects by themselves.
    if (reply.finalUrl !== url) await request.admitRedirect?.(reply.finalUrl)
    if (reply.kind === 'other') {
      const trouble = `${url} is not a web page but ${reply.headers['content-type'] ?? 'some other file'}.`
      return { hop: hop(false), trouble, giveUp: 'not_a_page' }
    }
    const page = await abortable(readReply(reply, request, workers), request.signal)
    const verdict = judgePage({ ...reply, html: reply.body, survey: page.survey })
    log.debug({ url, rung: rung.provider, verdict }, 'A page was judged.')
    // The scripts of the page may add the elements, so a browser is tried next.
    if (verdict.read && page.content === '' && request.include?.length) {
      const trouble = `${url} has no element that fits include_selectors.`
      return { hop: hop(false), trouble }
    }
    const trouble = verdict.read ? {} : { trouble: describeVerdict(url, reply, verdict) }
    return {
      hop: hop(verdict.read),
      outcome: { reply, page, verdict },
      ...trouble,
    }
  } catch (thrown) {
    if (thrown instanceof CallError) throw thrown
    log.debug({ url, rung: rung.provider, err: thrown }, 'A rung gave no page.')
    const trouble = request.signal.aborted
      ? { trouble: `${url} could not be read in time.` }
      : describeFailure(thrown, url)
    return { hop: hop(false), ...trouble }
  }
}

function describeVerdict(url: string, { status }: RungReply, { flags }: Verdict): string {
  if (flags.includes('blocked')) return `${url} answered with a wall instead of the page.`
  if (status >= 400) return `${url} answered with status ${status}.`
  return `${url} answered with an empty page.`
}

function describeFailure(
  thrown: unknown,
  url: string,
): Pick<Attempt, 'giveUp' | 'isTooLarge'> & { trouble: string } {
  if (thrown instanceof EgressRefusal) return { trouble: thrown.message, giveUp: thrown.reason }
  if (thrown instanceof FetchFailure)
    return { trouble: thrown.message, isTooLarge: thrown.reason === 'too_large' }
  return { trouble: `${url} could not be read.` }
}
