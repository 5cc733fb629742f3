// The browsers that run in this gateway: each is watched until its session ends.
import type { OpenAccess } from '#core/access/open-access.ts'
import { fail } from '#core/errors.ts'
import { elsewhere } from '#core/gateways/elsewhere.ts'
import type { Clock, Log } from '#core/ports.ts'
import type { ConfinedChromium } from '#platform/chromium/confined-chromium.ts'
import { withDeadline } from '#platform/deadline.ts'
import type { Dial } from '#platform/egress/dial.ts'
import { launchTimeoutMs, lookIntervalMs } from './limits.ts'
import { createLiveBrowser, type LiveBrowser } from './live-browser.ts'
import type { Recordings } from './recording/recordings.ts'
import type { BrowserSession, BrowserSessionRows } from './session-rows.ts'

export interface FleetDependencies {
  readonly rows: BrowserSessionRows
  readonly launch: (dial: Dial | undefined, signal: AbortSignal) => Promise<ConfinedChromium>
  /** The way out of a country; undefined for one that the operator has no proxy in. */
  readonly dialOf: (country: string) => Dial | undefined
  readonly recordings: Recordings
  readonly access: Pick<OpenAccess, 'enter'>
  readonly browsersMax: number
  readonly clock: Clock
  readonly log: Log
}

export interface Fleet {
  /**
   * Starts the browser of a session, and ends it with its session. Throws `unavailable`, and what the launch throws.
   */
  start(session: BrowserSession): Promise<LiveBrowser>
  /**
   * The browser of a session, started if it has none. Throws `not_found`, `session_closed`, `session_elsewhere`, and as
   * `start`.
   */
  open(id: string): Promise<LiveBrowser>
  /** Ends the browser, and not its session. */
  end(id: string): Promise<void>
  /** Looks at the row again soon, because it was changed. */
  notice(id: string): void
  /** Browsers that run or start here. */
  count(): number
  close(): Promise<void>
}

export function createFleet(dependencies: FleetDependencies): Fleet {
  const { rows, recordings, access, log, browsersMax } = dependencies
  const lives = new Map<string, LiveBrowser>()
  const starting = new Map<string, Promise<LiveBrowser>>()
  /** A browser that waits for its recording both lives and starts. */
  const ids = () => new Set([...lives.keys(), ...starting.keys()])

  async function startNow(session: BrowserSession): Promise<LiveBrowser> {
    const live = await launch(session, dependencies)
    lives.set(session.id, live)
    const leave = access.enter('rented browser', session, () => void release(session.id))
    live.chromium.ended.then(async ({ inOrder }) => {
      leave()
      if (lives.get(session.id) === live) lives.delete(session.id)
      await endBySelf(live, session, inOrder, dependencies)
    })
    watch(live, session, dependencies)
      .then((isOver) => (isOver ? end(session.id) : undefined))
      .catch((error) => log.error({ err: error }, 'A browser is not watched any more.'))
    if (session.recording === 'pending') await beginRecording(session, live)
    return live
  }

  /** The recording begins before the renter does. A browser that cannot be recorded in time works without one. */
  const beginRecording = (session: BrowserSession, { chromium }: LiveBrowser) =>
    withDeadline({ timeoutMs: launchTimeoutMs }, () => recordings.record(session, chromium)).catch(
      (error) => log.warn({ err: error, sessionId: session.id }, 'A recording begins late.'),
    )

  function start(session: BrowserSession): Promise<LiveBrowser> {
    const known = starting.get(session.id)
    if (known !== undefined) return known
    if (ids().size >= browsersMax) return Promise.reject(full())
    const started = startNow(session).finally(() => starting.delete(session.id))
    starting.set(session.id, started)
    return started
  }

  async function end(id: string): Promise<void> {
    await starting.get(id)?.catch(() => {})
    const live = lives.get(id)
    lives.delete(id)
    live?.stop()
    await live?.chromium.close()
  }

  /** The renter has lost the right to it. The row alone keeps other gateways from starting it again. */
  async function release(id: string): Promise<void> {
    await rows
      .end(id, 'key_ended')
      .catch((error) => log.warn({ err: error }, 'A browser was not released.'))
    await end(id)
  }

  return {
    start,
    async open(id) {
      const session = await rows.find(id)
      if (session === undefined)
        throw fail('not_found', { message: 'There is no such browser session.' })
      if (session.status !== 'active') throw fail('session_closed')
      const live = (await starting.get(id)) ?? lives.get(id)
      if (live !== undefined) return live
      if (!(await rows.claim(id))) throw elsewhereOf((await rows.find(id)) ?? session)
      return lives.get(id) ?? (await start(session))
    },
    end,
    notice: (id) => lives.get(id)?.wake(),
    count: () => ids().size,
    async close() {
      await Promise.all([...ids()].map(end))
    },
  }
}

async function launch(
  { country, keepAlive }: BrowserSession,
  dependencies: FleetDependencies,
): Promise<LiveBrowser> {
  const dial = country === null ? undefined : dependencies.dialOf(country)
  // The operator has removed the proxy.
  if (country !== null && dial === undefined) throw fail('unavailable')
  const chromium = await dependencies.launch(dial, AbortSignal.timeout(launchTimeoutMs))
  return createLiveBrowser({ chromium, keepAlive, clock: dependencies.clock })
}

/**
 * A session without `keepAlive` ends with a browser that its client has closed, which is how most programs end their
 * work.
 */
async function endBySelf(
  live: LiveBrowser,
  { id, keepAlive }: BrowserSession,
  inOrder: boolean,
  { rows, log }: FleetDependencies,
): Promise<void> {
  if (live.isStopped()) return
  live.stop()
  if (!inOrder) log.warn({ sessionId: id }, 'A browser ended by itself.')
  else if (!keepAlive)
    await rows
      .end(id, 'closed')
      .catch((error) => log.warn({ err: error }, 'A browser was not released.'))
}

/** Its call was not charged, or it is long over. */
const gone = { status: 'released', expiresAtMs: 0 } as const

/** Resolves when the browser has stopped, to false, or when its session is over, to true. */
async function watch(
  live: LiveBrowser,
  session: BrowserSession,
  { rows, clock }: FleetDependencies,
): Promise<boolean> {
  let { expiresAtMs } = session
  while (!live.isStopped()) {
    await live.pause(Math.min(expiresAtMs, clock.now() + lookIntervalMs))
    if (live.isStopped()) return false
    if (live.isForsaken()) await rows.end(session.id, 'idle').catch(() => {})
    const known = await rows.find(session.id).then(
      (row) => row ?? gone,
      () => undefined,
    )
    // Without the database, the last known end counts.
    if (known === undefined ? clock.now() >= expiresAtMs : known.status !== 'active') return true
    expiresAtMs = known?.expiresAtMs ?? expiresAtMs
  }
  return false
}

/** Without a gateway it is at the vendor, who has no address for it here. */
const elsewhereOf = ({ gatewayId }: BrowserSession) =>
  gatewayId === null ? fail('session_elsewhere') : elsewhere({ gateway: gatewayId })

const full = () =>
  fail('unavailable', {
    message:
      'As many browsers are open as this gateway can run. Nothing was charged; try again shortly.',
    retryAfterSeconds: 30,
  })
