// The robots.txt of each origin, fetched once a day for all callers.
import type { Clock, Log } from '#core/ports.ts'
import { abortable } from '#platform/egress/abortable.ts'
import { acceptEncoding } from '#platform/egress/body.ts'
import { FetchFailure } from '#platform/egress/failure.ts'
import type { EgressFetcher, EgressReply } from '#platform/egress/fetcher.ts'
import { allowAll, disallowAll, parseRobots, type Robots } from './robots.ts'

export interface RobotsCache {
  /** The rules for the origin of this URL. No answer forbids everything. Throws only the reason of the signal. */
  rulesFor(url: string, signal: AbortSignal): Promise<Robots>
}

/** Only the beginning of a longer file counts. RFC 9309 requires at least 500 KiB. */
export const robotsBytesMax = 512_000
const fetchTimeoutMs = 10_000
const lifeMs = 24 * 3_600_000
/** After a server error, which RFC 9309 treats as a refusal. */
const serverErrorLifeMs = 3_600_000
/** When the server could not be reached. That may pass sooner than a server error. */
const noAnswerLifeMs = 300_000
const originsMax = 1_000
const charactersMax = 20_000_000

interface Verdict {
  readonly robots: Robots
  readonly lifeMs: number
}

interface Entry {
  readonly robots: Promise<Robots>
  expiresAtMs: number
  size: number
}

export function createRobotsCache(options: {
  readonly fetcher: EgressFetcher
  readonly clock: Clock
  readonly log: Log
  /** Begins with the product token that a robots.txt names us by. */
  readonly userAgent: string
  readonly originsMax?: number
}): RobotsCache {
  const { fetcher, clock, log } = options
  /** Least recently used first. */
  const entries = new Map<string, Entry>()
  let characters = 0

  function drop(origin: string): void {
    characters -= entries.get(origin)?.size ?? 0
    entries.delete(origin)
  }

  function begin(origin: string): Entry {
    const asked = ask(origin)
    const robots = asked.then((verdict) => verdict.robots)
    const entry: Entry = { robots, expiresAtMs: Number.POSITIVE_INFINITY, size: 0 }
    void asked.then((verdict) => {
      entry.expiresAtMs = clock.now() + verdict.lifeMs
      if (entries.get(origin) !== entry) return
      entry.size = verdict.robots.size
      characters += entry.size
      makeRoom()
    })
    return entry
  }

  function makeRoom(): void {
    for (const origin of entries.keys()) {
      if (entries.size <= (options.originsMax ?? originsMax) && characters <= charactersMax) return
      drop(origin)
    }
  }

  async function ask(origin: string): Promise<Verdict> {
    try {
      const reply = await fetcher.fetch({
        url: `${origin}/robots.txt`,
        headers: { 'user-agent': options.userAgent, 'accept-encoding': acceptEncoding },
        bytesMax: robotsBytesMax,
        beyond: 'cut',
        timeoutMs: fetchTimeoutMs,
      })
      return verdictOfReply(reply)
    } catch (thrown) {
      log.debug({ origin, err: thrown }, 'A robots.txt could not be read.')
      return verdictOfFailure(thrown)
    }
  }

  return {
    async rulesFor(url, signal) {
      const { origin } = new URL(url)
      let entry = entries.get(origin)
      if (entry === undefined || entry.expiresAtMs <= clock.now()) {
        drop(origin)
        entry = begin(origin)
      } else entries.delete(origin)
      entries.set(origin, entry)
      makeRoom()
      return abortable(entry.robots, signal)
    },
  }
}

function verdictOfReply({ status, body }: Pick<EgressReply, 'status' | 'body'>): Verdict {
  if (status >= 500) return { robots: disallowAll, lifeMs: serverErrorLifeMs }
  if (status >= 300) return { robots: allowAll, lifeMs }
  return { robots: parseRobots(wholeLines(body)), lifeMs }
}

function verdictOfFailure(thrown: unknown): Verdict {
  // A file that redirects in circles counts as missing.
  if (thrown instanceof FetchFailure && thrown.reason === 'redirects')
    return { robots: allowAll, lifeMs }
  return { robots: disallowAll, lifeMs: noAnswerLifeMs }
}

/**
 * Removes a rule that was cut in the middle, since it forbids too much: `Disallow: /shut` may be cut to `Disallow: /`.
 */
function wholeLines(body: Buffer): string {
  const text = body.toString()
  return body.length < robotsBytesMax ? text : text.slice(0, text.search(/[\r\n][^\r\n]*$/) + 1)
}
