// Sessions whose resource is a box of this machine.
import { fail } from '#core/errors.ts'
import type { Clock, Log } from '#core/ports.ts'
import type { SessionContext, SessionKind, SessionResource } from '#core/session.ts'
import type { StandingBox } from '#platform/sandbox/standing-box.ts'
import { createBoxFiles } from './box-files.ts'
import { runCommand } from './commands.ts'
import type { Homes } from './homes.ts'
import type { Machine } from './machine.ts'
import { mergeRuns } from './merged.ts'
import type { BoxPolicy } from './policies.ts'
import { createWorkMeter } from './work-meter.ts'

export interface BoxSessionInput {
  readonly template?: string | undefined
  readonly envs?: Readonly<Record<string, string>> | undefined
}

/** What the engine keeps of a session. */
interface BoxState {
  readonly template?: string | undefined
  readonly envs?: Readonly<Record<string, string>> | undefined
}

interface LiveBox {
  readonly resource: SessionResource
  /** Saves what the next gateway needs, and closes the box. */
  readonly leave: () => Promise<void>
}

export interface BoxSessions {
  readonly kind: SessionKind<BoxSessionInput>
  /** The gateway stops: sessions can be continued after its start. */
  leave(): Promise<void>
}

export function createBoxSessions(
  terms: BoxPolicy,
  { machine, homes, log }: { machine: Machine; homes: Homes; log: Log },
): BoxSessions {
  const live = new Map<string, LiveBox>()
  const arriving = new Map<string, Promise<SessionResource | undefined>>()

  function start(sessionId: string, box: StandingBox, state: BoxState, clock: Clock) {
    const forget = () => live.delete(sessionId)
    const started = createLiveBox(terms, { sessionId, box, state, clock, homes, log, forget })
    live.set(sessionId, started)
    void box.ended.then(() => {
      if (live.get(sessionId) === started) forget()
    })
    return started.resource
  }

  async function arrive({ sessionId, accountId, signal, clock }: SessionContext, state: unknown) {
    if (!(await homes.has(sessionId))) return undefined
    homes.reserve(sessionId)
    const box = await machine.open(accountId, signal)
    try {
      await homes.restore(sessionId, box)
      // Later changes would be missing in it.
      if (!terms.keepsFiles) await homes.remove(sessionId)
    } catch (thrown) {
      await box.close()
      throw thrown
    }
    return start(sessionId, box, (state ?? {}) as BoxState, clock)
  }

  return {
    kind: {
      reach: 'machine',
      policy: terms.policy,
      async open({ sessionId, accountId, input, signal, clock }) {
        if (terms.keepsFiles) await homes.admit(sessionId)
        const box = await machine.open(accountId, signal)
        const { template, envs } = input
        // From now on a session without a saved home is one that was closed.
        if (terms.keepsFiles) await homes.save(sessionId, box)
        return start(sessionId, box, { template, envs }, clock)
      },
      async adopt(context, state) {
        const { sessionId } = context
        const known = live.get(sessionId)
        if (known !== undefined) return known.resource
        // A large home takes longer than one attempt waits.
        const coming =
          arriving.get(sessionId) ??
          arrive(context, state).finally(() => arriving.delete(sessionId))
        arriving.set(sessionId, coming)
        return await coming
      },
      async discard({ sessionId }) {
        await arriving.get(sessionId)?.catch(() => {})
        await live.get(sessionId)?.resource.close()
        await homes.remove(sessionId)
      },
    },
    async leave() {
      await Promise.all([...live.values()].map((each) => each.leave()))
    },
  }
}

const isScript = (template = '') => template === 'javascript' || template === 'typescript'

interface LiveParts {
  readonly sessionId: string
  readonly box: StandingBox
  readonly state: BoxState
  readonly clock: Clock
  readonly homes: Homes
  readonly log: Log
  readonly forget: () => void
}

function createLiveBox(terms: BoxPolicy, parts: LiveParts): LiveBox {
  const { box, state, clock } = parts
  const meter = terms.perSecond === undefined ? createWorkMeter(box, clock) : undefined
  const life = createLife(parts, async () => meter?.stop())
  const commandTerms = {
    keepsVariables: terms.keepsVariables ?? false,
    isTypeScript: state.template === 'typescript',
    environment: terms.ignoresEnvs ? {} : (state.envs ?? {}),
  }

  const resource: SessionResource = {
    state,
    perSecond: terms.perSecond ?? meter?.perSecond ?? {},
    ...(isScript(state.template) && { codeLanguage: 'javascript' as const }),
    ...(meter && { measure: meter.read, background: meter.background }),
    async run(command, signal, onOutput) {
      if (life.isEnding()) throw fail('session_closed')
      const end = meter?.begin()
      try {
        return await runCommand(box, command, commandTerms, { signal, onOutput })
      } finally {
        end?.()
        if (terms.keepsFiles && !life.isEnding()) void life.trySave()
      }
    },
    files: createBoxFiles(box),
    alive: async () => box.isAlive(),
    ...(terms.policy.idle?.outcome === 'suspend' && {
      async suspend() {
        await life.save()
        await life.end()
        return state
      },
    }),
    async close() {
      await life.end()
      await parts.homes.remove(parts.sessionId)
    },
  }

  return {
    resource,
    async leave() {
      // Variables would be missing after the start, so such a session ends.
      if (!terms.keepsVariables) await life.trySave()
      await life.end()
    },
  }
}

/** Saving a home and ending its box, in this order. */
function createLife(
  { sessionId, box, homes, log, forget }: LiveParts,
  beforeEnd: () => Promise<void>,
) {
  let saving: Promise<void> = Promise.resolve()
  let isEnding = false

  const saveMerged = mergeRuns(() => homes.save(sessionId, box))
  function save(): Promise<void> {
    saving = saveMerged()
    return saving
  }

  return {
    save,
    trySave: () =>
      save().catch((err) => log.warn({ err, sessionId }, 'The files of a session were not saved.')),
    isEnding: () => isEnding,
    async end() {
      isEnding = true
      forget()
      await saving.catch(() => {})
      await beforeEnd()
      await box.close()
      homes.release(sessionId)
    },
  }
}
