// Limits the load on each site: few requests at once, with a pause between their starts. The parties that ask the same
// host take turns.
import { fail } from '#core/errors.ts'
import type { Clock } from '#core/ports.ts'
import { crawlDelayMsMax } from './robots.ts'
import { createTurns } from './turns.ts'

export interface PoliteRequest {
  readonly host: string
  /** The job that asks. All requests of a job share one turn. */
  readonly party: object
  /** The pause that the site requests. */
  readonly delayMs?: number | undefined
  readonly signal?: AbortSignal | undefined
}

export interface Politeness {
  /** Runs the task on its turn. Throws CallError `rate_limited` when too many wait, or the signal's reason. */
  run<Result>(request: PoliteRequest, task: () => Promise<Result>): Promise<Result>
  /** The number of hosts in memory. */
  readonly hosts: number
}

const atOnceMaxDefault = 2
const delayMsDefault = 200
const waitingMaxDefault = 500
/** Above this number, hosts at rest are forgotten. */
const hostsAtRestMax = 1_000

interface Waiter {
  readonly delayMs: number
  readonly enter: () => void
}

/** The requests of one host. */
interface HostLine {
  readonly waiting: number
  /** Resolves on the request's turn, or rejects with the reason of its signal. */
  enter(request: PoliteRequest): Promise<void>
  /** Ends a request that has entered. */
  leave(): void
  isAtRest(): boolean
}

interface LineOptions {
  readonly clock: Clock
  readonly atOnceMax?: number
  readonly delayMs?: number
}

export function createPoliteness(
  options: LineOptions & {
    /** Requests of one host that may wait at once. */
    readonly waitingMax?: number
  },
): Politeness {
  const { waitingMax = waitingMaxDefault } = options
  const hosts = new Map<string, HostLine>()

  function lineOf(name: string): HostLine {
    const known = hosts.get(name)
    if (known !== undefined) return known
    if (hosts.size >= hostsAtRestMax) forget()
    const line = createHostLine(options)
    hosts.set(name, line)
    return line
  }

  function forget(): void {
    for (const [name, line] of hosts) if (line.isAtRest()) hosts.delete(name)
  }

  return {
    async run(request, task) {
      request.signal?.throwIfAborted()
      const line = lineOf(request.host)
      if (line.waiting >= waitingMax)
        throw fail('rate_limited', {
          message: `Too many pages of ${request.host} are waiting to be read. Try again in a minute.`,
          retryAfterSeconds: 60,
        })
      await line.enter(request)
      try {
        return await task()
      } finally {
        line.leave()
      }
    },
    get hosts() {
      return hosts.size
    },
  }
}

function createHostLine({
  clock,
  atOnceMax = atOnceMaxDefault,
  delayMs: usualDelayMs = delayMsDefault,
}: LineOptions): HostLine {
  const turns = createTurns<Waiter>()
  let running = 0
  let nextAtMs = 0
  /** Set while a timer runs. */
  let alarm: AbortController | undefined

  /** Admits the requests that may start now, and sets a timer for the next one. */
  function admit(): void {
    while (turns.size > 0 && running < atOnceMax) {
      const nowMs = clock.now()
      // After the clock was set back, requests would otherwise wait until it has caught up.
      nextAtMs = Math.min(nextAtMs, nowMs + crawlDelayMsMax)
      if (nextAtMs > nowMs) {
        wakeIn(nextAtMs - nowMs)
        return
      }
      const waiter = turns.next()
      if (waiter === undefined) break
      running += 1
      nextAtMs = nowMs + waiter.delayMs
      waiter.enter()
    }
    alarm?.abort()
  }

  function wakeIn(pauseMs: number): void {
    if (alarm !== undefined) return
    alarm = new AbortController()
    const over = () => {
      alarm = undefined
      admit()
    }
    clock.sleep(pauseMs, alarm.signal).then(over, over)
  }

  return {
    get waiting() {
      return turns.size
    },
    enter: ({ party, delayMs = usualDelayMs, signal }) =>
      new Promise((resolve, reject) => {
        const giveUp = () => {
          turns.remove(party, waiter)
          reject(signal?.reason)
          admit()
        }
        const waiter: Waiter = {
          delayMs: Math.min(Math.max(delayMs, 0), crawlDelayMsMax),
          enter() {
            signal?.removeEventListener('abort', giveUp)
            resolve()
          },
        }
        signal?.addEventListener('abort', giveUp, { once: true })
        turns.add(party, waiter)
        admit()
      }),
    leave() {
      running -= 1
      admit()
    },
    isAtRest: () => running === 0 && turns.size === 0 && nextAtMs <= clock.now(),
  }
}
