// Sessions: resources that stay open between calls and are charged by their use. A session that is in use has one open
// call whose hold is extended while the meter runs. Exactly one gateway owns each resource; the rows outlive it.
import type { ClientBase } from 'pg'
import type { Owner } from '#core/caller.ts'
import type { CatalogEntry } from '#core/catalog.ts'
import { fail } from '#core/errors.ts'
import type { Micros } from '#core/money.ts'
import type { Hold, HoldOutcome } from '#money/ledger/operations.ts'
import { createArrivals, createOpening, createResumption } from './awakening.ts'
import type { BegunJob } from './command-jobs.ts'
import { createCommands } from './commands.ts'
import { createPlaces, createSubmission, perMachineMax } from './creation.ts'
import { createEndings } from './endings.ts'
import { gone, type OwnSessions, type SessionDependencies } from './kinds.ts'
import { createOpenings } from './openings.ts'
import { createPauses } from './pauses.ts'
import { createRemoval } from './removal.ts'
import type { CommandAnswer } from './repeats.ts'
import { createRounds } from './rounds.ts'
import { createSessionMoney } from './session-money.ts'
import type { Census, SessionRow, SessionRows } from './session-rows.ts'
import { createTakeover } from './takeover.ts'
import type { SessionTask } from './task.ts'
import { createTimer } from './timer.ts'
import { createCommandsElsewhere, createVisits } from './visits.ts'

export type Pressure = Census & { readonly openMax: number }

export interface Sessions {
  /** Holds the reserve of a new session and makes its row, both or neither. The session has the id of its call. */
  submit(entry: CatalogEntry, hold: Hold, ceilingMicros: Micros | undefined): Promise<HoldOutcome>
  /** Throws `unavailable` when this machine has no place for another session. */
  admit(entry: CatalogEntry): Promise<void>
  /**
   * Makes the row of a session that a wallet has paid for, in the transaction of `client`. This gateway opens it in its
   * next round. Ignores a call that is not open.
   */
  enqueue(entry: CatalogEntry, callId: string, client: ClientBase): Promise<void>
  /** Resolves when a session that was enqueued is open or has failed, or after a moment. */
  whenOpen(sessionId: string): Promise<void>
  /**
   * Opens the resource of a session that was submitted. If that fails, nothing is charged, and it throws the reason.
   */
  open(entry: CatalogEntry, sessionId: string, input: unknown): Promise<void>
  /**
   * Runs a command with its files, once for its idempotency key. Throws `not_found`, `session_closed`,
   * `session_elsewhere`, `idempotency_key_reused`, `idempotency_in_progress`, and what holds for any call that needs
   * money.
   */
  run(
    owner: Owner,
    sessionId: string,
    task: SessionTask,
    idempotencyKey?: string,
  ): Promise<CommandAnswer>
  /**
   * Begins a command and answers at once. Its result is read by the id of the job. Throws as `run` does, except for
   * what goes wrong after the beginning.
   */
  begin(
    owner: Owner,
    sessionId: string,
    task: SessionTask,
    idempotencyKey?: string,
  ): Promise<BegunJob>
  /** Stops the meter, charges the use, releases the rest and removes the resource. Repeating it changes nothing. */
  close(owner: Owner, sessionId: string): Promise<SessionRow>
  find(owner: Owner, sessionId: string): Promise<SessionRow | undefined>
  /** Newest first. Without an account, the sessions of all accounts. */
  list: SessionRows['list']
  /** As `close`, by the operator. Undefined when there is no such session. */
  kill(sessionId: string): Promise<SessionRow | undefined>
  /** For the operator. */
  get(sessionId: string): Promise<SessionRow | undefined>
  /** One round of what a timer does: meters, extends, ends, and takes over what stopped gateways left. */
  keepUp(): Promise<void>
  /** Sessions whose resources this gateway has. */
  count(): number
  /** The sessions of this machine, and how many it may have, for each action that creates them. */
  pressure(): Promise<readonly Pressure[]>
  /**
   * Writes the use so far, unless told not to. Another gateway, or this one after its start, continues the sessions or
   * closes them.
   */
  stop(writesUse?: boolean): Promise<void>
}

/** How long a request waits for a session that its wallet has paid for. */
const openWaitMs = 20_000
const stoppedMessage =
  'The gateway stopped while this command ran. Look for its effects in the session, and send it again if there are none.'
const openPollIntervalMs = 100

/** One that is closing has failed once its call has ended: until then the call does not say so. */
const isDecided = ({ state, callId }: SessionRow) =>
  state === 'closing' ? callId === null : state !== 'opening'

function assemble(dependencies: SessionDependencies, stopping: AbortSignal) {
  const own: OwnSessions = { lives: new Map(), coming: new Map() }
  const money = createSessionMoney(dependencies)
  const openings = createOpenings(dependencies)
  const remove = createRemoval(dependencies, openings)
  const endings = createEndings(dependencies, { money, remove, own })
  const pauses = createPauses(dependencies, { money, endings, own })
  const arrivals = createArrivals(dependencies, { own, endings })
  const resume = createResumption(dependencies, arrivals, { money, own, endings })
  const open = createOpening({ openings, arrivals }, { own, endings })
  const { adopt } = arrivals
  const takeOver = createTakeover(dependencies, { adopt, open }, { money, own, endings })
  const admit = createPlaces(dependencies, own)
  const rounds = createRounds(dependencies, { money, own, endings, pauses, takeOver })
  return {
    own,
    endings,
    rounds,
    open,
    admit,
    ...createSubmission(dependencies, own, admit),
    runCommand: createCommandsElsewhere({
      ...dependencies,
      stopping,
      runHere: createCommands({
        clock: dependencies.clock,
        own,
        pauses,
        resume,
        visit: createVisits(dependencies),
        stopping,
      }),
    }),
  }
}

/** Commands of callers, who wait for them or not. */
function createRuns(
  { runOnce, beginJob, log }: Pick<SessionDependencies, 'runOnce' | 'beginJob' | 'log'>,
  parts: {
    find: (owner: Owner, sessionId: string) => Promise<SessionRow>
    wake: () => void
    runCommand: ReturnType<typeof createCommandsElsewhere>
    stopping: AbortSignal
  },
): Pick<Sessions, 'run' | 'begin'> {
  const { find, wake, runCommand, stopping } = parts
  return {
    async run(owner, sessionId, task, key) {
      const row = await find(owner, sessionId)
      wake()
      const work = () => runCommand(row, task)
      if (key === undefined) return await work()
      const isStopping = () => stopping.aborted
      return await runOnce(sessionId, { key, task }, { work, isStopping })
    },
    async begin(owner, sessionId, task, key) {
      const row = await find(owner, sessionId)
      if (row.state === 'closing' || row.state === 'closed') throw gone()
      wake()
      return await beginJob(
        { sessionId, key, task },
        {
          work: (cancelled) => runCommand(row, task, cancelled),
          log,
        },
      )
    },
  }
}

export function createSessions(dependencies: SessionDependencies): Sessions {
  const { catalog, rows, clock, log } = dependencies
  const stopping = new AbortController()
  const parts = assemble(dependencies, stopping.signal)
  const { own, endings, rounds, open, runCommand } = parts
  const timer = createTimer({ clock, log, own, rounds })

  async function find(owner: Owner, sessionId: string): Promise<SessionRow> {
    const row = await rows.find(owner, sessionId)
    if (row !== undefined) return row
    throw fail('not_found', {
      message: 'There is no such session. Send the session_id as you received it.',
    })
  }

  return {
    admit: parts.admit,
    submit: parts.submit,
    enqueue: parts.enqueue,
    async open(entry, sessionId, input) {
      await open(entry, sessionId, input)
      timer.wake()
    },
    async whenOpen(sessionId) {
      void timer.clear().catch(() => {})
      const until = clock.now() + openWaitMs
      while (clock.now() < until) {
        const row = await rows.get(sessionId)
        if (row !== undefined && isDecided(row)) return
        await clock.sleep(openPollIntervalMs)
      }
    },
    ...createRuns(dependencies, { find, wake: timer.wake, runCommand, stopping: stopping.signal }),
    async close(owner, sessionId) {
      await find(owner, sessionId)
      await endings.closeNow(sessionId, 'closed')
      return await find(owner, sessionId)
    },
    async kill(sessionId) {
      await endings.closeNow(sessionId, 'operator')
      return await rows.get(sessionId)
    },
    find: rows.find,
    get: rows.get,
    list: rows.list,
    keepUp: timer.keepUp,
    count: () => own.lives.size,
    async pressure() {
      const counted = new Map((await rows.census()).map((census) => [census.action, census]))
      return catalog.entries
        .filter(({ action }) => action.session !== undefined)
        .map((entry) => ({
          action: entry.id,
          open: 0,
          suspended: 0,
          closing: 0,
          ...counted.get(entry.id),
          openMax: perMachineMax(entry),
        }))
    },
    async stop(writesUse = true) {
      if (writesUse) stopping.abort(fail('unavailable', { message: stoppedMessage }))
      await timer.stop()
      if (!writesUse) return
      await rounds
        .reportUse()
        .catch((error) => log.warn({ err: error }, 'The last use was not written.'))
    },
  }
}
