// How often one site is asked: few requests at once, with a pause between their starts, and when several parties want
// something of one host, each in its turn.
import { fail } from '#core/errors.ts'
import type { Clock } from '#core/ports.ts'
import { crawlDelayMsMax } from './robots.ts'

export interface PoliteRequest {
  readonly host: string
  /** Who asks: the requests of one job are one party, however many they are. */
  readonly party: object
  /** The pause that the site asks for. */
  readonly delayMs?: number | undefined
  readonly signal?: AbortSignal | undefined
}

export interface Politeness {
  /** Runs the task when its turn has come. Throws CallError `rate_limited` when too many wait, or the signal's reason. */
  run<Result>(request: PoliteRequest, task: () => Promise<Result>): Promise<Result>
  /** How many hosts are remembered. */
  readonly hosts: number
}

const atOnceMaxDefault = 2
const delayMsDefault = 200
const waitingMaxDefault = 500
/** Hosts at rest are forgotten when there are more than this. */
const hostsAtRestMax = 1_000

interface Waiter {
  readonly delayMs: number
  readonly enter: () => void
}

interface Host {
  running: number
  waiting: number
  nextAtMs: number
  /** Those who wait, by party; the first party is the next. */
  readonly queues: Map<object, Waiter[]>
  /** Set while a timer runs for this host. */
  alarm: AbortController | undefined
}

export function createPoliteness(options: {
  readonly clock: Clock
  readonly atOnceMax?: number
  readonly delayMs?: number
  /** Requests of one host that may wait at once. */
  readonly waitingMax?: number
}): Politeness {
  const { clock, atOnceMax = atOnceMaxDefault, waitingMax = waitingMaxDefault } = options
  const hosts = new Map<string, Host>()

  function hostNamed(name: string): Host {
    const known = hosts.get(name)
    if (known !== undefined) return known
    if (hosts.size >= hostsAtRestMax) forget()
    const host: Host = {
      running: 0,
      waiting: 0,
      nextAtMs: 0,
      queues: new Map(),
      alarm: undefined,
    }
    hosts.set(name, host)
    return host
  }

  function forget(): void {
    const nowMs = clock.now()
    for (const [name, host] of hosts)
      if (host.running === 0 && host.waiting === 0 && host.nextAtMs <= nowMs) hosts.delete(name)
  }

  /** Admits the requests that may start now, and sets a timer for the next one. */
  function admit(host: Host): void {
    while (host.waiting > 0 && host.running < atOnceMax) {
      const nowMs = clock.now()
      // A clock that was set back would otherwise hold everyone until it has caught up.
      host.nextAtMs = Math.min(host.nextAtMs, nowMs + crawlDelayMsMax)
      if (host.nextAtMs > nowMs) {
        wake(host, host.nextAtMs - nowMs)
        return
      }
      const waiter = takeNext(host)
      host.running += 1
      host.nextAtMs = nowMs + waiter.delayMs
      waiter.enter()
    }
    host.alarm?.abort()
  }

  function wake(host: Host, pauseMs: number): void {
    if (host.alarm !== undefined) return
    const alarm = new AbortController()
    host.alarm = alarm
    const over = () => {
      host.alarm = undefined
      admit(host)
    }
    clock.sleep(pauseMs, alarm.signal).then(over, over)
  }

  function turn(host: Host, { party, delayMs, signal }: PoliteRequest): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        remove(host, party, waiter)
        reject(signal?.reason)
        admit(host)
      }
      const waiter: Waiter = {
        delayMs: Math.min(
          Math.max(delayMs ?? options.delayMs ?? delayMsDefault, 0),
          crawlDelayMsMax,
        ),
        enter() {
          signal?.removeEventListener('abort', leave)
          resolve()
        },
      }
      signal?.addEventListener('abort', leave, { once: true })
      host.queues.set(party, [...(host.queues.get(party) ?? []), waiter])
      host.waiting += 1
      admit(host)
    })
  }

  return {
    async run(request, task) {
      request.signal?.throwIfAborted()
      const host = hostNamed(request.host)
      if (host.waiting >= waitingMax)
        throw fail('rate_limited', {
          message: `Too many pages of ${request.host} are waiting to be read. Try again in a minute.`,
          retryAfterSeconds: 60,
        })
      await turn(host, request)
      try {
        return await task()
      } finally {
        host.running -= 1
        admit(host)
      }
    },
    get hosts() {
      return hosts.size
    },
  }
}

/** The first of the party whose turn it is; the party then stands at the end of the line. */
function takeNext(host: Host): Waiter {
  for (const [party, queue] of host.queues) {
    const [waiter, ...rest] = queue
    host.queues.delete(party)
    if (waiter === undefined) continue
    if (rest.length > 0) host.queues.set(party, rest)
    host.waiting -= 1
    return waiter
  }
  throw new Error('No request waits for this host.')
}

function remove(host: Host, party: object, waiter: Waiter): void {
  const queue = host.queues.get(party) ?? []
  const rest = queue.filter((other) => other !== waiter)
  if (rest.length === 0) host.queues.delete(party)
  else host.queues.set(party, rest)
  host.waiting -= queue.length - rest.length
}
